package openai

import (
	"slices"
	"strings"

	"rein"
)

// Quirks say what a server does otherwise than OpenAI's. The zero value is OpenAI's.
type Quirks struct {
	NoDeveloper   bool // there is no role developer: such messages are system messages
	OneSystem     bool // only one system message, the first: leading ones are joined, later ones are the user's
	NoStreamUsage bool // it does not accept stream_options
	OldMaxTokens  bool // the bound of a reply is called max_tokens
	OneCall       bool // it is asked for one tool call at a time
	NoImages      bool // the model cannot see: images are described to it
	PlainResults  bool // of Responses: the result of a call is a text, and its images follow in a message of the user
	PlainHistory  bool // it accepts no fields of its own in earlier replies: rein.Raw is not sent back
	Schema        Form // how a reply of a given shape is asked for
	Stream        When // empty: if there is someone to show the text to
	Encrypted     When // ask for encrypted reasoning; empty: if the model's name is one of a reasoning model
	KeyHeader     string
}

// Form is how a server is asked for JSON.
type Form string

const (
	BySchema Form = ""       // it takes a schema
	ByObject Form = "object" // it takes the wish for JSON; the schema is told in words
	ByWords  Form = "words"  // all is told in words
)

// When forces a choice that is made by itself otherwise.
type When string

const (
	Always When = "always"
	Never  When = "never"
)

func (q Quirks) check(model string) error {
	for _, w := range []When{q.Stream, q.Encrypted} {
		if w != "" && w != Always && w != Never {
			return rein.Errorf(rein.CodeInvalid, "model %q: %q must be %q, %q or empty", model, w, Always, Never)
		}
	}
	if !slices.Contains([]Form{BySchema, ByObject, ByWords}, q.Schema) {
		return rein.Errorf(rein.CodeInvalid, "model %q: a schema is asked for by %q, by %q or, if empty, by itself, not by %q", model, ByObject, ByWords, q.Schema)
	}
	return nil
}

// reasoners are how the names of models begin that encrypt their reasoning; others refuse to be
// asked for it.
var reasoners = []string{"o1", "o3", "o4", "gpt-5", "codex", "computer-use", "grok-4", "grok-3-mini"}

func (m *Model) wantsEncrypted() bool {
	if m.opt.Quirks.Encrypted != "" {
		return m.opt.Quirks.Encrypted == Always
	}
	name := m.opt.Model[strings.LastIndexByte(m.opt.Model, '/')+1:]
	if strings.HasPrefix(name, "gpt-5") && strings.Contains(name, "chat") {
		return false // gpt-5-chat does not reason
	}
	return slices.ContainsFunc(reasoners, func(p string) bool { return strings.HasPrefix(name, p) })
}
