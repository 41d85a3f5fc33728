package live

import (
	"context"

	"rein"
	"rein/api"
	"rein/store"
)

// A change is something that happened to what a user has, or to what somebody is asked. Empty parts did not change.
type change struct {
	household, user string
	run             rein.RunID // a root
	session         string
	asks            bool
	asked           map[string]bool // the others whom the asks are for
	topic           api.Topic       // of things outside of runs
	wide            bool            // everyone of the household sees those
}

// known is what must be known to say whose a change is.
type known struct {
	source store.Reader
	topic  func(string, rein.ToolResult) (api.Topic, bool)
	calls  map[call]string                // the tools of calls that have begun
	owners map[rein.RunID]owner           // of roots
	asked  map[rein.RunID]map[string]bool // for whom the asks of unfinished runs are, or were; "" is the owner
}

// owner is whose a run is, and where.
type owner struct{ household, user, session string }

// maxOwners is how many roots are remembered with whose they are.
const maxOwners = 4096

func newKnown(source store.Reader, topic func(string, rein.ToolResult) (api.Topic, bool)) *known {
	if topic == nil {
		topic = func(string, rein.ToolResult) (api.Topic, bool) { return "", false }
	}
	return &known{source: source, topic: topic, calls: map[call]string{}, owners: map[rein.RunID]owner{}}
}

// read finds the runs that wait for somebody.
func (k *known) read(ctx context.Context) error {
	asks, err := k.source.Asks(ctx, store.AskFilter{Pending: true})
	if err != nil {
		return err
	}
	k.asked = map[rein.RunID]map[string]bool{}
	for _, ask := range asks {
		k.note(ask)
	}
	return nil
}

func (k *known) note(ask rein.Ask) {
	if k.asked[ask.Run] == nil {
		k.asked[ask.Run] = map[string]bool{}
	}
	k.asked[ask.Run][ask.For] = true
}

// changes says whose the news are.
func (k *known) changes(ctx context.Context, n news) ([]change, error) {
	asking := map[rein.RunID]map[string]bool{} // by root
	ask := func(run rein.RunID) {
		if k.asked[run] == nil {
			return
		}
		root := run.Root()
		if asking[root] == nil {
			asking[root] = map[string]bool{}
		}
		for name := range k.asked[run] {
			asking[root][name] = true
		}
	}
	for _, m := range n.opened {
		opened, err := rein.Payload[rein.Ask](m.Read())
		if err != nil {
			return nil, err
		}
		opened.Run = m.Run
		k.note(opened)
		ask(m.Run)
	}
	for run, ended := range n.closed {
		ask(run)
		if ended {
			delete(k.asked, run)
		}
	}
	all := make([]change, 0, len(n.roots))
	for root, listed := range n.roots {
		of, err := k.owner(ctx, root)
		if err != nil {
			return nil, err
		}
		c := change{household: of.household, user: of.user, run: root, asked: asking[root], asks: asking[root] != nil}
		if listed || c.asks {
			c.session = of.session
		}
		all = append(all, c)
	}
	return k.written(ctx, n, all)
}

// written adds what calls have changed outside of runs.
func (k *known) written(ctx context.Context, n news, all []change) ([]change, error) {
	for _, m := range n.steps {
		topic, wide, err := k.topicOf(ctx, m)
		if err != nil {
			return nil, err
		}
		if topic == "" {
			continue
		}
		of, err := k.owner(ctx, m.Run.Root())
		if err != nil {
			return nil, err
		}
		all = append(all, change{household: of.household, user: of.user, topic: topic, wide: wide})
	}
	return all, nil
}

// A call is a step of a run.
type call struct {
	run  rein.RunID
	step rein.StepKey
}

// topicOf says what has changed by the mark of a step. The event of its end does not name the tool: that of its beginning does.
func (k *known) topicOf(ctx context.Context, m store.Mark) (topic api.Topic, wide bool, err error) {
	at := call{m.Run, m.Step}
	if m.Kind == rein.StepStarted {
		tool, err := toolOf(m.Read())
		if tool != "" {
			k.begun(at, tool)
		}
		return "", false, err
	}
	tool, known := k.calls[at]
	delete(k.calls, at)
	end, err := rein.Payload[rein.StepEnd](m.Read())
	if err != nil || end.Failure != nil || end.Result == nil || end.Result.Status != rein.ToolOK {
		return "", false, err
	}
	if !known { // it began before anybody listened
		if tool, err = k.beginning(ctx, at); err != nil {
			return "", false, err
		}
	}
	topic, wide = k.topic(tool, *end.Result)
	return topic, wide, nil
}

func (k *known) begun(at call, tool string) {
	if len(k.calls) >= maxOwners {
		clear(k.calls)
	}
	k.calls[at] = tool
}

// beginning looks into the log for the tool of a step.
func (k *known) beginning(ctx context.Context, at call) (string, error) {
	for e, err := range k.source.Events(ctx, at.run, 0) {
		if err != nil {
			return "", err
		}
		if e.Kind == rein.StepStarted && e.Step == at.step {
			return toolOf(e)
		}
	}
	return "", nil
}

func toolOf(e rein.Event) (string, error) {
	start, err := rein.Payload[rein.StepStart](e)
	if err != nil || start.Verb != rein.VerbTool {
		return "", err
	}
	return start.Tool, nil
}

func (k *known) owner(ctx context.Context, root rein.RunID) (owner, error) {
	of, found := k.owners[root]
	if found {
		return of, nil
	}
	info, err := k.source.Run(ctx, root)
	if err != nil {
		return of, err
	}
	if len(k.owners) >= maxOwners {
		clear(k.owners)
	}
	of = owner{info.Household, info.User, info.Session}
	k.owners[root] = of
	return of, nil
}
