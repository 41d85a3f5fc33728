package pick

import "unicode/utf8"

// A desk is where texts are searched. It is used again for the next text, so that a search allocates nothing.
type desk struct {
	text    string
	read    bool            // the text has been taken apart into
	n       int             // this many
	letters [mostText]rune  // without accents,
	small   [mostText]rune  // also in lower case,
	starts  [mostText]int32 // the bytes at which they begin,
	worth   [mostText]int32 // and what they are worth for where they stand

	last, now []int32 // the best score with the letter of the word that was placed last, or is placed now, at each place
	from      []int16 // where the letter before it then was, for each letter of the word and each place
	at        []int32 // where the letters of the word are
	missing   []word  // words that the first text did not have
}

// lay puts a text on the desk.
func (d *desk) lay(text string) { d.text, d.read = text, false }

// take takes the text apart, which most texts need not be.
func (d *desk) take() {
	if d.read {
		return
	}
	d.n, d.read = 0, true
	before := rune(-1)
	for i, r := range d.text {
		if d.n == mostText {
			break
		}
		if r = plain(r); isMark(r) {
			continue // the accent of the letter before it
		}
		d.letters[d.n], d.small[d.n] = r, lower(r)
		d.starts[d.n], d.worth[d.n] = int32(i), bonus(before, r)
		before = r
		d.n++
	}
}

// find looks for the best places for the letters of a word, which are then at d.at.
func (d *desk) find(w word) (score int, ok bool) {
	if !mayHave(d.text, w) {
		return 0, false
	}
	d.take()
	text := d.small[:d.n]
	if w.cased {
		text = d.letters[:d.n]
	}
	if !d.has(text, w.letters) {
		return 0, false
	}
	best := d.scattered(text, w.letters)
	if points, start := d.solid(text, w.letters); points > best {
		best = points
		for i := range d.at {
			d.at[i] = int32(start + i)
		}
	}
	return int(best), true
}

// mayHave is a quick look at a text: false if it has not all letters of a word in order. It knows only ASCII.
func mayHave(text string, w word) bool {
	n := 0
	for i := range len(text) {
		c := rune(text[i])
		if c >= utf8.RuneSelf {
			return true
		}
		if c == w.letters[n] || !w.cased && lower(c) == w.letters[n] {
			if n++; n == len(w.letters) {
				return true
			}
		}
	}
	return false
}

// has reports whether the letters are in the text, in order. No letter can stand further left than at d.at.
func (d *desk) has(text, letters []rune) bool {
	d.at = d.at[:0]
	for j, r := range text {
		if r == letters[len(d.at)] {
			if d.at = append(d.at, int32(j)); len(d.at) == len(letters) {
				return true
			}
		}
	}
	return false
}

// scattered finds the best places, letter by letter: the best score with a letter at a place follows from the best
// scores with the letter before it at any place further left.
func (d *desk) scattered(text, letters []rune) int32 {
	n := len(text)
	d.last, d.now = grown(d.last, n), grown(d.now, n)
	d.from = grown(d.from, n*len(letters))
	for i, r := range letters {
		d.place(text, r, i)
		d.last, d.now = d.now, d.last
	}
	end := int(d.at[len(letters)-1])
	for j := end; j < n; j++ {
		if d.last[j] > d.last[end] {
			end = j
		}
	}
	best := d.last[end]
	for i := len(letters) - 1; i >= 0; i-- {
		d.at[i] = int32(end)
		end = int(d.from[i*n+end])
	}
	return best
}

// place finds the best scores with letter i of the word at each place.
func (d *desk) place(text []rune, r rune, i int) {
	n, left := len(text), int(d.at[0])
	if i > 0 {
		left = int(d.at[i-1]) + 1 // further left the letter before it has no place
	}
	apart, where := int32(never), 0 // the best so far with letters left out in between
	for j := left; j < n; j++ {
		if apart -= gapMore; i > 0 && j-2 >= left-1 && d.last[j-2]-gap > apart {
			apart, where = d.last[j-2]-gap, j-2
		}
		d.now[j] = never
		if text[j] != r {
			continue
		}
		switch {
		case i == 0:
			d.now[j] = perLetter + d.worth[j]
		case d.last[j-1]+max(together, d.worth[j]) >= apart+d.worth[j]:
			d.now[j], d.from[i*n+j] = d.last[j-1]+perLetter+max(together, d.worth[j]), int16(j-1)
		default:
			d.now[j], d.from[i*n+j] = apart+perLetter+d.worth[j], int16(where)
		}
	}
}

// solid finds the best place where all letters stand together.
func (d *desk) solid(text, letters []rune) (best int32, start int) {
	best = never
	for s := 0; s+len(letters) <= len(text); s++ {
		if text[s] != letters[0] || !begins(text[s:], letters) {
			continue
		}
		points := perLetter*int32(len(letters)) + d.worth[s] + unbroken
		for _, worth := range d.worth[s+1 : s+len(letters)] {
			points += max(together, worth)
		}
		if s == 0 {
			points += prefix
			if len(letters) == len(text) {
				points += whole
			}
		}
		if points > best {
			best, start = points, s
		}
	}
	return best, start
}

func begins(text, letters []rune) bool {
	for i, r := range letters {
		if text[i] != r {
			return false
		}
	}
	return true
}

// marks appends the bytes at which the letters of the word that was found last begin.
func (d *desk) marks(at []int, letters int) []int {
	for _, j := range d.at[:letters] {
		at = append(at, int(d.starts[j]))
	}
	return at
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}
