package answer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// A sentence is compared with what its source says: words by their beginnings, numbers as they are.
//
// Covers: HUM-62
func TestSupport(t *testing.T) {
	e := evidence{passages: []passage{
		{source: source{"Serving.md", "Address"}, text: "`rein serve` listens on 127.0.0.1:7717 and prints a link that logs your browser in once. The link is for you and not for others."},
		{source: source{"Words.md", ""}, text: "One word per thing."},
		{source: source{"Serving.md", "Tokens"}, text: "Programs use tokens, which expire after ninety days."},
	}}
	for name, c := range map[string]struct {
		answer string
		want   []claim
	}{
		"its own words":     {"The server listens on 127.0.0.1:7717 and prints a link for the browser [Serving.md#Address].", nil},
		"inflected":         {"It printed a link, logging browsers in once [Serving.md#Address].", nil},
		"another number":    {"It listens on port 8080 and prints a link [Serving.md#Address].", []claim{{Text: "It listens on port 8080 and prints a link", Source: "Serving.md#Address", Support: 0.75, Missing: []string{"8080"}}}},
		"something else":    {"Cats prefer sleeping inside warm cardboard boxes [Serving.md#Address].", []claim{{Text: "Cats prefer sleeping inside warm cardboard boxes", Source: "Serving.md#Address"}}},
		"another section":   {"Programs present tokens expiring eventually [Serving.md#Address].", []claim{{Text: "Programs present tokens expiring eventually", Source: "Serving.md#Address"}}},
		"the whole note":    {"Programs present tokens which expire [Serving.md].", nil},
		"too short":         {"See [Serving.md#Address].", nil},
		"its own sentence":  {"Cats sleep in boxes all day long. The server prints a link for browsers [Serving.md#Address].", nil},
		"a list":            {"- cats sleep in boxes all day\n- the server prints a link, for browsers [Serving.md#Address]", nil},
		"another language":  {"De server wordt gestart met een opdracht en toont een koppeling waarmee de browser van de gebruiker wordt aangemeld [Serving.md#Address].", nil},
		"its numbers":       {"De server wordt gestart op poort 8080 en toont een koppeling voor de browser van de gebruiker [Serving.md#Address].", []claim{{Text: "De server wordt gestart op poort 8080 en toont een koppeling voor de browser van de gebruiker", Source: "Serving.md#Address", Support: 1, Missing: []string{"8080"}}}},
		"a quoted link":     {"- \"The server listens and prints a link for browsers, which [[Words]] explains.\" [Serving.md#Address]", nil},
		"an escaped link":   {"- \"The server listens and prints a link for browsers, which \\[[Words]] explains.\" [Serving.md#Address]", nil},
		"first in its line": {"[Serving.md#Address] the server prints a link, for browsers", nil},
	} {
		_, _, got := e.cited(rein.Task{}, c.answer)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// What was read of a note, its characters and its hash, goes with the citation.
func TestExtent(t *testing.T) {
	var e evidence
	call := rein.ToolCall{Name: "read_note", Args: []byte(`{"path":"a.md"}`)}
	e.observe(call, rein.ToolResult{Status: rein.ToolOK, Data: []byte(`{"ok":true,"text":"Beans.","meta":{"path":"a.md","section":"S","start":10,"end":16,"hash":"h"}}`)})
	search := rein.ToolCall{Name: "find_similar", Args: []byte(`{"queries":["x"]}`)}
	e.observe(search, rein.ToolResult{Status: rein.ToolOK, Data: []byte(`{"ok":true,"data":[{"path":"b.md","score":1,"snippet":"Peas.","start":3,"end":8,"hash":"g"}]}`)})
	_, all, _ := e.cited(rein.Task{}, "[a.md#S] [b.md]")
	want := []citation{
		{source: source{"a.md", "S"}, OK: true, Quote: "Beans.", extent: extent{10, 16, "h"}},
		{source: source{"b.md", ""}, OK: true, Quote: "Peas.", extent: extent{3, 8, "g"}},
	}
	if diff := cmp.Diff(want, all, cmp.AllowUnexported(citation{}, source{}, extent{})); diff != "" {
		t.Error(diff)
	}
}

// A block that a search found, or that was read, can be cited as a section can.
//
// Covers: HUM-91
func TestBlocksAreCited(t *testing.T) {
	var e evidence
	search := rein.ToolCall{Name: "find_similar", Args: []byte(`{"queries":["x"]}`)}
	e.observe(search, rein.ToolResult{Status: rein.ToolOK, Data: []byte(`{"ok":true,"data":[{"path":"Roof.md","section":"Offers","block":"^jansen","score":1,"snippet":"Jansen wants 8,400 euros."}]}`)})
	read := rein.ToolCall{Name: "read_note", Args: []byte(`{"path":"Roof.md","section":"^plan"}`)}
	e.observe(read, rein.ToolResult{Status: rein.ToolOK, Data: []byte(`{"ok":true,"text":"The scaffold comes in June. ^plan","meta":{"path":"Roof.md","section":"^plan","start":0,"end":33,"hash":"h"}}`)})
	shown, all, doubtful := e.cited(rein.Task{}, "It costs 8,400 euros [Roof.md#^jansen]. It begins in June [[Roof#^plan]]. It is done soon [Roof.md#^never].")
	var ok []bool
	for _, c := range all {
		ok = append(ok, c.OK)
	}
	if diff := cmp.Diff([]bool{true, true, false}, ok); diff != "" || len(doubtful) > 0 {
		t.Errorf("cited %+v, doubtful %v, shown %q", all, doubtful, shown)
	}
}
