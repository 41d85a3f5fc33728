package terminal

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// The chip of a command says how it ended.
func TestChipOfACommand(t *testing.T) {
	for data, want := range map[string]string{
		`{"exit":3,"cwd":"."}`: "exit code 3, 2.0 s", `{"exit":0,"handle":"bg-1"}`: "in the background: bg-1, 2.0 s", `{"exit":137,"ended":"time"}`: "ended by a limit: time, 2.0 s", ``: "4 bytes, 2.0 s",
	} {
		end := rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "text", Data: []byte(data)}, Duration: 2 * time.Second}
		if got := plainSigns.chipEnd("execute_command", end).words; got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

// The output of a tool goes to standard error in whole lines, apart from the answer, and nothing in it moves the cursor.
//
// Covers: SD-90
func TestOutputOfTools(t *testing.T) {
	var answer, aside bytes.Buffer
	out := &Output{Stdout: bufio.NewWriter(&answer), Stderr: &aside, Screen: Screen{Text: true, signs: plainSigns}}
	tl := NewTimeline(out, "r", TimelineOptions{Tip: func(s string) string { return s }})
	offset := 0
	say := func(text string) {
		tl.Line(api.Line{Delta: &rein.Delta{Run: "r", Step: "2", Attempt: 1, Offset: offset, Text: text, Output: true}})
		offset += len(text)
	}
	say("one\ntw")
	if got := aside.String(); !strings.Contains(got, "one") || strings.Contains(got, "tw") {
		t.Errorf("%q", got)
	}
	say("o\n10%\r50%\r100%\n\x1b[2Jhalf")
	tl.outputOver(stepOf{"r", "2"})
	_ = out.Stdout.Flush()
	got := aside.String()
	for _, want := range []string{"two\n", "100%\n", "half\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "\x1b[2J") || strings.Contains(got, "50%") || answer.Len() > 0 {
		t.Errorf("%q and %q", got, answer.String())
	}
}
