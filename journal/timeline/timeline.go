package timeline

import (
	"cmp"
	"slices"
	"time"

	"rein"
	"rein/journal"
)

// A Timeline is what people see of a run and of those below it, after the lines so far. Items are only added at the end.
// One that changes gets a new Version. The one thing that goes again is a live Model that turns out to have nothing for
// people: a reply that is all calls. It is for one goroutine. Whoever has to read a log again makes a new one.
type Timeline struct {
	Run       rein.RunID
	Seq       int64 // the sequence number of its last event; 0: it has not started
	Status    rein.Status
	Title     string // the first line of what was last asked
	Flow      string
	Mode      rein.Mode
	Session   string
	Workspace string
	After     rein.RunID // the run that this one follows, if its log says so
	By        string     // who started it
	Started   time.Time
	Ended     time.Time        // zero: it has not
	Paused    *Pause           // it starts nothing until it is resumed; nil: it is not paused
	Ending    rein.CommandKind // the command that is ending it, if there is one
	Erased    bool             // some of its log was erased
	Items     []Item
	Todo      *rein.Todo // the newest; nil: it keeps none
	Usage     rein.Usage // what its own model calls took, without its children; see TreeUsage
	Step      Step
	// Children are the runs below it, if the tree was followed.
	Children map[rein.RunID]*Timeline

	steps  journal.Steps
	asks   journal.Asks
	open   map[rein.StepKey]*open
	parked *rein.Parked // what it waits for; nil: a process drives it
	since  time.Time    // when it was parked or blocked
}

// A Pause is who paused a run, and why.
type Pause struct {
	By, Why string
	At      time.Time
}

// A Step is the turn of a flow's loop, and of how many; Of is 0 if that is not known.
type Step struct{ N, Of int }

// open is what belongs to a step that is under way.
type open struct {
	item    Item // *Model, *Phase or *Tool; nil: none is shown
	wait    *Wait
	attempt int   // of the text in item
	bytes   int   // how much of that attempt's text came
	text    gated // holds back what may be an object at the end
}

// New returns the empty timeline of a run.
func New(run rein.RunID) *Timeline {
	return &Timeline{Run: run, Status: rein.StatusReady, Mode: rein.ModeAsk, Children: map[rein.RunID]*Timeline{}, open: map[rein.StepKey]*open{}}
}

// Event takes the next event of the run, or of one below it. It reports whether it was new.
func (t *Timeline) Event(e rein.Event) bool {
	if e.Run == t.Run {
		return t.take(e)
	}
	child := t.descend(e.Run)
	if child == nil || !child.take(e) {
		return false
	}
	if e.Kind == rein.RunStarted || e.Kind.Ends() {
		t.descend(e.Run.Parent()).childChanged(child)
	}
	return true
}

// Delta takes a piece of text that a model or a tool of the run, or of one below it, is writing. One of a step that is
// not open is late: the log has the whole.
func (t *Timeline) Delta(d rein.Delta) {
	if of := t.known(d.Run); of != nil {
		of.piece(d)
	}
}

// known returns the timeline of a run of the tree that something is known of, or nil.
func (t *Timeline) known(run rein.RunID) *Timeline {
	if run == t.Run {
		return t
	}
	if run == "" {
		return nil
	}
	if parent := t.known(run.Parent()); parent != nil {
		return parent.Children[run]
	}
	return nil
}

// descend returns the timeline of a run of the tree, a new one if nothing is known of it yet, or nil if it does not belong
// to the tree.
func (t *Timeline) descend(run rein.RunID) *Timeline {
	if run == t.Run {
		return t
	}
	if run == "" {
		return nil
	}
	parent := t.descend(run.Parent())
	if parent == nil {
		return nil
	}
	child := parent.Children[run]
	if child == nil {
		child = New(run)
		parent.Children[run] = child
	}
	return child
}

// Asks returns the open asks of the run and of everything below it, the oldest first.
func (t *Timeline) Asks() []rein.Ask {
	all := t.asks.Open()
	for _, child := range t.Children {
		all = append(all, child.Asks()...)
	}
	slices.SortStableFunc(all, func(a, b rein.Ask) int {
		return cmp.Or(a.Opened.Compare(b.Opened), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Calls reports whether a step that is under way is a call of a tool, which has an item of its own.
func (t *Timeline) Calls(step rein.StepKey) bool { return t.toolOf(step) != nil }

// Open returns the steps that are under way, in the order in which they began.
func (t *Timeline) Open() (keys []string) {
	for _, step := range t.steps.Open() {
		keys = append(keys, string(step.Key))
	}
	return keys
}

// TreeUsage returns what the run and everything below it took.
func (t *Timeline) TreeUsage() rein.Usage {
	sum := t.Usage
	for _, child := range t.Children {
		sum = journal.Sum(sum, child.TreeUsage())
	}
	return sum
}

func (t *Timeline) add(item Item) { t.Items = append(t.Items, item) }

// find returns where the newest item is that is looked for, or -1.
func (t *Timeline) find(is func(Item) bool) int {
	for i, item := range slices.Backward(t.Items) {
		if is(item) {
			return i
		}
	}
	return -1
}

// newest returns the newest item of a type that is looked for, or nil.
func newest[T Item](t *Timeline, is func(T) bool) (found T) {
	i := t.find(func(item Item) bool {
		of, ok := item.(T)
		return ok && is(of)
	})
	if i >= 0 {
		found = t.Items[i].(T)
	}
	return found
}

// lower puts an item at the end again, below what came before the try that fills it.
func (t *Timeline) lower(item Item, again bool) {
	if again {
		t.drop(item)
		t.add(item)
	}
}

// drop removes an item that turned out to have nothing for people.
func (t *Timeline) drop(item Item) {
	if i := t.find(func(other Item) bool { return other == item }); i >= 0 {
		t.Items = slices.Delete(t.Items, i, i+1)
	}
}
