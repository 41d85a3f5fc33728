package offline

import (
	"slices"
	"strings"
)

const (
	maxPicked = 5     // lines of an answer
	maxLines  = 50000 // lines that are looked at
)

// evidence is what the results have to say to the question.
type evidence struct {
	lines []line // the best of what was read, in the order in which they stand; then what was found, the best first
	found bool   // all of them come from a search
}

// evidence picks the lines of what was read that share most words with the question, and the first hits
// of what was searched.
func (t *turn) evidence() evidence {
	var read, hits []line
	for _, u := range t.worked() {
		if !u.quotable() || len(read) >= maxLines {
			continue
		}
		if found := hitsOf(u); found != nil {
			hits = append(hits, found...)
		} else {
			read = append(read, linesOf(u)...)
		}
	}
	wanted := t.wanted()
	lines := pick(read[:min(len(read), maxLines)], wanted)
	e := evidence{found: len(lines) == 0}
	e.lines = append(lines, ranked(hits, wanted)...)
	e.lines = e.lines[:min(len(e.lines), maxPicked)]
	return e
}

// quotable reports whether a result is quoted by the line. Listings, clocks and commands are shown
// as they are.
func (u use) quotable() bool { return u.role != lists && u.role != tells && u.role != runs }

// wanted returns the stems to look for.
func (t *turn) wanted() map[string]bool { return stems(t.wantedWords()) }

// wantedWords returns the topic without the words of paths and addresses, which every line of a
// file would share, and without "file", "web" and "project" themselves.
func (t *turn) wantedWords() []string {
	skip := map[string]bool{}
	for _, p := range slices.Concat(paths(t.question), addresses(t.question), t.answers) {
		for _, w := range tokenise(p) {
			skip[w] = true
		}
	}
	var all []string
	for _, w := range t.topic {
		if !skip[w] && !is(w, filesWord) && !is(w, webWord) && !is(w, aboutWord) {
			all = append(all, w)
		}
	}
	return all
}

// pick returns the best lines in their order. A word that few lines have counts for more; a heading
// helps the lines under it more than itself.
func pick(all []line, wanted map[string]bool) []line {
	if len(wanted) == 0 {
		return nil
	}
	has := make([]map[string]bool, len(all))
	count := map[string]int{}
	for i, l := range all {
		has[i] = shared(l.text, wanted)
		for w := range has[i] {
			count[w]++
		}
	}
	scores := make([]int, len(all))
	heads := map[string]int{}
	for i, l := range all {
		scores[i] = weigh(has[i], count)
		if !strings.HasPrefix(l.text, "#") && l.head != "" {
			if _, ok := heads[l.head]; !ok {
				heads[l.head] = weigh(shared(l.head, wanted), count)
			}
			scores[i] += heads[l.head] / 2
		} else if l.head != "" {
			scores[i] /= 2
		}
	}
	return best(all, scores)
}

func shared(text string, wanted map[string]bool) map[string]bool {
	found := map[string]bool{}
	for _, w := range tokenise(text) {
		if s := stem(w); wanted[s] {
			found[s] = true
		}
	}
	return found
}

// weigh adds up the words: 1000 for each, and up to 1000 more if it is rare.
func weigh(found map[string]bool, count map[string]int) int {
	score := 0
	for w := range found {
		score += 1000 + 1000/max(count[w], 1)
	}
	return score
}

// best returns the lines that score at least half of the best, at most maxPicked, in their order.
// The same words are quoted once.
func best(all []line, scores []int) []line {
	order := make([]int, 0, len(all))
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return scores[b] - scores[a] })
	top := scores[order[0]]
	var kept []int
	seen := map[string]bool{}
	for _, i := range order {
		if len(kept) == maxPicked || scores[i]*2 < top {
			break
		}
		if !seen[all[i].text] {
			seen[all[i].text] = true
			kept = append(kept, i)
		}
	}
	slices.Sort(kept)
	var lines []line
	for _, i := range kept {
		lines = append(lines, all[i])
	}
	return lines
}
