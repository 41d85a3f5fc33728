package answer

import (
	"strings"
	"testing"

	"rein"
)

// FuzzCited holds that no text of a model makes the check fail, and that no citation which nothing
// supports is left when it is done.
func FuzzCited(f *testing.F) {
	e := evidence{passages: []passage{{source: source{"Projects/rein.md", "Goals"}, text: "# Plan\nRein."}, {source: source{"a [b].md", ""}, text: "x"}}}
	for _, seed := range []string{
		"A [Projects/rein.md#Goals] and [x.md].", "[[rein|r]] ![[x]] [p](x.md) [w](https://a.org)", "`[x.md]` ```\n[x.md]\n``` ~~~",
		`\[x.md] [a.md; b.md] [a [b].md]`, "[x.md](y.md)[z.md]", "[[x.md]](y.md)", "[a.md#]()", "[a](<b c.md> \"t\")", "[[a|[b.md]]]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		shown, all, _ := e.cited(rein.Task{}, answer)
		good := 0
		for _, c := range all {
			if c.OK {
				good++
			}
		}
		_, left, _ := e.cited(rein.Task{}, shown)
		for _, c := range left { // brackets around a citation that was flagged are another matter
			if !c.OK && !strings.Contains(c.String(), "not found in the sources") {
				t.Errorf("%q is shown as %q, which still cites %q", answer, shown, c.String())
			}
		}
		if good == len(all) && shown != answer {
			t.Errorf("%q is supported and shown as %q", answer, shown)
		}
		if strings.Count(shown, "`") > strings.Count(answer, "`") {
			t.Errorf("%q is shown as %q, with new code", answer, shown)
		}
	})
}
