package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// A filler makes a store with many runs, through the port that the engine writes through. Its runs have the
// shape of real ones: a few steps, some with children, of several people, on many days.
type filler struct {
	*sqlite.Store
	runs, asks int // how many to make
	text       string
	made       atomic.Int64
}

var (
	fillUsers  = []string{"ann", "bob", "cy", "dee", "eve"}
	fillFlows  = []string{"answer", "operate", "chat"}
	fillBegins = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

// fillTree is how many runs the tree of the last root has.
const fillTree = 100

func (f *filler) fill() error {
	f.text = strings.Repeat("An answer of some length. ", 12)
	roots := f.runs * 10 / 14 // every tenth has four children
	var next atomic.Int64
	errs := make(chan error, fillers)
	for range fillers {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= roots {
					errs <- nil
					return
				}
				if err := f.root(i); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	var err error
	for range fillers {
		err = errors.Join(err, <-errs)
	}
	return err
}

// fillers is how many runs are made at once.
const fillers = 256

func (f *filler) root(i int) error {
	at := fillBegins.Add(time.Duration(i) * (90 * 24 * time.Hour / time.Duration(f.runs)))
	id := rein.RunID(fmt.Sprintf("run-%07d", i))
	household, user := "home", fillUsers[i*i%7%len(fillUsers)]
	if i%20 == 0 {
		household = "away"
	}
	budget := rein.DefaultBudget()
	budget.Runs, budget.Depth = 1000, 5
	task := rein.Task{
		Flow: fillFlows[i%len(fillFlows)], Household: household, User: user, Session: fmt.Sprintf("s-%s-%s-%d", household, user, i/60), Budget: &budget,
		Messages: []rein.Message{{Role: rein.User, Text: fmt.Sprintf("question %d: when does it ship?", i)}},
	}
	switch every := max(f.runs*10/14/max(f.asks, 1), 1); {
	case i%every == 1:
		return f.start(id, task, at, append(steps(at), f.asking(id, at)))
	case i%10 == 5 || i == 7:
		return f.tree(id, task, at, i == 7)
	}
	return f.start(id, task, at, append(steps(at), f.end(i, at)))
}

// steps are a model call and a tool call.
func steps(at time.Time) []store.Draft {
	bound := rein.Amount{Rounds: 1, Tokens: 900, Micros: 90}
	return []store.Draft{
		{Kind: rein.StepStarted, Step: "1", At: at, Data: rein.StepStart{Verb: rein.VerbModel, Bound: bound}, Spend: bound, Reserve: true},
		{Kind: rein.StepDone, Step: "1", At: at.Add(time.Second), Data: rein.StepEnd{Verb: rein.VerbModel, Usage: &rein.Usage{Input: 200, Output: 60, Micros: 12}}, Spend: rein.Amount{Tokens: -640, Micros: -78}},
		{Kind: rein.StepStarted, Step: "2", At: at.Add(time.Second), Data: rein.StepStart{Verb: rein.VerbTool, Call: &rein.ToolCall{Name: "lookup", Args: []byte(`{"of":"ship"}`)}}, Spend: rein.Amount{ToolCalls: 1}, Reserve: true},
		{Kind: rein.StepDone, Step: "2", At: at.Add(2 * time.Second), Data: rein.StepEnd{Verb: rein.VerbTool}},
	}
}

func (f *filler) start(id rein.RunID, task rein.Task, at time.Time, drafts []store.Draft) error {
	_, _, err := f.Start(context.Background(), store.Start{Run: id, Digest: rein.Hash{1}, At: at, Claim: true, Drafts: drafts, Start: rein.RunStart{Task: task}})
	f.made.Add(1)
	return err
}

func (f *filler) end(i int, at time.Time) store.Draft {
	end := rein.EndDone
	switch i % 40 {
	case 13, 27:
		end = rein.EndFailed
	case 31:
		end = rein.EndStopped
	}
	return store.Draft{
		Kind: end.EndKind(), At: at.Add(3 * time.Second), Status: rein.Status(end),
		Outcome: &rein.RunEnd{Outcome: rein.Outcome{End: end, Text: fmt.Sprintf("%d: %s", i, f.text)}},
	}
}

func (f *filler) asking(id rein.RunID, at time.Time) store.Draft {
	ask := rein.Ask{ID: rein.NewAskID(id, "3"), Run: id, Step: "3", Kind: rein.AskQuestion, Text: "May I send this? " + f.text, Choices: []string{"yes", "no"}}
	return store.Draft{Kind: rein.AskOpened, Step: "3", At: at.Add(3 * time.Second), Opens: &ask, Status: rein.StatusWaiting}
}

// tree makes a root with children, one of them with many.
func (f *filler) tree(id rein.RunID, task rein.Task, at time.Time, large bool) error {
	if err := f.start(id, task, at, steps(at)); err != nil {
		return err
	}
	children := 4
	if large {
		children = fillTree
	}
	for c := range children {
		child := id.Child(rein.StepKey(fmt.Sprint(3 + c)))
		if err := f.start(child, rein.Task{Flow: "chat"}, at, append(steps(at), f.end(0, at))); err != nil {
			return err
		}
	}
	last := f.end(0, at)
	if large {
		last = f.asking(id, at)
	}
	_, err := f.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Seen: 1 << 40, Drafts: []store.Draft{last}})
	return err
}
