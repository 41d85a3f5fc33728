package memory

import (
	"slices"
	"strings"

	"rein/vault/words"
)

// Unknown is the nearness of two texts that nobody measured.
const Unknown = -1

// How alike two memories must be to be about the same. Words are compared by their stems and without small ones, so
// "likes tea" and "does not like tea" are alike; nearness is the cosine of their vectors.
const (
	sameWords  = 0.75
	someWords  = 0.5
	nearAlone  = 0.9 // and some words
	nearByKeys = 0.8 // if one subject is a part of the other
)

// SameSubject reports whether two memories are about the same, so that only the newer one can hold: they have the same
// subject, or say nearly the same words and have no subjects that speak against it.
func SameSubject(a, b Memory, near float64) bool {
	one, other := subject(a.About), subject(b.About)
	if len(one) > 0 && slices.Equal(one, other) {
		return true
	}
	shared := share(subject(a.Text), subject(b.Text))
	switch {
	case len(one) == 0 || len(other) == 0:
		return shared >= sameWords || shared >= someWords && near >= nearAlone
	case holds(one, other) || holds(other, one):
		return shared >= someWords || near >= nearByKeys
	}
	return false
}

// subject are the words of a text that say what it is about: their stems, each once, in order.
func subject(text string) (stems []string) {
	words.Each(text, func(w words.Word) {
		if !w.Part && !words.IsSmall(w.Text) {
			stems = append(stems, words.Dutch.Stem(words.English.Stem(w.Text)))
		}
	})
	slices.Sort(stems)
	return slices.Compact(stems)
}

// holds reports whether all of part is in whole.
func holds(whole, part []string) bool {
	for _, w := range part {
		if !slices.Contains(whole, w) {
			return false
		}
	}
	return true
}

// share is how many of the words of two texts both have, from 0 to 1.
func share(a, b []string) float64 {
	both := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// What tells the subject of a sentence, where nobody named it.
var (
	naming  = []string{"called", "named", "heet", "heten", "heette"}
	linking = []string{"is", "are", "was", "were", "zijn", "waren"}
	liking  = []string{"like", "likes", "love", "loves", "hate", "hates", "dislike", "dislikes", "lust", "lusten", "haat", "houd", "houdt", "houden", "vind", "vindt"}
)

// GuessAbout finds the subject of a sentence whose writer named none: what somebody likes, what something is called, or
// what is in front of "is" if that is more than one word ("her favourite colour is blue"). Empty: it cannot be told.
func GuessAbout(text string) string {
	var all []string
	words.Each(text, func(w words.Word) {
		if !w.Part {
			all = append(all, w.Text)
		}
	})
	at := func(of []string) int {
		return slices.IndexFunc(all, func(w string) bool { return slices.Contains(of, w) })
	}
	content := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return words.IsSmall(w) || slices.Contains(linking, w) })
	}
	if i := at(naming); i > 0 {
		if before := content(all[:i]); len(before) > 0 {
			return clip(strings.Join(append(before, "name"), " "), MaxAbout)
		}
	}
	if i := at(liking); i >= 0 {
		return clip(strings.Join(content(all[i+1:]), " "), MaxAbout)
	}
	if i := at(linking); i > 0 {
		if before := content(all[:i]); len(before) > 1 {
			return clip(strings.Join(before, " "), MaxAbout)
		}
	}
	return ""
}

// WithoutReplaced takes out of a text the lines that say what a newer memory has taken the place of. Own are all memories of
// the person whom the text is about.
func WithoutReplaced(text string, own []Memory) string {
	byID := map[string]Memory{}
	for _, m := range own {
		byID[m.ID] = m
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		said := subject(line)
		return slices.ContainsFunc(own, func(old Memory) bool {
			newer, ok := newest(byID, old)
			before := part(said, subject(old.Text))
			return ok && 3*before >= 2 && before > part(said, subject(newer.Text))
		})
	})
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// newest follows a memory to the one that holds in its place.
func newest(byID map[string]Memory, m Memory) (newer Memory, ok bool) {
	for range len(byID) {
		next, found := byID[m.ReplacedBy]
		if !found {
			return m, ok
		}
		m, ok = next, true
	}
	return m, ok
}

// part is how much of a text is in what was said, from 0 to 1.
func part(said, all []string) float64 {
	has := 0
	for _, w := range all {
		if slices.Contains(said, w) {
			has++
		}
	}
	return float64(has) / float64(max(1, len(all)))
}
