package offline

import (
	"slices"
	"strings"
)

const (
	maxPicked = 5     // lines of an answer
	maxHits   = 3     // passages of a search, in an answer
	maxLines  = 50000 // lines that are looked at
	// sure is the score that a search must give a passage that shares no word with the question.
	sure = 0.25
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
	wanted := stems(t.wantedWords())
	lines := pick(read[:min(len(read), maxLines)], wanted)
	e := evidence{found: len(lines) == 0}
	e.lines = append(lines, ranked(hits, wanted)...)
	e.lines = e.lines[:min(len(e.lines), maxPicked)]
	return e
}

// wantedWords returns the words to look for: the topic without the words of paths, which every line of
// a file would share, and without "file" and "project" themselves.
func (t *turn) wantedWords() []string {
	names := tokenise(strings.Join(slices.Concat(paths(t.question), t.answers), " "))
	return slices.DeleteFunc(slices.Clone(t.topic), func(w string) bool {
		return slices.Contains(names, w) || is(w, filesWord) || is(w, aboutWord)
	})
}

// ranked keeps the order of a search, which knows more than the rules: it only leaves out what shares no
// word with the question and is not near it either, and what was said already.
func ranked(hits []line, wanted map[string]bool) (kept []line) {
	seen := map[string]bool{}
	for _, h := range hits {
		if len(kept) == maxHits {
			break
		}
		if seen[h.text] || h.score < sure && len(shared(h.text+" "+h.cite, wanted)) == 0 {
			continue
		}
		seen[h.text] = true
		kept = append(kept, h)
	}
	return kept
}

// pick returns the best lines in their order. A word that few lines have counts for more; a heading
// helps the lines under it more than itself.
func pick(all []line, wanted map[string]bool) []line {
	count := map[string]int{} // lines that have a word
	for _, l := range all {
		for w := range shared(l.text, wanted) {
			count[w]++
		}
	}
	scores := make([]int, len(all))
	heads := map[string]int{}
	for i, l := range all {
		scores[i] = weigh(l.text, wanted, count)
		if l.text == l.head {
			scores[i] /= 2
			heads[l.head] = scores[i]
		} else {
			scores[i] += heads[l.head]
		}
	}
	return best(all, scores)
}

// shared returns the stems of a text that are wanted.
func shared(text string, wanted map[string]bool) map[string]bool {
	found := map[string]bool{}
	for _, w := range tokenise(text) {
		if s := stem(w); wanted[s] {
			found[s] = true
		}
	}
	return found
}

// weigh adds up the words that a text shares with the question: 1000 for each, and up to 1000 more if
// it is rare.
func weigh(text string, wanted map[string]bool, count map[string]int) int {
	score := 0
	for w := range shared(text, wanted) {
		score += 1000 + 1000/max(count[w], 1)
	}
	return score
}

// best returns the lines that score at least half of the best, at most maxPicked, in their order.
// The same words are quoted once.
func best(all []line, scores []int) []line {
	var order []int
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return scores[b] - scores[a] })
	var kept []int
	seen := map[string]bool{}
	for _, i := range order {
		if len(kept) == maxPicked || scores[i]*2 < scores[order[0]] {
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
