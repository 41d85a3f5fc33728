package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
	"rein/internal/digest"
	"rein/internal/toolname"
	"rein/internal/visible"
)

// A Definition is a tool as its server describes it.
type Definition struct {
	Name        string          `json:"name"` // on the server
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`
	Output      json.RawMessage `json:"output,omitempty"` // the schema of what it returns
	ReadOnly    bool            `json:"read_only,omitempty"`
	Idempotent  bool            `json:"idempotent,omitempty"`
}

// What is taken of a server at most.
const (
	maxTools       = 200
	maxWrong       = 20 // of what is wrong with tools
	maxDescription = 4 << 10
	maxSchema      = 64 << 10
)

// definitionOf reads what a server says about a tool. An error says why rein cannot use it.
func definitionOf(t *sdk.Tool) (d Definition, err error) {
	if t == nil || t.Name == "" || len(t.Name) > 256 {
		return d, fmt.Errorf("a tool has no name, or one that is too long")
	}
	d = Definition{Name: t.Name, Title: t.Title, Description: t.Description}
	if d.Schema, err = json.Marshal(t.InputSchema); err != nil {
		return d, fmt.Errorf("the schema of %q cannot be read: %w", t.Name, err)
	}
	if t.OutputSchema != nil {
		if d.Output, err = json.Marshal(t.OutputSchema); err != nil {
			return d, fmt.Errorf("the output schema of %q cannot be read: %w", t.Name, err)
		}
	}
	if len(d.Schema)+len(d.Output) > maxSchema {
		return d, fmt.Errorf("the schemas of %q have %d bytes; at most %d are taken", t.Name, len(d.Schema)+len(d.Output), maxSchema)
	}
	if a := t.Annotations; a != nil {
		d.ReadOnly, d.Idempotent, d.Title = a.ReadOnlyHint, a.IdempotentHint, cmp.Or(d.Title, a.Title)
	}
	return d, nil
}

// cleaned is the definition without secrets that the server repeats in it. It is kept, and shown to everyone.
func (d Definition) cleaned(clean func(string) string) (Definition, error) {
	d.Title, d.Description = clean(d.Title), clean(d.Description)
	d.Schema = json.RawMessage(clean(string(d.Schema)))
	if len(d.Output) > 0 {
		d.Output = json.RawMessage(clean(string(d.Output)))
	}
	if clean(d.Name) != d.Name || !json.Valid(d.Schema) || len(d.Output) > 0 && !json.Valid(d.Output) {
		return d, fmt.Errorf("the definition of a tool holds a secret")
	}
	return d, nil
}

// Hash names everything that a model or a person reads about the tool, and what the server claims about its effect.
// What people allow holds for this hash only.
func (d Definition) Hash() string {
	return digest.Listed(8, d.Name, d.Title, d.Description, string(d.Schema), string(d.Output), fmt.Sprint(d.ReadOnly), fmt.Sprint(d.Idempotent))
}

// effect says what a call does to the world. Only the operator can make it milder than unsafe: for this tool, or by
// believing the server.
func effectOf(s Server, d Definition) rein.Effect {
	switch e, said := s.Effects[d.Name]; {
	case said:
		return e
	case s.TrustHints && d.ReadOnly:
		return rein.Pure
	case s.TrustHints && d.Idempotent:
		return rein.Idempotent
	}
	return rein.Unsafe
}

// describe is what a model reads about the tool: the server's words, as far as they can be seen, and whose they are.
func describe(s Server, d Definition) string {
	text := strings.TrimSpace(d.Description)
	if text == "" {
		text = cmp.Or(strings.TrimSpace(d.Title), d.Name)
	}
	if len(text) > maxDescription {
		text = strings.ToValidUTF8(text[:maxDescription], "") + " […]"
	}
	return visible.Lines(text) + "\n\n(A tool of the MCP server " + s.Name + ".)"
}

// named gives the tools of a server names that rein can use. A name that needs no change keeps it; those that would
// become the same are told apart by their hashes, whichever others there are.
func named(server string, names []string) map[string]string {
	plain := func(name string) string { return server + "." + spell(name) }
	uses := map[string]int{}
	for _, name := range names {
		uses[plain(name)]++
	}
	byName := map[string]string{}
	for _, name := range names {
		full := plain(name)
		if spell(name) != name && uses[full] > 1 || !toolname.Good(full) {
			mark := "_" + digest.Joined(4, name)
			full = strings.TrimRight(full[:min(len(full), longestName-len(mark))], "._") + mark
		}
		byName[full] = name
	}
	return byName
}

const longestName = 64

// spell writes the name of a tool with what rein's names have.
func spell(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '_'
	}, name)
}

// sortedNames lists the names of definitions.
func sortedNames(all map[string]Definition) []string { return slices.Sorted(maps.Keys(all)) }
