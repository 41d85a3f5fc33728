package script_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
)

// Covers: ENG-55
func TestFail(t *testing.T) {
	m := parse(t, `when run=a
fail provider "503 overloaded" times=2
cut "half" times=1
say fine
when run=b
fail timeout
when run=c
fail forbidden <<END
no
key
END
when run=d
empty times=1
when run=d
say fell through
`)
	tests := []struct {
		run     rein.RunID
		attempt int
		want    string
	}{
		{"a", 1, "[provider] 503 overloaded"},
		{"a", 2, "[provider] 503 overloaded"},
		{"a", 3, "[provider] the stream broke after 4 bytes: unexpected EOF"},
		{"a", 4, "fine"},
		{"a", 1, "[provider] 503 overloaded"}, // the same call, the same answer
		{"b", 9, "[timeout] scripted failure"},
		{"c", 1, "[forbidden] no\nkey"},
		{"d", 1, ""},
		{"d", 2, "fell through"},
	}
	for _, tt := range tests {
		r := request("user: q")
		r.Run, r.Attempt = tt.run, tt.attempt
		if got := answer(m, r); got != tt.want {
			t.Errorf("run %s attempt %d: %q, want %q", tt.run, tt.attempt, got, tt.want)
		}
	}
	if unused := m.Unused(); unused != nil {
		t.Errorf("unused: %q", unused)
	}
}

// A caller that does not number its attempts is counted, by its step or else by its prompt.
func TestAttemptsAreCounted(t *testing.T) {
	m := parse(t, "when\nfail provider times=1\nsay fine")
	a, b, c := request("user: a"), request("user: b"), request("user: a")
	c.Run, c.Step = "r1", "1"
	for _, r := range []rein.ModelRequest{a, b, c} {
		if got := answer(m, r); !strings.HasPrefix(got, "[provider]") {
			t.Errorf("first attempt: %q", got)
		}
	}
	for _, r := range []rein.ModelRequest{a, b, c} {
		if got := answer(m, r); got != "fine" {
			t.Errorf("second attempt: %q", got)
		}
	}
	if got := m.Calls()[5].Attempt; got != 2 {
		t.Errorf("the last call has attempt %d, want 2", got)
	}
}

func TestNth(t *testing.T) {
	m := parse(t, "when phase=a nth=1\nsay one\nwhen phase=a nth=2\nsay two\nwhen phase=a\nsay more")
	call := func(run rein.RunID, step rein.StepKey) string {
		r := request("user: q")
		r.Phase, r.Run, r.Step = "a", run, step
		return answer(m, r)
	}
	// Runs count apart, and a step that comes again has the number it had.
	got := []string{call("r1", "1"), call("r2", "1"), call("r1", "2"), call("r1", "1"), call("r1", "3"), call("r1", "2")}
	if want := []string{"one", "one", "two", "one", "more", "two"}; !slices.Equal(got, want) {
		t.Errorf("with steps: %q, want %q", got, want)
	}
	got = []string{call("", ""), call("", ""), call("", "")}
	if want := []string{"one", "two", "more"}; !slices.Equal(got, want) {
		t.Errorf("without steps: %q, want %q", got, want)
	}
}

func TestStream(t *testing.T) {
	const text = "Two  words,\n\tand more. "
	for _, tt := range []struct {
		script string
		pieces []string
		err    error
	}{
		{"say <<E\n" + text + "\nE", []string{"Two  ", "words,\n\t", "and ", "more. "}, nil},
		{"say", nil, nil},
		{`cut "so far"`, []string{"so ", "far"}, io.ErrUnexpectedEOF},
	} {
		var got []string
		_, err := parse(t, "when\n"+tt.script).Generate(t.Context(), request(), func(s string) { got = append(got, s) })
		if !errors.Is(err, tt.err) || !slices.Equal(got, tt.pieces) {
			t.Errorf("%s: shown %q, %v; want %q, %v", tt.script, got, err, tt.pieces, tt.err)
		}
	}
}

func TestTime(t *testing.T) {
	tests := []struct {
		name, script string
		limit        time.Duration // of the context
		shown        string
		took         time.Duration
		code         rein.Code
	}{
		{"slow", "slow 2s\nsay a b", time.Minute, "a b", 2 * time.Second, ""},
		{"drip", "drip 1s\nsay a b c", time.Minute, "a b c", 2 * time.Second, ""},
		{"slow failure", "slow 2s\nfail provider", time.Minute, "", 2 * time.Second, rein.CodeProvider},
		{"slow drip cut", "slow 1s\ndrip 1s\ncut `a b`", time.Minute, "a b", 2 * time.Second, rein.CodeProvider},
		{"slow, out of time", "slow 2m\nsay a", time.Minute, "", time.Minute, rein.CodeTimeout},
		{"drip, out of time", "drip 40s\nsay a b c", time.Minute, "a b ", time.Minute, rein.CodeTimeout},
		{"hang", "hang", time.Minute, "", time.Minute, rein.CodeTimeout},
		{"hang once", "hang times=1\nsay a", time.Minute, "", time.Minute, rein.CodeTimeout},
		{"no time at all", "say a", 0, "", 0, rein.CodeTimeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
				defer cancel()
				start, shown := time.Now(), ""
				_, err := parse(t, "when\n"+tt.script).Generate(ctx, request(), func(s string) { shown += s })
				if took := time.Since(start); took != tt.took || shown != tt.shown || rein.CodeOf(err) != tt.code {
					t.Errorf("shown %q after %v, %v; want %q after %v, code %q", shown, took, err, tt.shown, tt.took, tt.code)
				}
				if tt.code == rein.CodeTimeout && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v does not wrap the context's error", err)
				}
			})
		})
	}
}

func TestCancelIsNotATimeout(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := parse(t, "when\nhang")
	m.Hook = func(rein.ModelRequest) { cancel() }
	_, err := m.Generate(ctx, request(), nil)
	if rein.CodeOf(err) != rein.CodeProvider || !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v (%s), want CodeProvider around context.Canceled", err, rein.CodeOf(err))
	}
}
