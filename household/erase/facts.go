package erase

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/household/memory"
	"rein/household/schedule"
)

// facts are what logs tell of who quotes whom. A log that has not grown tells the same, so that what was
// read before a transaction need not be read in it.
type facts struct {
	background, aside func(flow string) bool

	starts map[rein.RunID]start
	texts  map[rein.RunID]texts
}

func (e *Eraser) facts() *facts {
	f, none := &facts{background: e.Background, aside: e.Aside}, func(string) bool { return false }
	if f.background == nil {
		f.background = none
	}
	if f.aside == nil {
		f.aside = none
	}
	return f
}

// isUnheard reports whether later runs of a session know nothing of a run of the flow.
func (f *facts) isUnheard(flow string) bool { return f.background(flow) && !f.aside(flow) }

// A start is what a run was made for.
type start struct {
	fork    rein.RunID // the run whose way it goes
	run     rein.RunID // that it remembers
	maker   rein.RunID // that made the job which it does
	session string     // that it sums up
}

// texts are what a run read of what is known of people, and what it kept of that kind: for its user, and
// for everyone of the household.
type texts struct {
	seq        int64
	read       map[string]bool
	kept, wide []string
}

// startOf reads the first event of a run.
func (f *facts) startOf(ctx context.Context, from source, run rein.RunID) (start, error) {
	if known, ok := f.starts[run]; ok {
		return known, nil
	}
	e, err := from.Event(ctx, run, 1)
	if err != nil {
		return start{}, err
	}
	var began rein.RunStart
	var set struct {
		Run     rein.RunID `json:"run"`
		Session string     `json:"session"`
	}
	if !e.Erased {
		if began, err = rein.Payload[rein.RunStart](e); err != nil {
			return start{}, err
		}
		_ = json.Unmarshal(began.Task.Settings, &set) // other flows have other settings
	}
	found := start{maker: schedule.MakerOf(began.Task)}
	if began.Task.Fork != nil {
		found.fork = began.Task.Fork.Run
	}
	if f.background(began.Task.Flow) {
		found.run, found.session = set.Run, set.Session
	}
	if f.starts == nil {
		f.starts = map[rein.RunID]start{}
	}
	f.starts[run] = found
	return found, nil
}

// textsOf goes through the log of a run.
func (f *facts) textsOf(ctx context.Context, from source, info rein.RunInfo) (texts, error) {
	if known, ok := f.texts[info.ID]; ok && known.seq == info.Seq {
		return known, nil
	}
	found := texts{seq: info.Seq, read: map[string]bool{}}
	for e, err := range from.Events(ctx, info.ID, 0) {
		if err != nil {
			return texts{}, err
		}
		if err := found.take(e); err != nil {
			return texts{}, err
		}
	}
	if f.texts == nil {
		f.texts = map[rein.RunID]texts{}
	}
	f.texts[info.ID] = found
	return found, nil
}

// The internal tools that keep what is known of people.
const (
	memorySave  = "memory.save"
	summarySave = "summary.save"
)

// The tools of models that do so; see tool/memory.
const (
	remember      = "memory.remember"
	setPreference = "preferences.set"
)

// A known is one thing that such a tool reads or keeps.
type known struct {
	Text  string       `json:"text"`
	Scope memory.Scope `json:"scope"`
	Of    string       `json:"of"` // the session or day that a summary is about, which is read without lines that do not hold any more
}

// summaryOf stands among the texts for the summary of a session or a day, whatever is left of it.
func summaryOf(about string) string { return "summary of " + about }

func (t *texts) take(e rein.Event) error {
	switch {
	case e.Erased:
	case e.Kind == rein.StepDone:
		end, err := rein.Payload[rein.StepEnd](e)
		if err != nil || end.Result == nil {
			return err
		}
		var read struct {
			Items []known `json:"items"`
		}
		_ = json.Unmarshal(end.Result.Data, &read) // others give other data
		for _, item := range read.Items {
			t.read[plain(item.Text)] = true
			if item.Of != "" {
				t.read[summaryOf(item.Of)] = true
			}
		}
	case e.Kind == rein.StepStarted:
		began, err := rein.Payload[rein.StepStart](e)
		if err != nil {
			return err
		}
		return t.takeCall(began.Call)
	}
	return nil
}

func (t *texts) takeCall(call *rein.ToolCall) error {
	if call == nil || !slices.Contains([]string{memorySave, summarySave, remember, setPreference}, call.Name) {
		return nil
	}
	var args struct {
		known
		About     string  `json:"about"`
		Name      string  `json:"name"`
		Value     string  `json:"value"`
		Household bool    `json:"household"`
		Memories  []known `json:"memories"`
		Snapshots []known `json:"snapshots"`
	}
	err := json.Unmarshal(call.Args, &args)
	switch call.Name {
	case summarySave:
		t.kept = append(t.kept, summaryOf(args.About))
	case setPreference:
		if fitted, wrong := (memory.Preference{Name: args.Name, Value: args.Value}).Fit(); wrong == nil { // what cannot be one was not kept
			args.Text = fitted.Text()
		}
		if args.Household {
			args.Scope = memory.ForHousehold
		}
	}
	for _, k := range append(append(args.Memories, args.Snapshots...), args.known) {
		if k.Text == "" {
			continue
		}
		t.kept = append(t.kept, plain(k.Text))
		if k.Scope == memory.ForHousehold {
			t.wide = append(t.wide, plain(k.Text))
		}
	}
	return err
}

// mostPlain is how much of a text tells it from others.
const mostPlain = 200

// plain is a text as it can be compared: what is kept has its spaces made one, and is cut.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), mostPlain)]
}
