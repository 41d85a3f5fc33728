package recall

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"rein/household/memory"
	"rein/vault/rank"
)

// How much the age of a memory counts beside how well it fits: half of newness is gone after so many days.
const (
	newness  = 0.25
	halfLife = 60 * 24 * time.Hour
	// allFit is how many bytes of memories every prompt has room for: fewer are not weighed.
	allFit = 2500
)

// Choose orders memories for a prompt, what is worth most first: by how well each fits what the person says, and how new
// it is. As many as fit are taken from the front. Memories that all fit keep their order, the newest first.
func (f *Finder) Choose(ctx context.Context, all []memory.Memory, said string, now time.Time) ([]memory.Memory, error) {
	size := 0
	for _, m := range all {
		size += len(m.Text) + perLine
	}
	if size <= allFit {
		return all, nil
	}
	parts, err := f.weigh(ctx, all, said)
	if err != nil {
		return nil, err
	}
	list := make([]rank.Candidate, len(all))
	for i, m := range all {
		age := max(0, now.Sub(m.Since()))
		list[i] = rank.Candidate{Piece: i, Score: parts[i].Score() + newness*math.Exp2(-float64(age)/float64(halfLife))}
	}
	rank.ByScore(list)
	chosen := make([]memory.Memory, len(all))
	for i, c := range list {
		chosen[i] = all[c.Piece]
	}
	return chosen, nil
}

// perLine is about how much a prompt writes before a memory: who said it, and when.
const perLine = 45

// Replaced returns which of the owner's memories a new one would replace: what is about the same by its subject, its words
// or its meaning.
func (f *Finder) Replaced(ctx context.Context, own []memory.Memory, m memory.Memory) (list []memory.Memory) {
	own = slices.DeleteFunc(slices.Clone(own), func(c memory.Memory) bool {
		return c.ReplacedBy != "" || c.Scope != m.Scope || strings.EqualFold(c.Text, m.Text)
	})
	texts := make([]string, len(own))
	for i, c := range own {
		texts[i] = c.Text
	}
	for i, near := range f.Near(ctx, m.Text, texts) {
		if memory.SameSubject(m, own[i], near) {
			list = append(list, own[i])
		}
	}
	return list
}
