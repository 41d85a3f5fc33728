// Package near finds the word that somebody probably meant, for error messages.
package near

import "fmt"

// Word returns the nearest of the right words, or "" if none is near: at most two letters may be
// wrong, or half of them in a longer word, and of more than one wrong letter not the first.
func Word(typed string, right []string) string {
	if typed == "" {
		return ""
	}
	best, least := "", max(3, len(typed)/2+1) // a short word may have two letters in the wrong order
	for _, w := range right {
		if d := distance(typed, w); d < least && d < len(w) && (d == 1 || typed[:1] == w[:1]) {
			best, least = w, d
		}
	}
	return best
}

// DidYouMean proposes the nearest word as the end of an error message, or is empty.
func DidYouMean(typed string, right []string) string {
	if best := Word(typed, right); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// distance is the number of bytes to insert, delete or replace to make b of a. Words that cannot
// be near are not measured, so that a long line costs nothing.
func distance(a, b string) int {
	if len(a) > 2*len(b)+2 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
