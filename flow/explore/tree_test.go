package explore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/flow"
	"rein/flow/explore"
	"rein/flow/kit"
	"rein/internal/flowtest"
	"rein/journal"
	"rein/store"
)

func exploreTask(settings, text string) rein.Task {
	return rein.Task{Flow: "explore", Settings: json.RawMessage(settings), Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

// quiet are settings of a run that asks nobody beforehand and has one level of children.
const quiet = `{"clarify": false, "questions": 0, "child_questions": 0, "depth": 1}`

// TestExploreHundredAgents is D5: twenty trees of five agents, all of them in a model call at the same
// time, and not one gets another's result.
//
// Covers: TREE-1 TREE-4 TREE-33 TREE-72
func TestExploreHundredAgents(t *testing.T) {
	const trees, agents = 20, 100
	w := flowtest.World(t, time.Minute, `
when phase=split
say {"questions": ["Part one?", "Part two?", "Part three?", "Part four?"]}

when phase=summary
say All four are here.

when user~"Part one"
say one

when user~"Part two"
say two

when user~"Part three"
say three

when user~"Part four"
say four

when phase=act
say main
`)
	var mu sync.Mutex
	acting, all := map[rein.RunID]bool{}, make(chan struct{})
	w.Model.Hook = func(r rein.ModelRequest) {
		if r.Phase != "act" {
			return
		}
		mu.Lock()
		if acting[r.Run] = true; len(acting) == agents {
			close(all)
		}
		mu.Unlock()
		select {
		case <-all:
		case <-time.After(time.Minute):
			t.Errorf("run %s is alone", r.Run)
		}
	}
	w.Begin()
	for i := range trees {
		w.Start(rein.RunID(fmt.Sprintf("t%d", i)), exploreTask(quiet, "The whole of it."))
	}
	for i := range trees {
		id := rein.RunID(fmt.Sprintf("t%d", i))
		end := w.End(id)
		var got explore.Explored
		if err := json.Unmarshal(end.Data, &got); err != nil || end.End != rein.EndDone || end.Text != "All four are here." || len(got.Children) != 4 {
			t.Fatalf("tree %s ended as %+v (%v)", id, end, err)
		}
		for j, want := range []string{"one", "two", "three", "four"} {
			if c := got.Children[j]; c.Result != want || c.Status != rein.AgentCompleted || c.ID.Parent() != id {
				t.Errorf("tree %s: child %d is %+v, want %s", id, j+1, c, want)
			}
		}
	}
	if n := len(tree(w, store.Filter{})); n != agents {
		t.Errorf("%d runs, want %d", n, agents)
	}
	w.Verify()
}

// TestExploreTree looks at a tree while it works and after: who is whose child, what is active, what
// is known of one run, and that IDs are taken once.
//
// Covers: TREE-1 TREE-2 TREE-3 TREE-5 TREE-8 TREE-9 TREE-10
func TestExploreTree(t *testing.T) {
	w := flowtest.World(t, engine.NoGrace, `
when run=r1 phase=split
say {"questions": ["Quick?", "Slow?"]}

when run=r1 phase=summary
say Both.

when user~"Slow" any!~"Enough"
hang

when
say Yes.
`)
	w.Begin()
	ctx := context.Background()
	w.Start("r1", exploreTask(quiet, "Well?"))
	w.End("r1.4")
	w.Until("second child at work", func(e rein.Event) bool { return e.Run == "r1.5" && e.Step == "3" })

	active := tree(w, store.Filter{Tree: "r1", Unfinished: true})
	if len(active) != 2 || active["r1"].Title != "Well?" || active["r1.5"].Title != "Slow?" || active["r1.5"].ID.Parent() != "r1" {
		t.Errorf("the active tree is %+v", active)
	}
	one, err := w.Store.Run(ctx, "r1.4")
	if err != nil || one.Status != "done" || one.End().Text != "Yes." {
		t.Errorf("the ended child is %+v (%v)", one, err)
	}
	if log := w.Events("r1.4"); len(log) < 4 || log[0].Kind != rein.RunStarted {
		t.Errorf("its history has %d events", len(log))
	}
	if _, err := w.Store.Run(ctx, "r9"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("an unknown run: %v", err)
	}
	if _, err := w.Engine.Start(ctx, "r1", exploreTask(quiet, "Something else?")); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("a taken ID: %v", err)
	}
	for _, id := range []rein.RunID{"r9.1", "r1.9"} { // a parent starts its children itself: no cycle can be made
		if _, err := w.Engine.Start(ctx, id, exploreTask(quiet, "Mine?")); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("a child from outside: %v", err)
		}
	}
	w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1.5", Text: "Enough"})
	w.WantEnd("r1", rein.EndDone, "Both.")
	if active := tree(w, store.Filter{Tree: "r1", Unfinished: true}); len(active) != 0 {
		t.Errorf("still active: %+v", active)
	}
	if all := tree(w, store.Filter{Tree: "r1"}); len(all) != 3 {
		t.Errorf("in history: %+v", all)
	}
}

// statuses are what the log of a run tells of it, in order.
func statuses(w *enginetest.World, run rein.RunID) string {
	var agent journal.Agent
	var passed []string
	for _, e := range w.Events(run) {
		for _, status := range agent.See(e) {
			passed = append(passed, string(status))
		}
	}
	return strings.Join(passed, " ")
}

// TestExploreInterventions is table B.7 on a run that asks, works and has a child.
//
// Covers: TAB-B7 TREE-3 TREE-6 TREE-7 TREE-34 TREE-35 TREE-36 TREE-50 TREE-51
func TestExploreInterventions(t *testing.T) {
	const play = `
when phase=clarify user~"Ask me"
say {"ambiguous": true, "question": "What?"}

when phase=clarify
say {"ambiguous": false}

when phase=act user~"Describe red"
hang

when phase=act user~"Describe green"
hang

when phase=act
say Blue.
`
	command := func(kind rein.CommandKind, text string) rein.Command {
		return rein.Command{Kind: kind, Run: "r1", By: "ann", Text: text}
	}
	for _, c := range []struct {
		name, task string
		send       []rein.Command
		refused    rein.Code // of the last command
		end        string
		statuses   string
	}{
		{
			"delete while it asks", "Ask me.",
			[]rein.Command{command(rein.CommandDelete, "")},
			"", "deleted It was deleted.", "running awaiting_user running deleted",
		},
		{
			"modify while it asks", "Ask me.",
			[]rein.Command{command(rein.CommandModify, "Describe blue.")},
			"", "done Blue.", "running awaiting_user modified running completed",
		},
		{
			"delete while it works", "Describe red.",
			[]rein.Command{command(rein.CommandDelete, "")},
			"", "deleted It was deleted.", "running deleted",
		},
		{
			"modify while it works", "Describe red.",
			[]rein.Command{command(rein.CommandModify, "Describe blue.")},
			"", "done Blue.", "running modified running completed",
		},
		{
			"any other text is kept beside it", "Describe red.",
			[]rein.Command{command(rein.CommandComment, "too red"), command(rein.CommandModify, "Describe blue.")},
			"", "done Blue.", "running modified running completed",
		},
		{
			"of two changes the last wins", "Describe red.",
			[]rein.Command{command(rein.CommandModify, "Describe green."), command(rein.CommandModify, "Describe blue.")},
			"", "done Blue.", "",
		},
		{
			"delete wins over a change", "Describe red.",
			[]rein.Command{command(rein.CommandModify, "Describe green."), command(rein.CommandDelete, "")},
			"", "deleted It was deleted.", "",
		},
		{
			"a change without content", "Describe red.",
			[]rein.Command{command(rein.CommandCancel, ""), command(rein.CommandModify, " ")},
			rein.CodeInvalid, "cancelled ", "running completed",
		},
		{
			"no such agent", "Describe red.",
			[]rein.Command{command(rein.CommandCancel, ""), {Kind: rein.CommandDelete, Run: "r9", By: "ann"}},
			rein.CodeNotFound, "cancelled ", "running completed",
		},
		{
			"no such command", "Describe red.",
			[]rein.Command{command(rein.CommandCancel, ""), command("rewind", "")},
			rein.CodeInvalid, "cancelled ", "running completed",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := flowtest.World(t, engine.NoGrace, play)
			w.Begin()
			w.Start("r1", exploreTask(`{"depth": 0, "questions": 0}`, c.task))
			if strings.HasPrefix(c.task, "Ask") {
				w.UntilAsk("r1", 1)
			} else {
				w.Until("work", func(e rein.Event) bool {
					return e.Kind == rein.StepStarted && strings.Contains(string(e.Data), `"phase":"act"`)
				})
			}
			for i, command := range c.send {
				_, err := w.Engine.Command(context.Background(), command)
				if want := map[bool]rein.Code{true: c.refused}[i == len(c.send)-1]; rein.CodeOf(err) != want {
					t.Errorf("%s: %v, want code %q", command.Kind, err, want)
				}
			}
			end := w.End("r1")
			if got := string(end.End) + " " + end.Text; got != c.end {
				t.Errorf("it ended as %q, want %q", got, c.end)
			}
			if got := statuses(w, "r1"); c.statuses != "" && got != c.statuses {
				t.Errorf("it was %s, want %s", got, c.statuses)
			}
			if open, err := w.Store.Asks(context.Background(), store.AskFilter{Pending: true}); err != nil || len(open) > 0 {
				t.Errorf("still open: %v (%v)", open, err)
			}
			for _, kind := range []rein.CommandKind{rein.CommandDelete, rein.CommandModify, rein.CommandComment} { // it has ended
				_, err := w.Engine.Command(context.Background(), command(kind, "late"))
				deleted := kind == rein.CommandDelete && end.End == rein.EndDeleted // to delete it again is no mistake
				if rein.CodeOf(err) != rein.CodeFinished && !(deleted && err == nil) {
					t.Errorf("a late %s: %v", kind, err)
				}
			}
			w.Verify()
		})
	}
}

// TestExploreForks is what fork and wait rest on: a child starts at once and is in the tree, waiting
// twice gives the same, an unknown one is an error, and one that nobody waits for is ended.
//
// Covers: TREE-2 TREE-40
func TestExploreForks(t *testing.T) {
	w := flowtest.World(t, engine.NoGrace, "when user=fails\nfail provider \"out of order\"\n\nwhen user=hangs\nhang\n\nwhen\nsay Hello.")
	w.Tweak = func(o *engine.Options) {
		o.Flows = flow.All()
		o.Flows["forks"] = rein.Flow{Do: func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
			var said []string
			for _, text := range []string{"works", "fails", "hangs"} {
				id, err := run.Spawn(rein.Task{Flow: "operate", Messages: []rein.Message{{Role: rein.User, Text: text}}})
				if err != nil {
					return rein.Outcome{}, err
				}
				for range 2 {
					if text != "hangs" {
						out, err := run.Wait(id)
						said = append(said, fmt.Sprint(out.End, " ", out.Text, err))
					}
				}
			}
			_, err := run.Wait("r1.99")
			return rein.Outcome{Text: strings.Join(append(said, string(rein.CodeOf(err))), ", ")}, nil
		}}
	}
	w.Begin()
	w.Start("r1", rein.Task{Flow: "forks"})
	w.WantEnd("r1", rein.EndDone, "done Hello.<nil>, done Hello.<nil>, failed out of order<nil>, failed out of order<nil>, not_found")
	for id, info := range tree(w, store.Filter{Tree: "r1"}) {
		if info.Title == "hangs" && (info.Status != "cancelled" || id.Parent() != "r1") {
			t.Errorf("the one that nobody waited for, %s, is %s", id, info.Status)
		}
	}
	w.Verify()
}

// TestExploreInput: a task without a word is refused; of messages alone the last of a person counts;
// where no person speaks nobody is asked.
//
// Covers: TREE-20 TREE-30 TREE-70
func TestExploreInput(t *testing.T) {
	const play = `
when phase=clarify last~"Second"
say {"ambiguous": true, "question": "Which second?"}

when phase=act
say Done.
`
	say := func(role rein.Role, text string) rein.Message { return rein.Message{Role: role, Text: text} }
	for name, c := range map[string]struct {
		messages []rein.Message
		want     string
		asks     bool
	}{
		"nothing": {nil, "failed explore: there is neither a prompt nor a message with text: say what to explore", false},
		"blanks":  {[]rein.Message{say(rein.User, " \n")}, "failed explore: there is neither a prompt nor a message with text: say what to explore", false},
		"the last of a person": {
			[]rein.Message{say(rein.User, "First"), say(rein.Assistant, "Yes?"), say(rein.User, "Second"), say(rein.Assistant, "And?")},
			"done Done.", true,
		},
		"nobody": {[]rein.Message{say(rein.Assistant, "I go on.")}, "done Done.", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := flowtest.World(t, engine.NoGrace, play)
			w.Begin()
			w.Start("r1", rein.Task{Flow: "explore", Messages: c.messages, Settings: json.RawMessage(`{"depth": 0, "questions": 0}`)})
			if c.asks {
				w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, "This one.")
			}
			end := w.End("r1")
			got := string(end.End) + " " + end.Text
			if end.Failure != nil {
				got += end.Failure.Msg
			}
			if got != c.want {
				t.Errorf("it ended as %q, want %q", got, c.want)
			}
		})
	}
}

// Covers: TREE-32 TREE-71
func TestExploreSettings(t *testing.T) {
	const rest = `"rounds":10,"clarify":true,"questions":3,"last_question":true,"child_questions":1,"answer_timeout":3600}`
	for settings, want := range map[string]string{
		``:                          `{"depth":2,"width":4,` + rest,
		`{"depth": 9, "width": 9}`:  `{"depth":3,"width":2,` + rest + "explore: depth is 3 instead of 9: it must be from 0 to 3; explore: width is 2 instead of 9: it must be from 0 to 2",
		`{"depth": -1, "width": 0}`: `{"depth":0,"width":0,` + rest + "explore: depth is 0 instead of -1: it must be from 0 to 3",
		`{"width": 2, "questions": 7, "clarify": false, "rounds": 999}`: `{"depth":2,"width":2,"rounds":100,"clarify":false,"questions":3,"last_question":true,"child_questions":1,"answer_timeout":3600}` +
			"explore: rounds is 100 instead of 999: it must be from 1 to 100; explore: questions is 3 instead of 7: it must be from 0 to 3",
		`{"clarify": "yes"}`: "settings of explore: json: cannot unmarshal string into Go struct field Settings.clarify of type bool",
		`{"agents": 3}`:      `settings of explore: json: unknown field "agents"`,
	} {
		c := kit.Ceiling{Depth: 3, Children: 2}
		if settings == "" {
			c = kit.Ceiling{}
		}
		got, err := explore.Kind().Prepare(rein.Task{Flow: "explore", Settings: []byte(settings)}, c)
		said := errText(err)
		if err == nil {
			said = string(got.Settings) + strings.Join(got.Notices, "; ")
		}
		if d := cmp.Diff(want, said); d != "" {
			t.Errorf("%s: %s", settings, d)
		}
	}
}

// TestExploreEndedWithChildren ends a root whose child is at work: the root does not tell it as running.
//
// Covers: TREE-35 TREE-36/seams
func TestExploreEndedWithChildren(t *testing.T) {
	for kind, want := range map[rein.CommandKind]string{
		rein.CommandDelete: `{"id":"r1.4","question":"Slow?","status":"deleted","result":""}`,
		rein.CommandCancel: `{"id":"r1.4","question":"Slow?","status":"completed","stopped":true,"result":""}`,
	} {
		t.Run(string(kind), func(t *testing.T) {
			w := flowtest.World(t, engine.NoGrace, "when phase=split\nsay {\"questions\": [\"Slow?\"]}\n\nwhen\nhang\n")
			w.Begin()
			w.Start("r1", exploreTask(quiet, "Well?"))
			w.Until("both at work", func(e rein.Event) bool { return e.Run == "r1.4" && e.Step == "3" })
			w.Send(rein.Command{Kind: kind, Run: "r1"})
			if data := string(w.End("r1").Data); data != `{"children":[`+want+`],"uncertain":false}` {
				t.Errorf("the data is %s", data)
			}
			if end := w.End("r1.4"); end.End != kind.Ends() {
				t.Errorf("the child ended as %+v", end)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
