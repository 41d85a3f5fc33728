package crash

import (
	"fmt"
	"strings"
	"sync"
	"text/tabwriter"
)

// A row is the sum of a scenario's trials.
type row struct {
	name               string
	appends, effects   int64 // of the undisturbed trial
	trials             int   // with a kill
	kills              int   // processes that were killed in them
	unknown            int   // outcomes that a person was asked about
	lost, doubled      int
	repeated, differed int
	broken             int
	bad                int // trials with any of these
}

// add counts a trial.
func (r *row) add(got *result) {
	if len(got.trial.kills) > 0 {
		r.trials++
	}
	r.kills += got.killed
	r.unknown += got.unknown
	r.lost += len(got.lost)
	r.doubled += len(got.doubled)
	r.repeated += len(got.repeated)
	if len(got.different) > 0 {
		r.differed++
	}
	if len(got.broken) > 0 {
		r.broken++
	}
}

// A table collects rows from tests that run side by side.
type table struct {
	mu   sync.Mutex
	rows map[string]row
}

func (t *table) put(r row) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[string]row{}
	}
	t.rows[r.name] = r
}

// String prints the rows in the order of the scenarios, and their sum.
func (t *table) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "scenario\tappends\teffects\ttrials\tkills\tunknown\tlost\tdoubled\trepeated\tdifferent\tbroken\t")
	sum := row{name: "sum"}
	for _, s := range scenarios() {
		r, ok := t.rows[s.name]
		if !ok {
			continue
		}
		r.print(w)
		sum.appends += r.appends
		sum.effects += r.effects
		sum.trials += r.trials
		sum.kills += r.kills
		sum.unknown += r.unknown
		sum.lost += r.lost
		sum.doubled += r.doubled
		sum.repeated += r.repeated
		sum.differed += r.differed
		sum.broken += r.broken
	}
	sum.print(w)
	w.Flush()
	return b.String()
}

func (r row) print(w *tabwriter.Writer) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.name, r.appends, r.effects, r.trials, r.kills, r.unknown,
		r.lost, r.doubled, r.repeated, r.differed, r.broken)
}
