package cli

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// Lines for people have what belongs to them, nothing that is empty, and nothing that a terminal
// would obey or that is secret.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	redact := func(text string) string { return strings.ReplaceAll(text, "hunter2", "[redacted]") }
	log := slog.New(&lines{out: &out, mu: &sync.Mutex{}, level: slog.LevelWarn, redact: redact})
	log.Info("not told")
	log.With("part", "web hooks").WithGroup("to").Warn("it\x1b[2J failed", "user", "", "secret", "hunter2", slog.Group("a", "b", 1))
	log.Error("worse", "error", errors.New("two\nlines"))
	got := strings.Split(out.String(), "\n")
	want := []string{` warning: it\x1b[2J failed part="web hooks" to.secret=[redacted] to.a.b=1`, ` error: worse error="two\nlines"`, ""}
	if len(got) != len(want) {
		t.Fatalf("the log is %q", got)
	}
	for i := range want {
		if !strings.HasSuffix(got[i], want[i]) {
			t.Errorf("line %d is %q, want %q", i, got[i], want[i])
		}
	}
}
