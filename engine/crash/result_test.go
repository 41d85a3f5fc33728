package crash

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"rein"
)

// A result is what a trial left behind, in the store and in the world. The lists name what is wrong.
type result struct {
	trial   trial
	tally   tally
	killed  int               // how many processes were
	ends    map[string]string // how each run ended
	effects map[string]int    // by tool and key: how often
	unknown int               // how many asks about an unknown outcome there were

	lost      []string // runs that did not end
	doubled   []string // effects that happened twice
	repeated  []string // model calls whose answer was durable already
	different []string // ends and effects that the undisturbed trial has not, or has besides
	broken    []string // logs, ledgers and transcripts that are not in order, processes that failed

	doubted bool // a killed process left the patient's call cut off, and the other run had not sent its own

	heads  []rein.Hash // of the newest checkpoint that each process left
	output string      // of the processes
	logs   string
}

func newResult(tr trial) *result {
	return &result{trial: tr, ends: map[string]string{}, effects: map[string]int{}}
}

// wrong lists everything.
func (r *result) wrong() []string {
	var all []string
	for _, c := range []struct {
		what string
		list []string
	}{{"lost", r.lost}, {"doubled", r.doubled}, {"repeated", r.repeated}, {"different", r.different}, {"broken", r.broken}} {
		for _, line := range c.list {
			all = append(all, c.what+": "+line)
		}
	}
	return all
}

// findDoubled lists the effects that happened more often than they may.
func (r *result) findDoubled() {
	for effect, n := range r.effects {
		if tool, _, _ := strings.Cut(effect, " "); n > 1 && once[tool] {
			r.doubled = append(r.doubled, fmt.Sprintf("%s happened %d times", effect, n))
		}
	}
	slices.Sort(r.doubled)
}

// String is what must be the same in every trial of a scenario: how each run ended, and which
// effects there were.
func (r *result) String() string {
	var lines []string
	for run, end := range r.ends {
		lines = append(lines, "run "+normal(run)+": "+normal(end))
	}
	for effect := range r.effects {
		if !slices.Contains(r.trial.scenario.maybe, effect) {
			lines = append(lines, "effect "+normal(effect))
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// compare lists the lines in which the result differs from another's text.
func (r *result) compare(want string) {
	count := map[string]int{}
	for line := range strings.Lines(r.String()) {
		count[line]++
	}
	for line := range strings.Lines(want) {
		count[line]--
	}
	for _, line := range slices.Sorted(maps.Keys(count)) {
		switch n := count[line]; {
		case n > 0:
			r.different = append(r.different, "only here: "+strings.TrimSpace(line))
		case n < 0:
			r.different = append(r.different, "missing: "+strings.TrimSpace(line))
		}
	}
}

// endText is how a run ended, in one line.
func (r *result) endText(end rein.RunEnd) string {
	text := string(end.End)
	if end.Text != "" && !r.trial.scenario.open {
		text += " " + end.Text
	}
	if end.Failure != nil {
		text += " (" + string(end.Failure.Code) + ")"
	}
	return text
}

var (
	// A run that an unread message starts is named after the message's place in the log, which a
	// repeated step moves.
	nextRun = regexp.MustCompile(`-next-[0-9a-f]+`)
	// What a model is told of a call that a person was asked about is not what the tool would have said.
	decided = strings.NewReplacer(
		"a person says that this call took effect; its output is not known", "ok",
		"unknown: the call was skipped; it is not known whether it took effect", "ok",
	)
)

func normal(text string) string { return decided.Replace(nextRun.ReplaceAllString(text, "-next")) }
