package notes_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
	"rein/model/script"
)

func anyNote(string) bool { return true }

// TestKilledChild is the process that TestKilledAfterTheApproval kills. Its orders are in the
// environment: it runs the story, agrees to the commit, and kills itself there.
func TestKilledChild(t *testing.T) {
	orders := strings.Split(os.Getenv("REIN_NOTES_CHILD"), "|")
	if len(orders) != 3 {
		return // it is no child
	}
	point, dir, db := orders[0], orders[1], orders[2]
	die := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	r := &rig{t: t, dir: dir, onEvent: func(ev rein.Event) {
		if point == "answered" && ev.Kind.Command() == rein.CommandAnswer || point == "intent" && ev.Kind == rein.StepIntent {
			die()
		}
	}}
	r.open(db, anyNote)
	commit := r.tools["commit_staged_changes"]
	do := commit.Do
	commit.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		done, err := do(ctx, inv)
		die()
		return done, err
	}
	r.tools[commit.Name] = commit
	e, stop := r.serve(parsed(t, story), r.tools)
	defer stop()
	r.start(e, "r1", "s1")
	r.approve(e, "r1", r.ask())
	r.wait(e, "r1")
}

func parsed(t *testing.T, text string) *script.Model {
	t.Helper()
	m, err := script.Parse("m", []byte(text))
	check(t, err)
	return m
}

// The process is killed after a person agreed to a commit: before the intent, before the call, or
// before its result was recorded. Then somebody stages more. What the person has not seen is put to
// them; what they have seen is written once; and nothing else ever is.
//
// Covers: HUM-34 LAW-3
// Attack: 50
func TestKilledAfterTheApproval(t *testing.T) {
	for _, point := range []string{"answered", "intent", "written"} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, more is staged %v", point, late), func(t *testing.T) { afterKill(t, point, late) })
		}
	}
}

func afterKill(t *testing.T, point string, late bool) {
	r := &rig{t: t, dir: t.TempDir()}
	r.write("a.md", "one\n")
	db := filepath.Join(t.TempDir(), "rein.db")
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), fmt.Sprintf("REIN_NOTES_CHILD=%s|%s|%s", point, r.dir, db))
	out, err := child.CombinedOutput()
	if err == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended otherwise: %v\n%s", err, out)
	}
	r.open(db, anyNote)
	check(t, r.desk.Recover(t.Context()))
	if late {
		r.stageIn("s1", "late.md", "unseen")
	}
	e, stop := r.serve(parsed(t, story), r.tools)
	defer stop()
	asksAgain := late && point != "written"
	if asksAgain {
		ask := r.ask()
		if ask.Kind != rein.AskApproval || !strings.Contains(ask.Text, "late.md") || len(r.files()) != 1 || r.disk("a.md") != "one\n" {
			t.Errorf("asked %q with %q on the disk", ask.Text, r.files())
		}
		r.approve(e, "r1", ask)
	}
	r.wait(e, "r1")
	if len(r.asks) > 0 {
		t.Errorf("a person is asked: %q", (<-r.asks).Text)
	}
	if r.disk("a.md") != "one\ntwo\n" || strings.Count(r.results("r1"), `ok {"ok":true,"id":"r1:`) != 1 {
		t.Errorf("a.md is %q; %s", r.disk("a.md"), r.results("r1"))
	}
	if onDisk := strings.Contains(strings.Join(r.files(), " "), "late.md"); onDisk != asksAgain {
		t.Errorf("late.md is on the disk: %v", onDisk)
	}
}

// A run was left by a program that did not pin: its commit was approved, or sent, or written. Today's
// program asks again before it writes, and finds what was written.
//
// Covers: HUM-34
func TestApprovedByAnOlderProgram(t *testing.T) {
	for _, point := range []string{"asked", "sent", "written"} {
		t.Run(point, func(t *testing.T) {
			r := newRig(t)
			r.write("a.md", "one\n")
			reached := make(chan struct{})
			e, stop := r.serve(parsed(t, story), r.older(point == "written", reached))
			r.start(e, "r1", "s1")
			ask := r.ask()
			if point != "asked" {
				r.approve(e, "r1", ask)
				<-reached
			}
			stop()
			e, stop = r.serve(parsed(t, story), r.tools)
			defer stop()
			if point == "asked" {
				r.approve(e, "r1", ask)
			}
			if point != "written" {
				again := r.ask()
				if again.Shown == ask.Shown || again.Text != ask.Text || len(r.files()) != 1 {
					t.Errorf("asked %+v with %q on the disk", again, r.files())
				}
				r.approve(e, "r1", again)
			}
			r.wait(e, "r1")
			if r.disk("a.md") != "one\ntwo\n" || len(r.asks) > 0 || strings.Count(r.results("r1"), `ok {"ok":true,"id":"r1:`) != 1 {
				t.Errorf("a.md is %q; %s", r.disk("a.md"), r.results("r1"))
			}
		})
	}
}

// older are the tools as they were before calls were pinned. The commit writes what there is, or does
// not come to that, and then the process ends.
func (r *rig) older(writes bool, reached chan struct{}) map[string]rein.Tool {
	tools := map[string]rein.Tool{}
	for name, tool := range r.tools {
		tools[name] = tool
	}
	commit := tools["commit_staged_changes"]
	show, do := commit.Show, commit.Do
	commit.Pinned = nil
	commit.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		shown, err := show(ctx, inv)
		shown.Pin = nil
		return shown, err
	}
	commit.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if writes {
			check(r.t, r.pin(commit.Name, &inv))
			_, err := do(ctx, inv)
			check(r.t, err)
		}
		close(reached)
		<-ctx.Done()
		return rein.Done{}, ctx.Err()
	}
	tools[commit.Name] = commit
	return tools
}
