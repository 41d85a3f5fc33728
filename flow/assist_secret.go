package flow

import (
	"slices"
	"strings"

	"rein/internal/secret"
)

// secretsIn returns the kinds of secrets in what the model said: those that it shows, and those that
// the engine has taken out of it before.
func (t *turn) secretsIn(text string) []string { return append(secret.Kinds(text), t.masksIn(text)...) }

// masksIn returns the kinds of secrets that stood in a text. A mask that the model only repeats, from
// a result, is not one of them.
func (t *turn) masksIn(text string) []string {
	var kinds []string
	for _, kind := range t.masked {
		if strings.Contains(text, secret.Label(kind)) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// remember keeps what was taken out of a reply.
func (t *turn) remember(kinds []string) {
	for _, kind := range kinds {
		if !slices.Contains(t.masked, kind) {
			t.masked = append(t.masked, kind)
		}
	}
}
