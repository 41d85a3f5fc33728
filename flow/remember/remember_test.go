package remember

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Covers: NEU-11
func TestReadNotes(t *testing.T) {
	const prose = "Here you are:\n```json\n%s\n```\nThat is all."
	both := Notes{Memories: []Memory{{"has a cat", "fact", "pets"}}, Snapshots: []Snapshot{{"is away", "user", 3}}}
	full := `{"memories":[{"text":"has a cat","kind":"fact","about":"pets"}],"snapshots":[{"text":"is away","scope":"user","days":3}]}`
	for name, c := range map[string]struct {
		reply string
		most  int
		want  Notes
	}{
		"as asked for":         {full, 5, both},
		"in prose":             {strings.ReplaceAll(prose, "%s", full), 5, both},
		"cut off":              {full[:len(full)-2], 5, both},
		"nothing":              {`{"memories": [], "snapshots": []}`, 5, Notes{}},
		"no JSON":              {"There is nothing to remember.", 5, Notes{}},
		"empty":                {"", 5, Notes{}},
		"a list":               {`[{"text":"x"}]`, 5, Notes{}},
		"null":                 {`{"memories": null}`, 5, Notes{}},
		"only snapshots":       {`{"snapshots":[{"text":"is away","scope":"user","days":3}]}`, 5, Notes{Snapshots: both.Snapshots}},
		"malformed among good": {`{"memories":["plain", {"text":7}, {"text":"has a cat","kind":"fact","about":"pets"}, {"text":"  "}], "snapshots":"none"}`, 5, Notes{Memories: both.Memories}},
		"twice":                {`{"memories":[{"text":"has a\ncat","kind":"fact","about":" pets "},{"text":"has a cat"}]}`, 5, Notes{Memories: both.Memories}},
		"too many":             {`{"memories":[{"text":"a"},{"text":"b"}],"snapshots":[{"text":"c"},{"text":"d"}]}`, 3, Notes{Memories: []Memory{{Text: "a"}, {Text: "b"}}, Snapshots: []Snapshot{{Text: "c"}}}},
		"long":                 {`{"memories":[{"text":"` + strings.Repeat("é", 300) + `"}]}`, 5, Notes{Memories: []Memory{{Text: strings.Repeat("é", 200) + "…"}}}},
	} {
		if diff := cmp.Diff(c.want, readNotes(c.reply, c.most)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
