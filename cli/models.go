package cli

import (
	"context"
	"fmt"

	"rein/app"
	"rein/app/config"
	"rein/internal/units"
)

func modelsCommand() command {
	return command{
		name: "models", does: "list the models, with their windows and prices",
		more: `Lists the models of the settings, the built-in ones, and those of an Ollama on this machine, which need no settings: rein run --model ollama/NAME. rein asks each provider for a moment whether it can be reached and accepts the key. The model that makes vectors (embedder) makes one of a word, which shows their dimension.

The window is in tokens. The price is for a million tokens, read and written.`,
		flags: func(c *call) []flagDef { return []flagDef{jsonFlag(c), configFlag(c)} }, run: runModels,
	}
}

func runModels(ctx context.Context, c *call) error {
	settings, err := c.checked()
	if err != nil {
		return err
	}
	list, err := c.setup().Models(ctx)
	if err != nil {
		return err
	}
	if err := c.printModels(list); err != nil {
		return err
	}
	c.hintKeys(settings)
	return nil
}

func (c *call) printModels(list []app.Model) error {
	rows := [][]string{{"MODEL", "KIND", "ASKS", "WINDOW", "PRICE", "REACHABLE"}}
	for _, m := range list {
		if c.json {
			if err := c.printJSON(m); err != nil {
				return err
			}
			continue
		}
		reachable, name, window := "yes", m.Name, "not known"
		if !m.Reachable {
			reachable = "no: " + m.Why
		}
		if m.Default {
			name += " (default)"
		}
		if m.Window > 0 {
			window = units.Number(m.Window)
		}
		if m.Embeds {
			name += " (embedder)"
		}
		if m.Dimension > 0 {
			reachable += fmt.Sprintf(", vectors of %d numbers", m.Dimension)
		}
		rows = append(rows, []string{name, m.Kind, m.Model, window, priceText(m), reachable})
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}

func priceText(m app.Model) string {
	if m.InputMicros == 0 && m.OutputMicros == 0 {
		return "0"
	}
	return units.Money(m.InputMicros) + " / " + units.Money(m.OutputMicros)
}

// hintKeys tells how a key is used that is there and that no model uses.
func (c *call) hintKeys(settings *config.Config) {
	for _, hint := range []struct{ env, kind, model string }{
		{"OPENAI_API_KEY", config.KindOpenAI, "gpt-5-mini"},
		{"ANTHROPIC_API_KEY", config.KindAnthropic, "claude-sonnet-4-5"},
	} {
		used := c.env.Get(hint.env) == "" || c.json
		for _, m := range settings.Models {
			used = used || m.KeyEnv == hint.env
		}
		if !used {
			c.note("$%s is set. To use it, put this into %s, and model = %q at its top:\n[models.%s]\nkind = %q\nmodel = %q",
				hint.env, safe(c.env.DefaultFile()), hint.kind, hint.kind, hint.kind, hint.model)
		}
	}
}
