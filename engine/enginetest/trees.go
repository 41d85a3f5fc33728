package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/store"
)

// inTree is a tool that does what its arguments say: "fork PROMPT", "wait HANDLE", "send RUN TEXT". Its result is
// what came of each. "fickle" forks with another prompt each time that the tool is run, and "less" makes only half of
// the calls the second time.
func (t *Tools) inTree(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
	var args struct{ Do []string }
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return rein.Done{}, err
	}
	if _, err := t.do(ctx, "tree", inv); err != nil {
		return rein.Done{}, err
	}
	var said []string
	for _, line := range args.Do {
		word, rest, _ := strings.Cut(line, " ")
		if word == "less" && t.count("tree") > 1 {
			break
		}
		got, err := treeWord(ctx, inv.Tree, word, rest, t.count("tree"))
		if ctx.Err() != nil {
			return rein.Done{}, ctx.Err()
		}
		if err != nil {
			got = "error " + string(rein.CodeOf(err))
		}
		said = append(said, strings.TrimSpace(word+" "+got))
	}
	return rein.Done{Text: strings.Join(said, "; ")}, nil
}

func treeWord(ctx context.Context, tree rein.Tree, word, rest string, nth int) (string, error) {
	switch word {
	case "fickle":
		rest = fmt.Sprintf("%s %d", rest, nth)
		fallthrough
	case "fork":
		f, err := tree.Fork(ctx, rest)
		return fmt.Sprintf("%d %s", f.Handle, f.Run), err
	case "wait":
		handle := 0
		_, _ = fmt.Sscan(rest, &handle)
		out, err := tree.Wait(ctx, handle)
		return fmt.Sprintf("%s %s", out.End, out.Text), err
	case "send":
		run, text, _ := strings.Cut(rest, " ")
		receipt, err := tree.Send(ctx, rein.RunID(run), text)
		return string(receipt.State), err
	}
	return "", nil
}

// calls is a script in which a run calls the tool once, and ends with what that gave. What forks say comes first.
func treeScript(forks string, do ...string) string {
	args, _ := json.Marshal(map[string][]string{"do": do}) // texts can be written
	return forks + "\nwhen run=r1 turn=1\ncall tree " + string(args) + "\nwhen run=r1\nsay over\n"
}

// forkTo sets the flow of forks.
func (w *World) forkTo(flow string) {
	w.Tweak = func(o *engine.Options) { o.ForkFlow = flow }
}

// wantTool wants this to be what the tool of a step gave.
func (w *World) wantTool(run rein.RunID, step rein.StepKey, status rein.ToolStatus, text string) {
	w.Helper()
	for _, e := range w.Events(run) {
		if e.Kind != rein.StepDone || e.Step != step {
			continue
		}
		end, err := rein.Payload[rein.StepEnd](e)
		if err != nil || end.Result == nil || end.Result.Status != status || !strings.Contains(end.Result.Text, text) {
			w.Errorf("step %s of run %s gave %s, want %s %q", step, run, e.Data, status, text)
		}
		return
	}
	w.Dump()
	w.Errorf("run %s has no end of step %s", run, step)
}

// tree lists the runs of r1 with how they stand.
func (w *World) tree() string {
	w.Helper()
	var all []string
	for info, err := range w.Store.Runs(context.Background(), store.Filter{Tree: "r1"}) {
		if err != nil {
			w.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s", info.ID, info.Status))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (w *World) wantTree(want string) {
	w.Helper()
	if got := w.tree(); got != want {
		w.Dump()
		w.Errorf("the tree is %s; want %s", got, want)
	}
}

// untilWait waits until the tool of the run waits for a fork.
func (w *World) untilWait(run rein.RunID) {
	w.Helper()
	w.Until("wait of run "+string(run), func(e rein.Event) bool {
		if e.Run != run || e.Kind != rein.SubStarted {
			return false
		}
		start, err := rein.Payload[rein.StepStart](e)
		return err == nil && start.Verb == rein.VerbWait
	})
}

// restartWaiting kills the process while the tool of r1 waits for its first fork, which has a question. The answer
// wakes a run that was parked; one that was not goes on at once, and may have ended before it.
func (w *World) restartWaiting() {
	w.Helper()
	ask := w.UntilAsk("r1.2-fork", 1)
	w.untilWait("r1")
	w.Kill()
	w.Begin()
	_, err := w.Engine.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}))
	if code := rein.CodeOf(err); code != "" && code != rein.CodeClosed && code != rein.CodeFinished {
		w.Fatal(err)
	}
}

// Covers: TREE-40 LAW-3 LAW-5 LAW-10
var treeCalls = []test{
	{"a tool forks twice, waits in any order and twice, and for what there is not", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=A\nsay a\nwhen user=B\nsay b", "fork A", "fork B", "wait 2", "wait 1", "wait 1", "wait 9", "wait 0"))
		w.forkTo("once")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork 1 r1.2-fork; fork 2 r1.2-fork2; wait done b; wait done a; wait done a; wait error not_found; wait error not_found")
		w.wantTree("r1 done, r1.2-fork done, r1.2-fork2 done")
		for _, call := range w.Model.Calls() { // a fork knows what was said
			if m := call.Request.Messages; call.Request.Run == "r1.2-fork" && (len(m) != 2 || m[0].Text != "go" || m[1].Text != "A") {
				t.Errorf("the fork was told %+v", m)
			}
		}
		w.Verify()
	}},
	{"handles are of the run, and a later call may wait", func(t *testing.T, world func(string) *World) {
		w := world("when user=A\nsay a\nwhen run=r1 turn=1\ncall tree {\"do\":[\"fork A\"]}\nwhen run=r1 turn=2\ncall tree {\"do\":[\"fork A\",\"wait 1\",\"wait 2\"]}\nwhen run=r1\nsay over")
		w.forkTo("once")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "4", rein.ToolOK, "fork 2 r1.4-fork; wait done a; wait done a")
		w.Verify()
	}},
	{"a long wait parks the run, and the tool runs again", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=ask\nsay Which?\nwhen user=A\nsay a", "fork ask", "fork A", "wait 2", "wait 1"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		ask := w.UntilAsk("r1.2-fork", 1)
		if w.Grace < 0 {
			w.Until("parking", func(e rein.Event) bool { return e.Run == "r1" && e.Kind == rein.RunParked })
		}
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork 1 r1.2-fork; fork 2 r1.2-fork2; wait done A: a; wait done ask: blue")
		w.wantTree("r1 done, r1.2-fork done, r1.2-fork2 done")
		if n := w.Tools.count("tree"); w.Grace < 0 && n < 2 || w.Grace > 0 && n != 1 {
			t.Errorf("the tool was run %d times", n)
		}
		w.Verify()
	}},
	{"a crash while the tool waits", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=ask\nsay Which?", "fork ask", "wait 1", "wait 7"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		ask := w.UntilAsk("r1.2-fork", 1)
		w.untilWait("r1")
		w.Kill()
		w.Begin()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork 1 r1.2-fork; wait done ask: blue; wait error not_found")
		w.wantTree("r1 done, r1.2-fork done")
		w.Verify()
	}},
	{"a tool that asks for something else when it runs again", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user~ask\nsay Which?", "fickle ask", "wait 1", "fork ask"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.restartWaiting()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolFailed, "must be the same again")
		if got := w.tree(); strings.Count(got, ",") != 1 {
			t.Errorf("the tree is %s: something was forked twice", got)
		}
		w.Verify()
	}},
	{"a tool that asks for less when it runs again", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user~ask\nsay Which?", "fork ask", "less", "wait 1"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.restartWaiting()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolFailed, "must be the same again")
		w.Verify()
	}},
	{"a fork that is deleted reaches the wait", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=ask\nsay Which?", "fork ask", "wait 1", "wait 1"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.UntilAsk("r1.2-fork", 1)
		w.untilWait("r1")
		w.Send(rein.Command{Kind: rein.CommandDelete, Run: "r1.2-fork"})
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork 1 r1.2-fork; wait deleted ask:; wait deleted ask:")
		w.Verify()
	}},
	{"stop, cancel and delete reach a tool that waits", func(t *testing.T, world func(string) *World) {
		for kind, end := range map[rein.CommandKind]rein.End{rein.CommandStop: rein.EndStopped, rein.CommandCancel: rein.EndCancelled, rein.CommandDelete: rein.EndDeleted} {
			t.Run(string(kind), func(t *testing.T) {
				w := world(treeScript("when user=ask\nsay Which?", "fork ask", "wait 1"))
				w.T = t
				w.forkTo("rewrite")
				w.Begin()
				w.Start("r1", task("loop", "go", "tree"))
				w.UntilAsk("r1.2-fork", 1)
				w.untilWait("r1")
				w.Send(rein.Command{Kind: kind, Run: "r1"})
				if got := w.End("r1"); got.End != end {
					t.Errorf("it ended as %+v", got)
				}
				w.wantTree(fmt.Sprintf("r1 %s, r1.2-fork %s", end, end))
				w.leavesFirst()
				w.Verify()
			})
		}
	}},
	{"a modify interrupts a tool that waits", func(t *testing.T, world func(string) *World) {
		w := world("when user=ask\nsay Which?\nwhen run=r1 user=old\ncall tree {\"do\":[\"fork ask\",\"wait 1\"]}\nwhen run=r1 user=new\nsay done\nwhen\nsay fine")
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("rewrite", "old", "tree"))
		w.UntilAsk("r1.2-1-1-fork", 1)
		w.untilWait("r1")
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.WantEnd("r1", rein.EndDone, "new: done")
		w.wantTool("r1", "2.1.1", rein.ToolSkipped, "the user wants something else")
		w.Verify()
	}},
	{"a paused run forks when it goes on", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=A\nsay a", "fork A", "wait 1"))
		w.forkTo("once")
		w.Tools.Hold("tree")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.Tools.Started(w)
		w.Send(rein.Command{Kind: rein.CommandPause, Run: "r1"})
		w.Tools.Release()
		if w.Grace < 0 {
			w.Until("parking", func(e rein.Event) bool { return e.Run == "r1" && e.Kind == rein.RunParked })
		}
		if err := w.Engine.Resume(context.Background(), "r1", "ann"); err != nil {
			t.Fatal(err)
		}
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTree("r1 done, r1.2-fork done")
		w.Verify()
	}},
	{"forks that nobody waits for end with the run", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=ask\nsay Which?", "fork ask", "fork ask"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTree("r1 done, r1.2-fork cancelled, r1.2-fork2 cancelled")
		w.leavesFirst()
		w.Verify()
	}},
	{"forks beyond depth and number are refused, and the tool goes on", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=A\nsay a", "fork A", "fork A", "wait 1", "wait 2"))
		w.forkTo("once")
		w.Begin()
		budget := rein.DefaultBudget()
		budget.Runs = 2
		few := task("loop", "go", "tree")
		few.Budget = &budget
		w.Start("r1", few)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork 1 r1.2-fork; fork error limit; wait done a; wait error not_found")
		w.Verify()
	}},
	{"a fork at the depth limit is refused", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("", "fork A"))
		w.forkTo("once")
		w.Begin()
		budget := rein.DefaultBudget()
		budget.Depth = 0
		flat := task("loop", "go", "tree")
		flat.Budget = &budget
		w.Start("r1", flat)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "fork error limit")
		w.wantTree("r1 done")
	}},
	{"forks that are forked side by side", func(t *testing.T, world func(string) *World) {
		w := world("when user=A\nsay a\nwhen run=r1 turn=1\ncall tree {\"do\":[\"fork A\",\"wait 1\"]}\ncall tree {\"do\":[\"fork A\",\"wait 1\"]}\nwhen run=r1\nsay over")
		w.forkTo("once")
		w.Begin()
		w.Start("r1", task("pair", "go", "tree"))
		w.End("r1")
		w.wantTree("r1 done, r1.2-1-1-fork done, r1.2-2-1-fork done")
		w.Verify()
	}},
	{"a message to a run of the tree", func(t *testing.T, world func(string) *World) {
		w := world(treeScript("when user=ask\nsay Which?", "fork ask", "send r1.2-fork hurry up", "send r1 me", "send r2 other", "send r1.9 nobody", "send r1.2-fork  ", "wait 1"))
		w.forkTo("rewrite")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		ask := w.UntilAsk("r1.2-fork", 1)
		w.untilWait("r1")
		w.Kill()
		w.Begin()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "send pending; send error forbidden; send error forbidden; send error not_found; send error invalid; wait done ask: blue")
		receipts, err := w.Store.Receipts(context.Background(), "r1.2-fork")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(receipts, func(r rein.Receipt) bool { return r.Kind != rein.CommandMessage })); n != 1 {
			t.Errorf("%d messages were sent", n)
		}
		w.Verify()
	}},
	{"a message of a run is no person's", func(t *testing.T, world func(string) *World) {
		w := world("when run=r1.* turn=1\ncall tree {\"do\":[\"send r1 listen\"]}\nwhen run=r1.*\nsay told\n" + treeScript("", "fork tell", "wait 1"))
		w.forkTo("loop")
		w.Begin()
		w.Start("r1", task("loop", "go", "tree"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTree("r1 done, r1.2-fork done")
		for info, err := range w.Store.Runs(context.Background(), store.Filter{Roots: true}) {
			if err != nil || info.ID != "r1" {
				t.Errorf("the message started run %s (%v)", info.ID, err)
			}
		}
		_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "ann", Text: "hi", From: "r1.2-fork"})
		if rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("a person who sends as a run: %v", err)
		}
		w.Verify()
	}},
	{"a hundred forks", func(t *testing.T, world func(string) *World) {
		var do []string
		for range 100 {
			do = append(do, "fork A")
		}
		for i := range 100 { // the newest first: few waits park the run
			do = append(do, fmt.Sprintf("wait %d", 100-i))
		}
		w := world(treeScript("when user=A\nsay a", do...))
		w.forkTo("once")
		w.Begin()
		budget := rein.DefaultBudget()
		budget.Runs = 101
		many := task("loop", "go", "tree")
		many.Budget = &budget
		w.Start("r1", many)
		w.WantEnd("r1", rein.EndDone, "over")
		if n := strings.Count(w.tree(), " done"); n != 101 {
			t.Errorf("%d runs are done", n)
		}
		w.Verify()
	}},
}

// treeLimit is how long the tool may take, without its waits.
const treeLimit = time.Minute
