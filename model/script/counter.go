package script

import (
	"crypto/sha256"
	"fmt"

	"rein"
)

// A counter knows what a request alone cannot tell: how often it was made before. Calls that name
// their step are told apart by it, so a repeated one is never counted twice.
type counter struct {
	attempts map[string]int
	seen     map[nthKey]int // the number that a step was given
	last     map[nthKey]int // the highest number so far; step is empty
}

type nthKey struct {
	entry int
	run   rein.RunID
	step  rein.StepKey
}

func newCounter() counter {
	return counter{attempts: map[string]int{}, seen: map[nthKey]int{}, last: map[nthKey]int{}}
}

// attempt is the request's own number if it has one, and else how often this call was made.
func (c *counter) attempt(r rein.ModelRequest) int {
	if r.Attempt > 0 {
		return r.Attempt
	}
	key := fmt.Sprintf("%s %s", r.Run, r.Step)
	if r.Step == "" {
		key = fmt.Sprintf("%s %x", r.Run, digest(r.Prompt))
	}
	c.attempts[key]++
	return c.attempts[key]
}

// nth numbers the calls of a run that fit an entry.
func (c *counter) nth(entry int, r rein.ModelRequest) int {
	step, run := nthKey{entry, r.Run, r.Step}, nthKey{entry, r.Run, ""}
	if n := c.seen[step]; n > 0 && r.Step != "" {
		return n
	}
	c.last[run]++
	c.seen[step] = c.last[run]
	return c.last[run]
}

// digest tells prompts apart. Unlike JSON, %q can write arguments that are not JSON.
func digest(p rein.Prompt) [sha256.Size]byte {
	b := fmt.Appendf(nil, "%q %d", p.Phase, p.Round)
	for _, m := range p.Messages {
		b = fmt.Appendf(b, "\n%q %q %q", m.Role, m.Text, m.CallID)
		for _, c := range m.Calls {
			b = fmt.Appendf(b, " %q %q %q", c.ID, c.Name, c.Args)
		}
	}
	return sha256.Sum256(b)
}
