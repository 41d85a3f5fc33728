package notes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A map is made of a note's headings and links, or of an outline, and is written so that no label can
// end its quotes, its block or its line.
//
// Covers: HUM-34
func TestMindmap(t *testing.T) {
	for _, c := range []struct{ name, note, args, want string }{
		{
			"outline as Mermaid", "", `"outline":"Garden\n  Trees\n    - Oak \"old\"\n    - Ash [x] (y)\n  Ponds ` + "```" + `\n"`,
			"# Garden\n\n```mermaid\nmindmap\n  n1[\"Garden\"]\n    n2[\"Trees\"]\n      n3[\"Oak 'old'\"]\n      n4[\"Ash [x] (y)\"]\n    n5[\"Ponds '''\"]\n```\n",
		},
		{
			"outline as Markmap", "", `"outline":"# Root\n## One\n- a\n  - b <script>\n## Two\n","format":"markmap"`,
			"---\nmarkmap:\n  colorFreezeLevel: 2\n---\n\n# Root\n\n- One\n  - a\n    - b &lt;script>\n- Two\n",
		},
		{
			"note", "---\ntitle: T\n---\n[[Intro]]\n# One\nSee [[dir/B|the B]], [[dir/B|the B]] and ![[pic]].\n## Sub\n[[C]] [web](https://x.org)\n# Two\n", `"note":"n.md","format":"markmap"`,
			"---\nmarkmap:\n  colorFreezeLevel: 2\n---\n\n# T\n\n- Intro\n- One\n  - the B\n  - Sub\n    - C\n- Two\n",
		},
		{"note without headings", "plain", `"note":"n.md"`, "# n\n\n```mermaid\nmindmap\n  n1[\"n\"]\n```\n"},
		{"roots", "", `"outline":"one\ntwo\n three\n\n   \n# - four"`, "# one\n\n```mermaid\nmindmap\n  n1[\"one\"]\n    n2[\"two\"]\n      n3[\"three\"]\n    n4[\"four\"]\n```\n"},
	} {
		r := newRig(t)
		r.write("n.md", c.note)
		r.must("render_mindmap", `{"path":"maps/m.md",`+c.args+`}`)
		if diff := cmp.Diff(c.want, r.staged("maps/m.md")); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}
