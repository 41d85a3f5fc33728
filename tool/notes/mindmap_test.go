package notes_test

import (
	"regexp"
	"strings"
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

// What a label says is text to whoever draws the map: no HTML, no directive, no link, no line of its
// own, in either format.
//
// Attack: 44
func TestMindmapLabelsAreText(t *testing.T) {
	nasty := []string{
		`<img src=x onerror=alert(1)>`, `</span><script>alert(1)</script>`, `a<br/>b`, `&lt;img src=x onerror=alert(1)&gt;`, `#lt;b#gt; #60;`, `&#60;b&#62;`,
		`%%{init: {"securityLevel":"loose"}}%%`, `%%{ init : {'theme':'dark'} }%%`, `%%%{init: {}}%%`, `%% a comment`, `x %%{wrap}%%`,
		`click n1 "javascript:alert(1)"`, `n1 --> n2; click n1 href "https://x.org"`, `"] n9["out`, "`**bold** <b>`", `$$\\href{javascript:alert(1)}{x}$$`,
		`[a](javascript:alert(1))`, `![p](https://x.org/p.png)`, `\\[a](javascript:alert(1))`, `<https://x.org>`, `[a]: https://x.org`, "a\u2028b", `::icon(fa fa-x)`, `:::red`, `1. one`, `[[Note|label]]`,
	}
	outline := strings.ReplaceAll(strings.ReplaceAll("Root\\n  "+strings.Join(nasty, "\\n  "), `\\\\`, "\x00"), `"`, `\"`)
	outline = strings.ReplaceAll(outline, "\x00", `\\\\`)
	for format, bad := range map[string]*regexp.Regexp{
		"mermaid": regexp.MustCompile(`<|>|%%|%\{|&#?\w+;|\$\$|"\S[^\n]*"[^\]\n]`),
		"markmap": regexp.MustCompile("<|%%|`|(?:^|[^\\\\])(?:\\\\\\\\)*[\\[\\]]|\\$\\$"),
	} {
		r := newRig(t)
		r.must("render_mindmap", `{"path":"m.md","format":"`+format+`","outline":"`+outline+`"}`)
		lines := strings.Split(strings.TrimSpace(r.staged("m.md")), "\n")
		drawn := lines[5:] // without the head and the root
		if format == "mermaid" {
			drawn = drawn[:len(drawn)-1]
		} else {
			drawn = lines[7:]
		}
		if len(drawn) != len(nasty) {
			t.Errorf("%s: %d labels became %d lines", format, len(nasty), len(drawn))
		}
		for _, line := range drawn {
			if m := bad.FindString(line); m != "" {
				t.Errorf("%s: %q comes through: %s", format, m, line)
			}
		}
	}
}
