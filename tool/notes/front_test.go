package notes_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"rein/tool/notes"
)

// Fields are set and removed where they stand; everything else keeps its bytes.
//
// Covers: HUM-34
// Attack: 43
func TestFrontmatter(t *testing.T) {
	for _, c := range []struct{ name, note, args, want string }{
		{"none", "text\n", `"set":{"b":"x","a":1}`, "---\na: 1\nb: x\n---\ntext\n"},
		{"none to remove", "text", `"remove":["a"]`, "text"},
		{"BOM and CRLF", "\ufeffa\r\nb\r\n", `"set":{"t":["x","y"]}`, "\ufeff---\r\nt:\r\n  - x\r\n  - y\r\n---\r\na\r\nb\r\n"},
		{"empty", "---\n---\ntext", `"set":{"a":true}`, "---\na: true\n---\ntext"},
		{
			"order and comments",
			"---\n# about\ntitle:   'A'  # keep\n\ntags: [a,  b]\n# last\nz: 1\n...\ntext",
			`"set":{"title":"B","new":null}`,
			"---\n# about\ntitle: B # keep\n\ntags: [a,  b]\n# last\nz: 1\nnew: null\n...\ntext",
		},
		{"list", "---\ntags:\n- a\n- b\n\nz: 1\n---\n", `"set":{"tags":["c"]}`, "---\ntags:\n  - c\n\nz: 1\n---\n"},
		{"block text", "---\na: |\n  one\n  # two\n\n  three\nb: 2\n---\n", `"remove":["a"]`, "---\nb: 2\n---\n"},
		{"last", "---\na: 1\nb:\n  c: 2\n  d: 3\n# end\n---\n", `"remove":["b"]`, "---\na: 1\n# end\n---\n"},
		{"all removed", "---\na: 1\n---\ntext", `"remove":["a"]`, "---\n---\ntext"},
		{"CRLF replaced", "---\r\na: 1 # c\r\nb: 2\r\n---\r\n", `"set":{"a":"x"}`, "---\r\na: x # c\r\nb: 2\r\n---\r\n"},
		{"types", "", `"set":{"a":"true","b":"2026-03-01","c":1.50,"d":12345678901234567890,"e":"- x","f":"a: b","g":""}`, "---\na: \"true\"\nb: 2026-03-01\nc: 1.50\nd: 12345678901234567890\ne: '- x'\nf: 'a: b'\ng: \"\"\n---\n"},
		{"odd names", "---\n\"a b\": 1\n日本: 2\n---\n", `"set":{"a b":3,"日本":4,"x: y":5}`, "---\na b: 3\n日本: 4\n'x: y': 5\n---\n"},
		{"nested", "", `"set":{"m":{"b":[1,{"c":"d"}],"a":"x"}}`, "---\nm:\n  a: x\n  b:\n    - 1\n    - c: d\n---\n"},
		{"same", "---\na: 1\n---\n", `"set":{"a":1}`, "---\na: 1\n---\n"},
		{"a text of lines", "---\na: 1\n---\n", `"set":{"a":"x\ny\n---\nz"}`, "---\na: |-\n  x\n  y\n  ---\n  z\n---\n"},
	} {
		r := newRig(t)
		r.write("n.md", c.note)
		r.must("upsert_frontmatter", `{"path":"n.md",`+c.args+`}`)
		if diff := cmp.Diff(c.want, r.staged("n.md")); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// Whatever the front matter, an edit says exactly what was wanted and touches nothing else, or is
// refused; the text below stays to the byte.
func FuzzFrontmatter(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: 2\n", "a: &x [1]\nb: *x\n", "a:\n  - 1\n# c\nb: {c: d}\n", "? a\n: b\n", "a: |\n x\n", "\"a\": 'b' # c\n", "<<: {a: 1}\n",
		"a: 1\r\nb: 2\r\n", "- a\n", "a: !!binary aGk=\n", "1: 2\n", "~: a\n", "a: \"x\n y\"\nb: 1\n", "{a: 1,\n b: 2}\n", "a: b: c\n", "\ta: 1\n",
	} {
		f.Add(seed, "a", `"x"`)
		f.Add(seed, "c", `[1,{"d":null}]`)
	}
	f.Fuzz(func(t *testing.T, lines, name, value string) {
		if !json.Valid([]byte(value)) {
			return
		}
		const body = "---\ntext\r\n---\n  end"
		note := "---\n" + lines + body
		got, err := notes.EditFront(note, map[string]json.RawMessage{name: json.RawMessage(value)}, nil)
		if err != nil {
			return
		}
		if strings.Contains(lines, "---") || strings.Contains(lines, "...") {
			return // it may end earlier
		}
		if !strings.HasSuffix(got, body) || !strings.HasPrefix(got, "---\n") {
			t.Fatalf("the rest of the note was changed: %q became %q", note, got)
		}
		before, after := fields(lines), fields(strings.TrimSuffix(strings.TrimPrefix(got, "---\n"), body))
		delete(before, name)
		if _, ok := after[name]; !ok {
			t.Errorf("%q has no field %q", got, name)
		}
		delete(after, name)
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("other fields were changed: %q became %q", note, got)
		}
	})
}

func fields(source string) map[string]any {
	found := map[string]any{}
	_ = yaml.Unmarshal([]byte(source), &found)
	return found
}
