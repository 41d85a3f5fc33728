package crash

import "slices"

// points lists where a process with this tally can be killed.
func points(n tally) []kill {
	var all []kill
	for at := afterCommit; at < moments; at++ {
		for i := range n[at] {
			all = append(all, kill{at, i + 1})
		}
	}
	return all
}

// everyPoint kills once at every point, around effects with both answers to unknown outcomes. Then it
// kills twice, the second time in the process that takes up what the first one left, and sometimes
// three times.
func everyPoint(s scenario, noGrace bool, n tally) []trial {
	var trials []trial
	for i, k := range points(n) {
		tr := trial{scenario: s, noGrace: noGrace, skip: i%2 == 1}
		add := func(kills ...kill) {
			tr.kills = kills
			trials = append(trials, tr)
			tr.skip = !tr.skip
		}
		add(k)
		if k.At == afterEffect {
			add(k)
		}
		commit, other := kill{afterCommit, int64(1 + i%7)}, kill{beforeEffect + moment(i)%4, 1}
		add(k, commit)
		add(k, other)
		if i%4 == 0 {
			add(k, other, commit)
		}
	}
	return trials
}

// sample takes some of them, evenly, and others for each scenario: shift is its number. Of real commands it takes all
// those around effects.
func sample(s scenario, n tally, shift int) []trial {
	all, singles := points(n), 4
	switch {
	case s.undoes:
		all = slices.DeleteFunc(all, func(k kill) bool { return k.At == beforeModel || k.At == afterModel })
		singles = 4
	case s.commands:
		all = slices.DeleteFunc(all, func(k kill) bool { return k.At != beforeEffect && k.At != afterEffect })
		singles = len(all)
	}
	var trials []trial
	for i := range singles {
		k := all[(shift+i*len(all)/singles)%len(all)]
		trials = append(trials, trial{scenario: s, noGrace: i%2 == 0, skip: (shift+i)%3 == 0, kills: []kill{k}})
	}
	twice := []kill{all[(shift*5+len(all)/3)%len(all)], {afterCommit, int64(1 + shift%4)}}
	return append(trials, trial{scenario: s, noGrace: shift%2 == 0, kills: twice})
}
