package lsp

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
)

// severities are the words of the protocol's numbers; what is not said counts as an error.
var severities = []string{"error", "error", "warning", "information", "hint"}

// published keeps what the server says of a file, in place of what it said before.
// What it says of an earlier version of the file does not count.
func (e *Session) published(params json.RawMessage) {
	var said struct {
		URI         string
		Version     *int
		Diagnostics []struct {
			Range struct {
				Start struct{ Line, Character int }
			}
			Severity        int
			Source, Message string
		}
	}
	if json.Unmarshal(params, &said) != nil {
		return
	}
	of, err := url.Parse(said.URI) // servers escape differently
	if err != nil {
		return
	}
	defer e.tell()
	e.mu.Lock()
	defer e.mu.Unlock()
	at := slices.IndexFunc(e.asked, func(f File) bool { return f.Path == of.Path })
	if at < 0 || said.Version != nil && *said.Version != e.version {
		return
	}
	list := []Diagnostic{}
	for _, d := range said.Diagnostics {
		severity := severities[0]
		if d.Severity > 0 && d.Severity < len(severities) {
			severity = severities[d.Severity]
		}
		list = append(list, Diagnostic{
			Path: e.asked[at].Path, Line: d.Range.Start.Line + 1, Column: d.Range.Start.Character + 1, Severity: severity, Message: d.Message, Source: d.Source,
		})
	}
	slices.SortStableFunc(list, func(a, b Diagnostic) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	e.said[uri(e.asked[at].Path)] = list
}
