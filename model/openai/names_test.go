package openai

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var allowedName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func checkNames(t *testing.T, all []string) {
	t.Helper()
	n := mapNames(slices.Clone(all))
	for _, name := range all {
		as := n.to(name)
		if !allowedName.MatchString(as) {
			t.Errorf("%q is spelled %q", name, as)
		}
		if name != "" && n.from(as) != name {
			t.Errorf("%q is spelled %q, which is %q", name, as, n.from(as))
		}
		if allowedName.MatchString(name) && as != name {
			t.Errorf("%q is allowed, and spelled %q", name, as)
		}
	}
	slices.Reverse(all)
	again := mapNames(slices.Clone(all))
	for _, name := range all {
		if n.to(name) != again.to(name) {
			t.Errorf("%q depends on the order", name)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 70)
	checkNames(t, []string{"notes.read", "notes_read", "notes/read", "time", long, long + "y", "é", "ü", "", "a b"})
	n := mapNames([]string{"notes.read", "time"})
	if n.to("notes.read") != "notes-read" || n.from("notes-read") != "notes.read" || n.from("made_up") != "made_up" {
		t.Errorf("%v", n)
	}
	// A tool that is called as the digest spelling of others keeps its name.
	taken := mapNames([]string{"a/b", "a_b"}).to("a/b")
	checkNames(t, []string{"a/b", "a_b", taken})
}

func FuzzNames(f *testing.F) {
	f.Add("a.b\na_b\na/b")
	f.Fuzz(func(t *testing.T, s string) { checkNames(t, strings.Split(s, "\n")) })
}

// No answer makes a reader panic.
func FuzzAnswers(f *testing.F) {
	for _, e := range builtin() {
		f.Add(e.Response)
	}
	f.Add(eventsOf(delta(`{"content":[{"type":"thinking","thinking":[1]},{"type":"thinking","thinking":"x"}]}`)))
	f.Add(eventsOf(delta(`{"reasoning_details":[{"type":"a"},{"type":{}}]}`), delta(`{"reasoning_details":[{"type":{}}]}`)))
	f.Fuzz(func(t *testing.T, body string) {
		for _, data := range append(strings.Split(body, "\n\ndata: "), body) {
			for _, r := range []reader{
				&chatReader{show: func(string) {}}, &responsesReader{show: func(string) {}}, &embedReader{},
			} {
				if r.whole([]byte(data)) == nil {
					_, _ = r.reply()
				}
				_, _ = r.event([]byte(data))
				_, _ = r.event([]byte(data))
				_, _ = r.reply()
			}
			_, _ = parseFault([]byte(data)).sort()
		}
	})
}
