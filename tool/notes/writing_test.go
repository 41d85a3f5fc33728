package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// The tools have exactly these names; only those that write to the disk ask.
//
// Covers: HUM-34
func TestTools(t *testing.T) {
	r := newRig(t)
	want := []string{
		"write_note", "append_note", "link_notes", "upsert_frontmatter", "render_mindmap",
		"staged_changes", "discard_staged_changes", "commit_staged_changes", "undo_commit",
	}
	if diff := cmp.Diff(want, r.names); diff != "" {
		t.Error(diff)
	}
	for name, tool := range r.tools {
		writes := name == "commit_staged_changes" || name == "undo_commit"
		if tool.Approval != writes || (tool.Effect == rein.Checkable) != writes || (tool.Show != nil) != writes {
			t.Errorf("%s: approval %v, effect %s", name, tool.Approval, tool.Effect)
		}
	}
}

// Text is added at the end of a note or of a section. The rest keeps its bytes: how lines end, the
// mark at the beginning, the missing end of the last line.
//
// Covers: HUM-34
func TestAppend(t *testing.T) {
	for _, c := range []struct{ name, note, section, text, want string }{
		{"end", "a\n", "", "b", "a\nb\n"},
		{"no newline at the end", "a", "", "b\n\n", "a\nb\n"},
		{"empty", "", "", "b", "b\n"},
		{"blank lines stay", "a\n\n\n", "", "b", "a\n\n\nb\n"},
		{"CRLF", "a\r\nb", "", "c\nd", "a\r\nb\r\nc\r\nd\r\n"},
		{"BOM", "\ufeffa\n", "", "b", "\ufeffa\nb\n"},
		{"mixed", "a\r\nb\nc\n", "", "d", "a\r\nb\nc\nd\n"},
		{"section", "# A\none\n\n# B\ntwo\n", "A", "more", "# A\none\nmore\n\n# B\ntwo\n"},
		{"section without a blank line after it", "# A\none\n# B\ntwo\n", "a", "more", "# A\none\nmore\n\n# B\ntwo\n"},
		{"before sections below", "# A\none\n\n## Sub\ntwo\n", "A", "more", "# A\none\nmore\n\n## Sub\ntwo\n"},
		{"sub section", "# A\n## Sub\ntwo\n# B\n## Sub\nthree", "B > Sub", "more", "# A\n## Sub\ntwo\n# B\n## Sub\nthree\nmore\n"},
		{"empty section", "# A\n# B\n", "A", "more", "# A\nmore\n\n# B\n"},
		{"last section, no newline", "# A", "A", "more", "# A\nmore\n"},
		{"CRLF section", "# A\r\none\r\n# B\r\n", "A", "x\ny", "# A\r\none\r\nx\r\ny\r\n\r\n# B\r\n"},
		{"not a heading in code", "# A\n```\n# no\n```\n# B\n", "A", "more", "# A\n```\n# no\n```\nmore\n\n# B\n"},
	} {
		r := newRig(t)
		r.write("n.md", c.note)
		r.must("append_note", fmt.Sprintf(`{"path":"n.md","text":%s,"section":%s}`, quoted(c.text), quoted(c.section)))
		if diff := cmp.Diff(c.want, r.staged("n.md")); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		if r.disk("n.md") != c.note {
			t.Errorf("%s: the disk was touched", c.name)
		}
	}
}

// write_note makes a note, replaces one only if told so, and keeps how its lines end.
func TestWrite(t *testing.T) {
	r := newRig(t)
	got := r.must("write_note", `{"path":"new/n.md","content":"a\nb"}`)
	if !strings.HasPrefix(got, `{"ok":true,"path":"new/n.md","changed":true,"new":true,`) || r.staged("new/n.md") != "a\nb" {
		t.Errorf("%s", got)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "new")); err == nil {
		t.Error("the disk was touched")
	}
	_, err := r.call("write_note", `{"path":"new/n.md","content":"c"}`)
	if rein.CodeOf(err) != rein.CodeConflict || !strings.HasPrefix(err.Error(), `{"ok":false,"code":"conflict","error":"\"new/n.md\" exists`) {
		t.Errorf("a staged note is written over: %v", err)
	}
	r.write("old.md", "\ufeffa\r\nb\r\n")
	r.must("write_note", `{"path":"old.md","content":"c\nd\n","overwrite":true}`)
	if got := r.staged("old.md"); got != "\ufeffc\r\nd\r\n" {
		t.Errorf("%q", got)
	}
	if got := r.must("write_note", `{"path":"old.md","content":"a\nb\n","overwrite":true}`); !strings.Contains(got, `"changed":false`) {
		t.Errorf("%s", got)
	}
}

// A link goes below "Related" or a section, once, and can be read by note programs whatever the name.
func TestLink(t *testing.T) {
	for _, c := range []struct{ name, note, args, want string }{
		{"no heading", "text\n", `"to":"dir/B.md"`, "text\n\n## Related\n\n- [[dir/B|B]]\n"},
		{"no newline", "text", `"to":"dir/B.md","alias":"the B"`, "text\n\n## Related\n\n- [[dir/B|the B]]\n"},
		{"empty note", "", `"to":"C.md"`, "## Related\n\n- [[C]]\n"},
		{"heading", "## Related\n- [[C]]\n\n# End\n", `"to":"dir/B.md"`, "## Related\n- [[C]]\n- [[dir/B|B]]\n\n# End\n"},
		{"empty heading", "## Related\n", `"to":"C.md"`, "## Related\n\n- [[C]]\n"},
		{"there by path", "## related\n* [[dir/B]]\n", `"to":"dir/B.md"`, "## related\n* [[dir/B]]\n"},
		{"there by name", "## Related\nSee [[B#Part|x]].\n", `"to":"dir/B.md"`, "## Related\nSee [[B#Part|x]].\n"},
		{"there as Markdown", "## Related\n[x](dir/B.md)\n", `"to":"dir/B.md"`, "## Related\n[x](dir/B.md)\n"},
		{"elsewhere", "See [[C]].\n", `"to":"C.md"`, "See [[C]].\n\n## Related\n\n- [[C]]\n"},
		{"section", "# One\n\n# Two\n", `"to":"C.md","section":"One"`, "# One\n\n- [[C]]\n\n# Two\n"},
		{"a name that is no wikilink", "", `"to":"a [b] #1.md"`, "## Related\n\n- [a \\[b\\] #1](a%20%5Bb%5D%20%231.md)\n"},
		{"CRLF", "a\r\nb\r\n", `"to":"C.md"`, "a\r\nb\r\n\r\n## Related\r\n\r\n- [[C]]\r\n"},
	} {
		r := newRig(t)
		for _, path := range []string{"dir/B.md", "C.md", "a [b] #1.md"} {
			r.write(path, "x")
		}
		r.write("A.md", c.note)
		for range 2 {
			r.must("link_notes", `{"from":"A.md",`+c.args+`}`)
		}
		if diff := cmp.Diff(c.want, r.staged("A.md")); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// What cannot be done says why and what would be right, as JSON, and nothing is staged.
//
// Covers: HUM-34 HUM-41/notes
func TestRefused(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "# One\n## Two\n")
	r.write("binary.md", "\xff\xfe\x00")
	r.write("bad.md", "---\na: [\n---\n")
	r.write("open.md", "---\na: 1\n")
	r.write("list.md", "---\n- a\n---\n")
	r.write("twice.md", "---\na: 1\na: 2\n---\n")
	r.write("flow.md", "---\n{a: 1}\n---\n")
	r.write("private/p.md", "secret")
	r.write("dir.md/x.md", "")
	for _, c := range [][3]string{
		{"write_note", `{"path":"../a.md","content":""}`, "outside the vault"},
		{"write_note", `{"path":"/etc/a.md","content":""}`, "outside the vault"},
		{"write_note", `{"path":".obsidian/a.md","content":""}`, "is hidden"},
		{"write_note", `{"path":"a.txt","content":""}`, "must end in .md"},
		{"write_note", `{"path":"private/new.md","content":""}`, "may not be used"},
		{"write_note", `{"path":"x/../private/new.md","content":""}`, "may not be used"},
		{"write_note", `{"path":"dir.md","content":""}`, "is a folder"},
		{"write_note", `{"path":"b.md","content":"a\u0000"}`, "NUL"},
		{"write_note", `{"path":"binary.md","content":"a","overwrite":true}`, "not UTF-8"},
		{"append_note", `{"path":"none.md","text":"x"}`, "write_note makes a new note"},
		{"append_note", `{"path":"a.md","text":"x","section":"Three"}`, `it has: [\"One\" \"Two\"]`},
		{"append_note", `{"path":"a.md","text":"  \n"}`, "blank"},
		{"append_note", `{"path":"private/p.md","text":"x"}`, "may not be used"},
		{"append_note", `{"path":"binary.md","text":"x"}`, "not UTF-8"},
		{"link_notes", `{"from":"a.md","to":"none.md"}`, "lead nowhere"},
		{"link_notes", `{"from":"a.md","to":"private/p.md"}`, "may not be used"},
		{"link_notes", `{"from":"a.md","to":"./a.md"}`, "to itself"},
		{"link_notes", `{"from":"a.md","to":"list.md","alias":"a]]b"}`, "alias"},
		{"link_notes", `{"from":"a.md","to":"list.md","section":"x"}`, "no section"},
		{"upsert_frontmatter", `{"path":"bad.md","set":{"b":1}}`, "malformed"},
		{"upsert_frontmatter", `{"path":"open.md","set":{"b":1}}`, "has no end"},
		{"upsert_frontmatter", `{"path":"list.md","set":{"b":1}}`, "must be fields with values"},
		{"upsert_frontmatter", `{"path":"twice.md","set":{"b":1}}`, "malformed"},
		{"upsert_frontmatter", `{"path":"flow.md","set":{"b":1}}`, "safely"},
		{"upsert_frontmatter", `{"path":"a.md"}`, "1 to 100 fields"},
		{"upsert_frontmatter", `{"path":"a.md","set":{"b":1},"remove":["b"]}`, "both set and removed"},
		{"upsert_frontmatter", `{"path":"a.md","set":{"b\nc":1}}`, "no name of a field"},
		{"upsert_frontmatter", `{"path":"private/p.md","set":{"b":1}}`, "may not be used"},
		{"render_mindmap", `{"path":"m.md"}`, "either a note or an outline"},
		{"render_mindmap", `{"path":"m.md","note":"a.md","outline":"x"}`, "either a note or an outline"},
		{"render_mindmap", `{"path":"m.md","note":"private/p.md"}`, "may not be used"},
		{"render_mindmap", `{"path":"a.md","outline":"x"}`, "exists"},
		{"render_mindmap", `{"path":"m.md","outline":` + quoted(strings.Repeat("x\n", 501)) + `}`, "more than 500"},
		{"discard_staged_changes", `{"paths":["a.md"]}`, "is not staged"},
	} {
		_, err := r.call(c[0], c[1])
		if err == nil || !strings.Contains(err.Error(), c[2]) || !strings.HasPrefix(err.Error(), `{"ok":false,"code":"`) {
			t.Errorf("%s %.60s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
	for name, want := range map[string]string{"commit_staged_changes": "nothing is staged", "undo_commit": `there is no commit "r9:9"`} {
		if _, err := r.shown(name, `{"id":"r9:9"}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is shown: %v, want %q", name, err, want)
		}
	}
	if got := r.must("staged_changes", `{}`); got != `{"ok":true,"notes":[],"diff":"Nothing is staged."}` {
		t.Error(got)
	}
	for _, name := range r.names {
		_, err := r.tools[name].Do(t.Context(), rein.Invocation{Key: "k", Args: []byte(`{"path":"a.md","content":"","text":"x","from":"a.md","to":"bad.md","set":{"a":1},"outline":"x","id":"x"}`)})
		if err == nil {
			t.Errorf("%s works for nobody", name)
		}
	}
}

// A change builds on what is staged, the diff shows all of it, and what is discarded is gone.
func TestStagedChanges(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "one\n")
	r.must("append_note", `{"path":"a.md","text":"two"}`)
	r.must("append_note", `{"path":"a.md","text":"three"}`)
	r.must("upsert_frontmatter", `{"path":"a.md","set":{"done":true}}`)
	r.must("write_note", `{"path":"b.md","content":"b\n"}`)
	r.must("link_notes", `{"from":"b.md","to":"a.md"}`)
	got := r.must("staged_changes", `{}`)
	for _, want := range []string{`"notes":[{"path":"a.md"},{"path":"b.md","new":true}]`, `+---\n+done: true\n+---\n one\n+two\n+three\n`, `+- [[a]]\n`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	r.must("discard_staged_changes", `{"paths":["./a.md"]}`)
	if got := r.staged("a.md"); got != "one\n" {
		t.Errorf("%q", got)
	}
	if got := r.must("discard_staged_changes", `{}`); got != `{"ok":true,"discarded":["b.md"]}` {
		t.Error(got)
	}
	if !slices.Equal([]string{"a.md"}, r.files()) {
		t.Errorf("the disk was touched: %q", r.files())
	}
}

func (r *rig) files() []string {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	check(r.t, err)
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	return slices.DeleteFunc(files, func(name string) bool { return name == ".rein" })
}
