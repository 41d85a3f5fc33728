package turn

import (
	"slices"
	"strings"

	"rein"
	"rein/internal/secret"
)

// SecretsIn returns the kinds of secrets in what the model said: those that it shows, and those that
// the engine has taken out of it before.
func (t *Turn) SecretsIn(text string) []string { return append(secret.Kinds(text), t.MasksIn(text)...) }

// MasksIn returns the kinds of secrets that stood in a text. A mask that the model only repeats, from
// a result, is not one of them.
func (t *Turn) MasksIn(text string) []string {
	var kinds []string
	for _, kind := range t.masked {
		if strings.Contains(text, secret.Label(kind)) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// remember keeps what was taken out of a reply.
func (t *Turn) remember(kinds []string) {
	for _, kind := range kinds {
		if !slices.Contains(t.masked, kind) {
			t.masked = append(t.masked, kind)
		}
	}
}

// Block keeps a text from people and says why, and what was done all the same.
func (t *Turn) Block(kinds []string) rein.Outcome {
	t.blocked = kinds
	return t.End(rein.Outcome{End: rein.EndLimit, Text: say(t.Task, "blocked", strings.Join(kinds, ", ")) + t.DidSay()})
}

// DidSay is a sentence about what was done, if anything was.
func (t *Turn) DidSay() string {
	if done := t.Trace.did(); len(done) > 0 {
		return " " + say(t.Task, "did", strings.Join(done, ", "))
	}
	return ""
}
