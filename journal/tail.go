package journal

import (
	"iter"
	"strconv"
	"strings"

	"rein"
)

// tailFirst is how many events OpenAt reads at first.
const tailFirst = 64

// OpenAt returns the steps of an unfinished run that are under way after its event seq, in the order in which
// they began. It reads the end of the log only. A flow calls one verb after the other, so all steps before
// the newest one are over, save in branches, whose keys begin with that of the newest: once an event of an
// earlier step is seen, nothing before it matters. The function from reads the log after an event.
func OpenAt(seq int64, from func(after int64) iter.Seq2[rein.Event, error]) ([]*Step, error) {
	return openAt(seq, tailFirst, from)
}

func openAt(seq, most int64, from func(after int64) iter.Seq2[rein.Event, error]) ([]*Step, error) {
	for ; ; most *= 4 {
		steps, whole, err := openFrom(max(seq-most, 0), seq, from)
		if whole || err != nil {
			return steps, err
		}
	}
}

// openFrom reads the log from an event on, and reports whether that is enough.
func openFrom(after, seq int64, from func(int64) iter.Seq2[rein.Event, error]) (open []*Step, whole bool, err error) {
	var steps Steps
	first, newest := 0, 0
	for e, err := range from(after) {
		if err != nil {
			return nil, false, err
		}
		if e.Seq > seq {
			break
		}
		steps.See(e)
		if place := placeOf(e.Step); place > 0 {
			newest = max(newest, place)
			if first == 0 {
				first = place
			}
		}
		if e.Seq == seq {
			break
		}
	}
	for _, step := range steps.Open() {
		if placeOf(step.Key) == newest {
			open = append(open, step)
		}
	}
	return open, after == 0 || first < newest && first > 0, nil
}

// placeOf is the number of a step, or of the Parallel whose branch it is in; 0: the event is of no step.
func placeOf(key rein.StepKey) int {
	number, _, _ := strings.Cut(string(key), ".")
	place, _ := strconv.Atoi(number)
	return place
}
