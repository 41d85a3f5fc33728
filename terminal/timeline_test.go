package terminal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/journal"
)

// One line when a tool begins and one when it is over, with its key argument.
//
// Covers: HUM-61
func TestChips(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"README.md","limit":3}`: "read_file README.md",
		`{"limit":3}`:                    "read_file 3",
		`{"paths":["a","b"]}`:            "read_file a, b",
		`{"path":"a","pattern":"b c"}`:   "read_file b c",
		`{}`:                             "read_file",
		``:                               "read_file",
		`{"path": "a`:                    `read_file {"path": "a`,
		`["x"]`:                          `read_file ["x"]`,
		`{"path":"\u001b[2J"}`:           `read_file \x1b[2J`,
	} {
		if got := chipName(rein.ToolCall{Name: "read_file", Args: []byte(args)}); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	ms := 3 * time.Millisecond
	for _, c := range []struct {
		end  rein.StepEnd
		want string
	}{
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "four"}, Duration: ms}, "ok 4 bytes, 3 ms"},
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "four", Handle: "r:1"}, Whole: "much more", Duration: ms}, "ok 4 bytes of 9 bytes, 3 ms"},
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Mended: "coerced"}, Redacted: []string{"key"}, Duration: ms}, "ok 0 bytes, 3 ms, arguments repaired (coerced), secrets removed (key)"},
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, FromPerson: true}}, "ok answered"},
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolRefused, Text: "not allowed"}}, "! refused: not allowed"},
		{rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolUnknown, Text: "cut"}}, "? whether it happened is not known, cut"},
		{rein.StepEnd{Failure: &rein.Failure{Code: rein.CodeBudget, Msg: "spent"}}, "! spent (budget)"},
		{rein.StepEnd{}, "! no result"},
	} {
		chip := plainSigns.chipEnd("read_file", c.end)
		if got := chip.sign + " " + chip.words; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// After a person agreed to a commit its chip says what was written, not what rein added to the call.
//
// Covers: HUM-61
func TestChipOfACommit(t *testing.T) {
	t.Parallel()
	for wrote, want := range map[string]string{
		`{}`:                 "commit_staged_changes",
		`{"changes":"12ab"}`: "commit_staged_changes 12ab",
		`{"household":"x"}`:  "commit_staged_changes home", // the model's own, which was overridden
		`{"changes":`:        "commit_staged_changes",
	} {
		given := `{"household":"home","session":"s","shown":"d","user":"owner"}`
		if strings.Contains(wrote, "12ab") {
			given = `{"changes":"12ab","household":"home","session":"s","shown":"d","user":"owner"}`
		}
		start := &rein.StepStart{Call: &rein.ToolCall{Name: "commit_staged_changes", Args: []byte(wrote)}, Mend: rein.Mend{Mended: "person", Args: []byte(given)}}
		if got := chipName(sent(&journal.Step{Start: start, Mend: start.Mend})); got != want {
			t.Errorf("%s: %q, want %q", wrote, got, want)
		}
	}
	for text, want := range map[string]string{
		`{"ok":true,"id":"r:1","notes":[{"path":"a.md"},{"path":"b.md"}]}`:                                      "ok wrote a.md, b.md, 3 ms",
		`{"ok":true,"id":"r:2","undoes":"r:1","notes":[{"path":"a.md"}]}`:                                       "ok took back a.md, 3 ms",
		`{"ok":true,"notes":[{"path":"a.md"},{"path":"b.md"},{"path":"c.md"},{"path":"d.md"},{"path":"e.md"}]}`: "ok wrote a.md, b.md, c.md and 2 more, 3 ms",
		`{"ok":true,"notes":`: "ok 19 bytes, 3 ms",
	} {
		chip := plainSigns.chipEnd("commit_staged_changes", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: text}, Duration: 3 * time.Millisecond})
		if got := chip.sign + " " + chip.words; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// feedOf plays events and texts to a timeline at a terminal, and returns both outputs as one.
func feedOf(lines ...api.Line) string {
	var out bytes.Buffer
	o := &Output{Stdout: bufio.NewWriter(&out), Stderr: &out, Screen: Screen{Text: true, signs: plainSigns}}
	tl := NewTimeline(o, "r1", TimelineOptions{Tip: func(command string) string { return "`" + command + "`" }})
	for _, l := range lines {
		tl.Line(l)
	}
	o.Stdout.Flush()
	return out.String()
}

func eventLine(kind rein.Kind, run rein.RunID, step rein.StepKey, payload any) api.Line {
	data, _ := json.Marshal(payload)
	return api.Line{Event: &rein.Event{Run: run, Kind: kind, Step: step, Data: data}}
}

func textLine(step rein.StepKey, attempt, offset int, text string) api.Line {
	return api.Line{Delta: &rein.Delta{Run: "r1", Step: step, Attempt: attempt, Offset: offset, Text: text}}
}

// The text of models is shown as it comes, whole and once, whatever the pieces; nothing in it drives
// the terminal.
//
// Covers: SD-11 SD-45
func TestTimelineText(t *testing.T) {
	asked := eventLine(rein.StepStarted, "r1", "1", rein.StepStart{Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}})
	silent := func(phase string) api.Line {
		return eventLine(rein.StepStarted, "r1", "1", rein.StepStart{About: rein.About{Phase: phase}, Prompt: &rein.PromptRecord{}})
	}
	said := func(text string) api.Line {
		return eventLine(rein.StepDone, "r1", "1", rein.StepEnd{Message: &rein.Message{Text: text}})
	}
	for name, c := range map[string]struct {
		lines []api.Line
		want  string
	}{
		"pieces":         {[]api.Line{asked, textLine("1", 1, 0, "Hello, "), textLine("1", 1, 7, "Bob."), said("Hello, Bob.")}, "| Hello, \r| Hello, Bob.\n"},
		"not streamed":   {[]api.Line{asked, said("Hello.")}, "| Hello.\n"},
		"a thought":      {[]api.Line{silent("reason"), said("I look first.")}, "- reason: I look first.\n"},
		"a block":        {[]api.Line{silent("observe"), said("Found it.\n```json\n{\"observation\": \"a {b}\"}\n```")}, "- observe: Found it.\n"},
		"only a block":   {[]api.Line{silent("reason"), said("{\"finish\": false}")}, ""},
		"not for people": {[]api.Line{silent("decide"), said("{}")}, ""},
		"half a rune":    {[]api.Line{asked, textLine("1", 1, 0, "caf\xc3"), textLine("1", 1, 4, "\xa9"), said("café")}, "| caf\r| café\n"},
		"half a line":    {[]api.Line{asked, textLine("1", 1, 0, "a\r"), textLine("1", 1, 2, "\nb"), said("a\r\nb")}, "| a\n| b\n"},
		"controls":       {[]api.Line{asked, textLine("1", 1, 0, "\x1b[2J"), said("\x1b[2J")}, "| \\x1b[2J\n"},
		"missed a part":  {[]api.Line{asked, textLine("1", 1, 0, "Hel"), textLine("1", 1, 5, "o"), said("Hello")}, "| Hel\r| Hello\n"},
		"again":          {[]api.Line{asked, textLine("1", 1, 0, "Hel"), textLine("1", 2, 0, "Bye"), said("Bye.")}, "| Hel\n- again from the start\n| Bye\r| Bye.\n"},
		"redacted":       {[]api.Line{asked, textLine("1", 1, 0, "key abc"), said("key [x]")}, "| key abc\n- what was recorded is different, and counts:\n| key [x]\n"},
		"of a child":     {[]api.Line{eventLine(rein.StepDone, "r1.1", "1", rein.StepEnd{Message: &rein.Message{Text: "inner"}})}, ""},
		"of a summary":   {[]api.Line{textLine("1.summary", 1, 0, "secret thoughts")}, ""},
		"cut by a line": {[]api.Line{
			asked, textLine("1", 1, 0, "I read"),
			eventLine(rein.CommandMessage.EventKind(), "r1", "", rein.Command{Text: "hurry"}),
			textLine("1", 1, 6, " bread.md"), said("I read bread.md"),
		}, "| I read\n- message: hurry\n| bread.md\n"},
		"then a tool": {[]api.Line{
			asked, textLine("1", 1, 0, "Look"),
			eventLine(rein.StepStarted, "r1", "2", rein.StepStart{Call: &rein.ToolCall{Name: "ls"}}),
		}, "| Look\n* ls\n"},
	} {
		if got := feedOf(c.lines...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What happens inside steps and in children is told, with where.
func TestTimelineRemarks(t *testing.T) {
	call := func(run rein.RunID, step rein.StepKey, name string) api.Line {
		return eventLine(rein.StepStarted, run, step, rein.StepStart{Call: &rein.ToolCall{Name: name}})
	}
	result := eventLine(rein.StepDone, "r1", "1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: "x"}})
	folds := rein.StepStart{Prompt: &rein.PromptRecord{}, Folds: &rein.Folded{From: 1, To: 26}}
	forTool := rein.StepStart{About: rein.About{Phase: rein.PhaseConsult}, Prompt: &rein.PromptRecord{}}
	waits := eventLine(rein.StepWaiting, "r1", "1", rein.Waiting{Model: "small", Why: "503"})
	broken := rein.StepEnd{Failure: &rein.Failure{Code: rein.CodeProvider, Msg: "503"}}
	for name, c := range map[string]struct {
		lines []api.Line
		want  string
	}{
		"side by side": {[]api.Line{call("r1", "1", "ls"), call("r1", "2", "cat"), result}, "* ls\n* cat\n  ok ls: 1 byte, 0 ms\n"},
		"child":        {[]api.Line{call("r1.3", "1", "ls")}, "[r1.3] * ls\n"},
		"summary":      {[]api.Line{eventLine(rein.SubStarted, "r1", "1.summary", folds)}, "- summarising 25 older messages\n"},
		"no summary": {
			[]api.Line{eventLine(rein.SubStarted, "r1", "1.summary", folds), eventLine(rein.SubDone, "r1", "1.summary", broken)},
			"- summarising 25 older messages\n- warning: the summary failed, so the run continues with the whole history: 503 (provider)\n",
		},
		"repair": {
			[]api.Line{eventLine(rein.SubStarted, "r1", "1.repair", rein.StepStart{}), eventLine(rein.SubDone, "r1", "1.repair", broken)},
			"- asking the model to repair the arguments\n- the arguments could not be repaired: 503 (provider)\n",
		},
		"consult": {
			[]api.Line{eventLine(rein.SubStarted, "r1", "1.consult", forTool), eventLine(rein.SubDone, "r1", "1.consult", broken)},
			"- asking the model something for the tool\n- the model did not answer the tool: 503 (provider)\n",
		},
		"retry": {[]api.Line{eventLine(rein.StepAttempt, "r1", "1", rein.Attempt{N: 2, Why: "overloaded"})}, "- trying again: overloaded\n"},
		"given up": {
			[]api.Line{
				waits, waits,
				eventLine(rein.StepStarted, "r1", "2", rein.StepStart{Prompt: &rein.PromptRecord{}}), eventLine(rein.StepDone, "r1", "2", broken),
			},
			"- asking small instead: 503\n- asking small instead: for the same reason\n! the model failed: 503 (provider)\n",
		},
		"first try":     {[]api.Line{eventLine(rein.StepAttempt, "r1", "1", rein.Attempt{N: 1})}, ""},
		"blocked":       {[]api.Line{eventLine(rein.RunBlocked, "r1", "", rein.Blocked{Reason: "no flow"})}, "! blocked: no flow\n"},
		"child's start": {[]api.Line{eventLine(rein.RunStarted, "r1.3", "", rein.RunStart{Task: rein.Task{Flow: "chat"}})}, "[r1.3] - started: chat\n"},
	} {
		if got := feedOf(c.lines...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A command that failed does not look like one that worked, though its call did. A call is named by its path, in whatever order
// its arguments are.
func TestChipOfFailedCommand(t *testing.T) {
	for data, want := range map[string]string{
		`{"exit":0}`: plainSigns.ok + " exit code 0", `{"exit":2}`: plainSigns.fail + " exit code 2", `{"ended":"time"}`: plainSigns.fail + " ended by a limit: time", `{"handle":"bg-1"}`: plainSigns.ok + " in the background: bg-1",
	} {
		chip := plainSigns.chipEnd("execute_command", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Data: []byte(data)}, Duration: time.Millisecond})
		if got := chip.sign + " " + chip.words; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	}
	made := rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Data: []byte(`{"exit":0,"obeyed":[".envrc","a/.git\u001b[2J"]}`)}}
	if got := warningOf("execute_command", made); !strings.HasPrefix(got, "LOOK AT .envrc, a/.git") || strings.Contains(got, "\x1b") || warningOf("read_file", made) != "" {
		t.Errorf("%q", got)
	}
	for args, want := range map[string]string{`{"content":"text","path":"a.txt"}`: "write_file a.txt", `{"background":true,"command":"ls"}`: "write_file ls", `{"query":"x","n":1}`: "write_file x"} {
		if got := chipName(rein.ToolCall{Name: "write_file", Args: []byte(args)}); got != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}
