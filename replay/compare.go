package replay

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/replay/cassette"
)

// A ledger is a recorded log, to hold a new one against.
type ledger struct {
	tape   *cassette.Tape
	events map[cassette.Place]rein.Event
	plain  plain
	exact  bool // what it cost can be compared: no try was made twice
}

func read(t *cassette.Tape, otherTools bool) *ledger {
	l := &ledger{tape: t, events: map[cassette.Place]rein.Event{}, plain: plain{redact: len(t.Redacted) > 0, policy: t.Policy}, exact: true}
	l.plain.bounds = !l.plain.redact && !otherTools && knowsModels(t)
	for _, run := range t.Runs() {
		for _, e := range cassette.Played(t.Log(run)) {
			l.events[cassette.PlaceOf(e)] = e
		}
	}
	for _, e := range t.Events {
		switch {
		case e.Kind == rein.RunParked, e.Kind == rein.RunResumed, e.Kind == rein.StepRenewed, e.Kind.Command() != "":
		default:
			if _, ok := l.events[cassette.PlaceOf(e)]; !ok || costUnknown(e) {
				l.exact = false
			}
		}
	}
	return l
}

// costUnknown reports whether an older program has recorded a call that failed: it kept no usage, and
// counted all that the call could have cost.
func costUnknown(e rein.Event) bool {
	if e.Kind != rein.StepDone && e.Kind != rein.SubDone {
		return false
	}
	end, err := rein.Payload[rein.StepEnd](e)
	return err == nil && end.Failure != nil && end.Result == nil && end.Usage == nil
}

// knowsModels reports whether it is known of every model what its calls could cost.
func knowsModels(t *cassette.Tape) bool {
	for _, e := range t.Events {
		if e.Kind != rein.StepStarted && e.Kind != rein.SubStarted {
			continue
		}
		if start, err := rein.Payload[rein.StepStart](e); err == nil && start.Prompt != nil {
			if _, ok := t.Models[start.Prompt.Model]; !ok {
				return false
			}
		}
	}
	return true
}

// unlike holds an event against the one that was recorded in its place.
func (l *ledger) unlike(e rein.Event) *Difference {
	if e.Run.Root() != l.tape.Run || cassette.IsWait(e) || len(cassette.Played([]rein.Event{e})) == 0 {
		return blockedBy(e)
	}
	was, ok := l.events[cassette.PlaceOf(e)]
	if !ok {
		if !l.tape.Ended() {
			return nil // it goes on where the recording ends
		}
		return &Difference{Run: e.Run, Step: e.Step, Kind: e.Kind, Is: string(e.Data)}
	}
	path, before, after := firstUnlike("", l.plain.of(was), l.plain.of(e))
	if path == "" && reflect.DeepEqual(before, after) {
		return nil
	}
	return &Difference{Run: e.Run, Step: e.Step, Kind: e.Kind, Field: path, Was: text(before), Is: text(after)}
}

// blockedBy says that the run cannot go on.
func blockedBy(e rein.Event) *Difference {
	if e.Kind != rein.RunBlocked {
		return nil
	}
	blocked, err := rein.Payload[rein.Blocked](e)
	if err != nil {
		return nil
	}
	return &Difference{Run: e.Run, Step: blocked.Step, Kind: e.Kind, Was: blocked.Was, Is: blocked.Reason}
}

// compare holds a whole log against the recorded one.
func (l *ledger) compare(log []rein.Event) *Difference {
	got := map[cassette.Place]bool{}
	for _, e := range log {
		got[cassette.PlaceOf(e)] = true
	}
	for _, e := range l.inOrder() {
		if !got[cassette.PlaceOf(e)] && !cassette.IsWait(e) {
			return &Difference{Run: e.Run, Step: e.Step, Kind: e.Kind, Was: string(e.Data)}
		}
	}
	if !l.exact || !l.plain.bounds {
		return nil
	}
	was, is := spent(l.tape.Run, l.tape.Events), spent(l.tape.Run, log)
	if was == is {
		return nil
	}
	return &Difference{Run: l.tape.Run, Field: "what the whole tree cost", Was: text(was), Is: text(is)}
}

// spent is what a tree used, without the time that it took.
func spent(root rein.RunID, log []rein.Event) (sum rein.Amount) {
	for _, e := range log {
		if e.Run.Root() == root.Root() {
			sum = sum.Plus(e.Spend)
		}
	}
	sum.DrivenMS = 0
	return sum
}

// inOrder returns the recorded events in the order of their steps: which branch was faster is chance.
func (l *ledger) inOrder() []rein.Event {
	var all []rein.Event
	for _, run := range l.tape.Runs() {
		log := cassette.Played(l.tape.Log(run))
		slices.SortStableFunc(log, func(a, b rein.Event) int { return slices.Compare(path(a), path(b)) })
		all = append(all, log...)
	}
	return all
}

// path is where an event stands among those of its run.
func path(e rein.Event) []int {
	switch {
	case e.Kind.Ends():
		return []int{1 << 30}
	case e.Step == "":
		return nil
	}
	var path []int
	for part := range strings.SplitSeq(string(e.Step.Step()), ".") {
		n, _ := strconv.Atoi(part) // words are cut off
		path = append(path, n)
	}
	return path
}

// firstUnlike returns the first place at which two JSON values differ, and what stands there.
func firstUnlike(at string, was, is any) (string, any, any) {
	switch w := was.(type) {
	case map[string]any:
		if i, ok := is.(map[string]any); ok {
			return firstUnlikeKey(at, w, i)
		}
	case []any:
		if i, ok := is.([]any); ok {
			for n := range min(len(w), len(i)) {
				if !reflect.DeepEqual(w[n], i[n]) {
					return firstUnlike(at+"["+strconv.Itoa(n)+"]", w[n], i[n])
				}
			}
			if len(w) > len(i) {
				return at + "[" + strconv.Itoa(len(i)) + "]", w[len(i)], nil
			}
			if len(i) > len(w) {
				return at + "[" + strconv.Itoa(len(w)) + "]", nil, i[len(w)]
			}
		}
	}
	return at, was, is
}

func firstUnlikeKey(at string, was, is map[string]any) (string, any, any) {
	keys := map[string]bool{}
	for key := range was {
		keys[key] = true
	}
	for key := range is {
		keys[key] = true
	}
	var all []string
	for key := range keys {
		all = append(all, key)
	}
	last := func(key string) int { return slices.Index([]string{"sig", "bound"}, key) } // they follow from the others
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a, b)) })
	for _, key := range all {
		if !reflect.DeepEqual(was[key], is[key]) {
			return firstUnlike(strings.TrimPrefix(at+"."+key, "."), was[key], is[key])
		}
	}
	return "", nil, nil
}
