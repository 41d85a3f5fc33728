package edit_test

import (
	"bytes"
	"strings"
	"testing"

	"rein"
	"rein/tool/files/edit"
)

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		edits            []edit.Edit
	}{
		{"one", "a\nb\nc\n", "a\nx\nc\n", []edit.Edit{{Old: "b", New: "x"}}},
		{"each on what the one before made", "a\n", "c\n", []edit.Edit{{Old: "a", New: "b"}, {Old: "b", New: "c"}}},
		{"all", "a a a", "b b b", []edit.Edit{{Old: "a", New: "b", All: true}}},
		{"removed", "a\nb\n", "a\n", []edit.Edit{{Old: "b\n"}}},
		{"CR LF stays", "a\r\nb\r\n", "a\r\nx\r\ny\r\n", []edit.Edit{{Old: "a\nb\n", New: "a\nx\ny\n"}}},
		{"CR LF in the edit too", "a\r\nb\r\n", "x\r\nb\r\n", []edit.Edit{{Old: "a\r\nb", New: "x\nb"}}},
		{"both line ends", "a\r\nb\nc\n", "a\r\nx\nc\n", []edit.Edit{{Old: "b\n", New: "x\n"}}},
		{"the mark stays", "\ufeffa\n", "\ufeffb\n", []edit.Edit{{Old: "a", New: "b"}}},
		{"no newline at the end", "a\nb", "a\nc", []edit.Edit{{Old: "b", New: "c"}}},
	} {
		got, err := edit.Apply([]byte(c.text), c.edits)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q %v, want %q", c.name, got, err, c.want)
		}
	}
}

// An edit that does not fit says what is there instead, and nothing is changed.
func TestNotFound(t *testing.T) {
	text := "package a\n\nfunc one() {\n\tx := \"1\"  \n\treturn x\n}\n\nfunc two() {\n    y := 2\n}\n"
	for _, c := range []struct {
		name, text, old string
		words           []string
	}{
		{"tabs", text, "func one() {\n    x := \"1\"  \n    return x\n}", []string{"lines are 3-6", "beginning of lines: the file has tabs, old has spaces", `- ` + strings.Repeat(" ", 7) + `"    return x"`, `+      5 "\treturn x"`}},
		{"spaces", text, "\ty := 2", []string{"lines are 9", "the file has spaces, old has tabs"}},
		{"the end of a line", text, "\tx := \"1\"\n\treturn x", []string{"4-5", "white space at the end of lines"}},
		{"quotes", text, "x := “1”  \n\treturn x", []string{"4-5"}},
		{"only quotes", "say \"it\"\n", "say ‘it’", []string{"differ in quotes"}},
		{"case", text, "func Two() {", []string{"lines are 8", "upper and lower case"}},
		{"line ends", "a\r\nb\nc\n", "a\nb", []string{"1-2", "CR LF"}},
		{"one word", text, "func two(a int) {\n    y := 2\n}", []string{"8-10", "- " + strings.Repeat(" ", 7) + "func two(a int) {", "+      8 func two() {"}},
		{"like none", text, "something else entirely", []string{"No line of the file is like it"}},
		{"like one", text, "\treturn xs", []string{"lines are 5"}},
		{"the last newline", "a\nb", "b\n", []string{"lines are 2", "the end of the last line"}},
		{"empty", "", "b", []string{"No line"}},
	} {
		got, err := edit.Apply([]byte(c.text), []edit.Edit{{Old: c.old, New: "new"}})
		if rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%s: %q %v", c.name, got, err)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v\nwant %q", c.name, err, word)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	many := make([]edit.Edit, edit.MaxEdits+1)
	for name, c := range map[string]struct {
		text  string
		edits []edit.Edit
		code  rein.Code
		words string
	}{
		"twice":          {"a\nb\na\n", []edit.Edit{{Old: "a", New: "x"}}, rein.CodeConflict, "2 times (at lines 1, 3)"},
		"overlapping":    {"aaa", []edit.Edit{{Old: "aa", New: "x"}}, rein.CodeConflict, "2 times"},
		"a thousand":     {strings.Repeat("a\n", 5000), []edit.Edit{{Old: "a", New: "x"}}, rein.CodeConflict, "1000 times or more (at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)"},
		"the second":     {"a\n", []edit.Edit{{Old: "a", New: "b"}, {Old: "z", New: "b"}}, rein.CodeNotFound, "edit 2 of 2 (nothing was changed)"},
		"empty":          {"a", []edit.Edit{{New: "b"}}, rein.CodeInvalid, "old is empty"},
		"same":           {"a", []edit.Edit{{Old: "a", New: "a"}}, rein.CodeInvalid, "the same"},
		"there and back": {"a", []edit.Edit{{Old: "a", New: "b"}, {Old: "b", New: "a"}}, rein.CodeInvalid, "as it is"},
		"none":           {"a", nil, rein.CodeInvalid, "1 to 100"},
		"many":           {"a", many, rein.CodeInvalid, "1 to 100"},
		"not text":       {"\xff", []edit.Edit{{Old: "a", New: "b"}}, rein.CodeInvalid, "not UTF-8"},
		"NUL":            {"a\x00", []edit.Edit{{Old: "a", New: "b"}}, rein.CodeInvalid, "not UTF-8"},
		"NUL in new":     {"a", []edit.Edit{{Old: "a", New: "\x00"}}, rein.CodeInvalid, "not UTF-8"},
		"large":          {strings.Repeat("a", edit.MaxBytes+1), []edit.Edit{{Old: "a", New: "b"}}, rein.CodeLimit, "8 MiB"},
		"grown":          {strings.Repeat("a", 1<<20), []edit.Edit{{Old: "a", New: strings.Repeat("b", 100), All: true}}, rein.CodeLimit, "8 MiB"},
	} {
		if got, err := edit.Apply([]byte(c.text), c.edits); rein.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %.100q %v", name, got, err)
		}
	}
}

func TestAs(t *testing.T) {
	for _, c := range [][3]string{
		{"a\r\n", "x\ny\n", "x\r\ny\r\n"},
		{"a\r\n", "x\r\ny\n", "x\r\ny\n"},
		{"a\r\nb\n", "x\n", "x\n"},
		{"\ufeffa\n", "x\n", "\ufeffx\n"},
		{"\ufeffa\r\n", "\ufeffx\n", "\ufeffx\r\n"},
		{"", "x\n", "x\n"},
	} {
		if got := edit.As(c[0], c[1]); got != c[2] {
			t.Errorf("%q as %q: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

// Whatever the edit, it is an error, or the text without its part and with the new one.
func FuzzApply(f *testing.F) {
	f.Add("a\r\nb\r\n", "a\n", "x", false)
	f.Add("\ufeff\tx\n", "  x", "", true)
	f.Fuzz(func(t *testing.T, text, old, new string, all bool) {
		got, err := edit.Apply([]byte(text), []edit.Edit{{old, new, all}})
		again, err2 := edit.Apply([]byte(text), []edit.Edit{{old, new, all}})
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() || !bytes.Equal(got, again) {
			t.Errorf("%q %v\n%q %v", got, err, again, err2)
		}
		if err == nil && !all && !strings.Contains(text, "\r\n") {
			if want := strings.Replace(text, old, new, 1); string(got) != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}
