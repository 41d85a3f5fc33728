package engine

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"rein"
	"rein/engine/guard"
)

// heard collects what a tool shows.
func heard(t *testing.T) (*utterance, func() []rein.Delta) {
	t.Helper()
	redactor, err := guard.NewRedactor(nil, map[string]string{"BADGE": "hunter2-hunter2"})
	if err != nil {
		t.Fatal(err)
	}
	var deltas []rein.Delta
	u := &utterance{tell: func(d rein.Delta) { deltas = append(deltas, d) }, stream: redactor.Stream(), delta: rein.Delta{Run: "r", Step: "3", Attempt: 1, Output: true}}
	return u, func() []rein.Delta {
		u.mu.Lock()
		defer u.mu.Unlock()
		return deltas
	}
}

func whole(t *testing.T, deltas []rein.Delta) string {
	t.Helper()
	var b strings.Builder
	for _, d := range deltas {
		if d.Offset != b.Len() || !d.Output || d.Step != "3" || !utf8.ValidString(d.Text) {
			t.Errorf("%+v after %d bytes", d, b.Len())
		}
		b.WriteString(d.Text)
	}
	return b.String()
}

// What a tool says is shown at once, without secrets, in valid UTF-8, however it is cut.
func TestToolSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u, deltas := heard(t)
		u.say("first\n")
		if got := whole(t, deltas()); got != "first\n" {
			t.Errorf("at once: %q", got)
		}
		for _, piece := range []string{"caf\xc3", "\xa9 \xff bad\n", "hunter2-", "hunter2", "\nlast\n"} {
			u.say(piece)
			time.Sleep(2 * uttering)
		}
		u.close()
		if got, want := whole(t, deltas()), "first\ncafé \uFFFD bad\n[redacted: BADGE]\nlast\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		n := len(deltas())
		u.say("after its end")
		time.Sleep(2 * uttering)
		if len(deltas()) != n {
			t.Errorf("it was shown: %+v", deltas()[n:])
		}
	})
}

// A tool that says much is shown in few pieces, and only the beginning of it.
func TestToolSaysMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u, deltas := heard(t)
		for range 1000 {
			u.say("a line\n")
		}
		if n := len(deltas()); n != 1 {
			t.Errorf("%d pieces in one moment", n)
		}
		time.Sleep(2 * uttering)
		if got := whole(t, deltas()); len(got) != 7000 || len(deltas()) != 2 {
			t.Errorf("%d bytes in %d pieces", len(got), len(deltas()))
		}
		for range 40 {
			u.say(strings.Repeat("0123456789abcde\n", 4096))
			time.Sleep(2 * uttering)
		}
		u.close()
		got := whole(t, deltas())
		if len(got) > maxUttered+1000 || !strings.HasSuffix(got, "[more output is not shown while it comes]\n") {
			t.Errorf("%d bytes, at the end %q", len(got), got[len(got)-100:])
		}
	})
}
