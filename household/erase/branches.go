package erase

import (
	"rein"
	"rein/household/branches"
)

// A lineage says which runs of the set the sessions that are branches have from others.
type lineage struct {
	from  map[string]branches.Row // by the branch
	place map[rein.RunID]int      // of each root, in the order in which they began
	first map[string]int          // of each session: the place of the first run of the set that others know of
}

func (p *plan) lineage() lineage {
	l := lineage{from: map[string]branches.Row{}, place: map[rein.RunID]int{}, first: map[string]int{}}
	for _, row := range p.all.branches {
		l.from[row.Session] = row
	}
	for i, info := range p.runs {
		if info.ID.Depth() > 0 {
			continue
		}
		l.place[info.ID] = i
		if _, known := l.first[info.Session]; !known && p.has(info.ID) && !info.Erased && !p.facts.isUnheard(info.Flow) {
			l.first[info.Session] = i
		}
	}
	return l
}

// quotes returns the session from which a run knows one of the set, because its own session branched from there, or
// from a branch of it; empty: there is none.
func (l lineage) quotes(info rein.RunInfo) string {
	at, ok := l.from[info.Session]
	for range len(l.from) {
		if !ok {
			break
		}
		if first, some := l.first[at.From.Session]; some && first < l.place[at.From.Run] {
			return at.From.Session
		}
		at, ok = l.from[at.From.Session]
	}
	return ""
}
