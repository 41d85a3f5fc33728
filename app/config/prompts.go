package config

import (
	"fmt"
	"strings"
)

// The prompts whose files can have other names.
const (
	reasonPrompt  = "agent_reason_prompt"
	observePrompt = "agent_observe_prompt"
)

// PromptFiles returns the prompts whose files have names of their own, by the name of the prompt.
func (c *Config) PromptFiles() map[string]string {
	return map[string]string{reasonPrompt: c.ReasonPrompt, observePrompt: c.ObservePrompt}
}

// isPromptFile takes a name that stays in the folder of the prompts.
func isPromptFile(v string) error {
	const most = 120
	if !strings.HasSuffix(v, ".md") || strings.HasPrefix(v, ".") || strings.ContainsAny(v, `/\`) || len(v) > most {
		return fmt.Errorf("it is %.200q and must be a plain file name that ends in .md, of at most %d bytes", v, most)
	}
	return nil
}
