package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/past"
)

// What Run and Runs tell at most: the newest runs, so much of each text and of everything together,
// and the newest acts of a run that was cut off.
const (
	maxRuns  = 20
	maxText  = 4000
	maxBytes = 100_000
	maxAsked = 20
	maxSteps = 40
)

const clock = "Monday 2006-01-02 15:04"

// A Past is an earlier run, in short.
type Past struct {
	Run    string   `json:"run"`
	At     string   `json:"at"`               // when it ended, as the user's clock shows it
	Ended  string   `json:"ended,omitempty"`  // the same, exactly
	Asked  []string `json:"asked"`            // what people asked for, and what the run read of them later
	Asides []Aside  `json:"asides,omitempty"` // what the run asked people, and was answered
	Answer string   `json:"answer,omitempty"`
	End    rein.End `json:"end"`
	Did    []string `json:"did,omitempty"` // of a run that did not come to its end: its calls, and those below it
}

// An Aside is a question to a person with its answer.
type Aside struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

func (p Past) size() int {
	n := len(p.Answer)
	for _, text := range slices.Concat(p.Asked, p.Did) {
		n += len(text)
	}
	for _, a := range p.Asides {
		n += len(a.Question) + len(a.Answer)
	}
	return n
}

// tellAll tells of the newest runs in their order; if that is too much, not of the oldest of them.
func tellAll(ctx context.Context, r Reader, zone *time.Location, infos []rein.RunInfo) ([]Past, error) {
	told, left := []Past{}, maxBytes
	for _, info := range slices.Backward(infos[max(0, len(infos)-maxRuns):]) {
		p, err := tell(ctx, r, zone, info)
		if err != nil {
			return nil, err
		}
		if left -= p.size(); left < 0 {
			break
		}
		told = append(told, p)
	}
	slices.Reverse(told)
	return told, nil
}

// tell reads one run's log and, if it was cut off, the logs below it.
func tell(ctx context.Context, r Reader, zone *time.Location, info rein.RunInfo) (Past, error) {
	run, err := past.Read(ctx, r, info)
	p := Past{Run: string(run.ID), At: run.Ended.In(zone).Format(clock), Ended: run.Ended.UTC().Format(time.RFC3339Nano), Asked: []string{}, Answer: rein.Clip(run.Answer, maxText), End: run.End}
	for _, text := range run.Asked[max(0, len(run.Asked)-maxAsked):] {
		p.Asked = append(p.Asked, rein.Clip(text, maxText))
	}
	for _, a := range run.Asides[max(0, len(run.Asides)-maxAsked):] {
		p.Asides = append(p.Asides, Aside{rein.Clip(a.Question, maxText), rein.Clip(a.Answer, maxText)})
	}
	if !run.End.Completed() { // else its answer says what it did
		for _, c := range run.Calls[max(0, len(run.Calls)-maxSteps):] {
			p.Did = append(p.Did, line(c))
		}
	}
	return p, err
}

func line(c past.Call) string {
	first, _, _ := strings.Cut(c.Text, "\n")
	return fmt.Sprintf("%s %s: %s, %s", c.Name, rein.Clip(c.Args, 200), c.Status, rein.Clip(first, 200))
}
