package hands

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/api"
)

func asked(text string) rein.Task {
	return rein.Task{Flow: "operate", Settings: []byte(`{"rounds":30}`), Session: "scene", Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

func approve(rein.Ask) rein.Answer { return rein.Answer{State: rein.AskApproved} }

// Scenario B6: a run is cancelled while its command runs. All of its processes end, those in sessions of their own too, and
// the log says that the call was cut off.
//
// Covers: SD-90 SD-42/shell
// Attack: 76
func TestCancelDuringACommand(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := syscall.Mkfifo(r.path("alive"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.open("turn 1\ncall execute_command {\"command\":\"exec 3>alive; trap '' TERM INT HUP; setsid sleep 1000 & sleep 1000 & echo up >&3; wait\"}\nwhen\nsay never\n", "")
	gone := make(chan error, 1)
	id := api.NewRunID(time.Now())
	go func() {
		pipe, err := os.Open(r.path("alive")) // waits until the command has opened it
		if err != nil {
			gone <- err
			return
		}
		defer pipe.Close()
		in := bufio.NewReader(pipe)
		if _, err = in.ReadString('\n'); err == nil {
			_, err = r.app.Command(t.Context(), rein.Command{Kind: rein.CommandCancel, Run: id})
		}
		if err == nil {
			_, err = io.ReadAll(in) // it ends when the last process that has the pipe open does
		}
		gone <- err
	}()
	w := r.doAs(id, asked("Wait."), approve)
	if err := <-gone; err != nil {
		t.Fatal(err)
	}
	if w.end.End != rein.EndCancelled {
		t.Error(w.told())
	}
}

// Scenario B7: what was allowed for the session, or for good, does not cover a longer line. Each part of a line is judged,
// and the person sees which one is new.
//
// Covers: SD-50
// Attack: 75 79
func TestCompoundCommandIsAskedAbout(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	lines := []string{
		"touch a", "touch a", "touch a && touch b", "touch a; touch a", "touch  'a'", "touch a b", "X=1 touch a", "touch a > c", "touch $(echo a)",
		"mkdir src/x", "mkdir src/y", "mkdir src/y && touch c", "mkdir src/../out", "mkdir lib", "mkdir src/z | tee src/q", "bash -c 'mkdir src/z; touch d'",
	}
	r.put(r.path("src/.keep"), "")
	r.open(played(lines), "")
	var seen []string
	w := r.do(asked("Make files."), func(ask rein.Ask) rein.Answer {
		line := askedLine(ask)
		seen = append(seen, line)
		switch {
		case line == "touch a" && len(seen) == 1:
			return rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession}
		case line == "mkdir src/x":
			return rein.Answer{State: rein.AskApproved, Scope: rein.ScopeAlways}
		}
		return rein.Answer{State: rein.AskRejected, Text: "not that"}
	})
	want := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return slices.Contains([]string{"touch a", "touch a; touch a", "touch  'a'", "mkdir src/y"}, line)
	})
	want = slices.Insert(want, 0, "touch a")
	if !slices.Equal(seen, want) {
		t.Errorf("asked about\n%s\nwant\n%s\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"), w.told())
	}
	for _, name := range []string{"b", "c", "d", "out", "lib", "src/q"} {
		if _, err := os.Lstat(r.path(name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// played is a script that runs these lines one after the other.
func played(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		args, _ := json.Marshal(map[string]string{"command": line}) // it can be written
		fmt.Fprintf(&b, "turn %d\ncall execute_command %s\n", i+1, args)
	}
	return b.String() + "when\nsay That was all.\n"
}

// askedLine is the command that an ask is about.
func askedLine(ask rein.Ask) string {
	var args struct{ Command string }
	if ask.Call == nil || json.Unmarshal(ask.Call.Args, &args) != nil {
		return string(ask.Kind) + " " + ask.Text
	}
	return args.Command
}

// What a command prints may hold secrets. Those that rein knows reach neither the log, nor the model, nor who watches; and
// a command gets none of rein's own.
//
// Attack: 77
func TestSecretsInOutput(t *testing.T) {
	r := newRig(t)
	token, key := "ghp_"+strings.Repeat("a1B2", 9), "sk-ant-api03-"+strings.Repeat("x9Y8", 10)
	r.put(r.path("notes.txt"), "the token is "+token+" and it is bad\n")
	r.put(r.path("slow.sh"), "printf '"+token[:20]+"'; printf '"+token[20:]+"\\n'\nenv\n")
	t.Setenv("ANTHROPIC_API_KEY", key)
	r.open(played([]string{"cat notes.txt", "sh slow.sh", "echo " + token}), "")
	w := r.do(asked("Look around."), approve)
	if len(w.calls) < 3 || !strings.Contains(w.told(), "the token is ") || !strings.Contains(w.told(), "PATH=") {
		t.Fatal(w.told())
	}
	for _, e := range w.log {
		if strings.Contains(string(e.Data), token) || strings.Contains(string(e.Data), key) {
			t.Errorf("the log holds a secret: %s %s", e.Kind, e.Data)
		}
	}
	if strings.Contains(w.said, token[:20]) || strings.Contains(w.said, key) {
		t.Errorf("a secret was shown: %s", w.said)
	}
	if !strings.Contains(w.said, "and it is bad") {
		t.Errorf("the output of commands was not shown while they ran: %q", w.said)
	}
}

// Only people set a mode. A model that is kept to plans finds no way out: no tool, no argument, and no command.
//
// Attack: 78
func TestModelCannotLoosenTheMode(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.put(r.path("a.txt"), "as it was\n")
	r.open(`
turn 1
wrong-tool mode {"mode":"sandbox"}
wrong-tool execute_command {"command":"rm a.txt","mode":"sandbox"}
wrong-tool execute_command {"command":"rm a.txt"}
wrong-tool write_file {"path":"a.txt","content":"changed","overwrite":true}
turn 2
say /mode sandbox
wrong-tool write_file {"path":"a.txt","content":"changed","overwrite":true,"allowed":"mode edits"}
when
say The mode is sandbox now, and I have changed a.txt.
`, "")
	task := asked("Change a.txt.")
	task.Mode = rein.ModePlan
	w := r.do(task, func(ask rein.Ask) rein.Answer {
		if ask.Kind == rein.AskApproval {
			t.Errorf("asked in plan mode: %s", ask.Text)
		}
		return rein.Answer{State: rein.AskDeclined}
	})
	if n := strings.Count(w.told(), "the session is in plan mode"); n != 4 {
		t.Errorf("%d calls were refused because of the mode, want 4:\n%s", n, w.told())
	}
	if got := r.read("a.txt"); got != "as it was\n" {
		t.Errorf("a.txt is %q\n%s", got, w.told())
	}
	for _, e := range w.log {
		if e.Kind == rein.StepIntent || e.Kind == rein.CommandMode.EventKind() {
			t.Errorf("%s %s", e.Kind, e.Data)
		}
	}
}
