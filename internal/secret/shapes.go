package secret

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"rein"
)

// A Shape is a kind of secret that can be told by how it looks. If the expression has a group, the
// group is the secret and the rest its surroundings.
type Shape struct {
	kind string
	re   *regexp.Regexp
	// hints are what to look for first, as that is cheap: one of them is in every match, and if near
	// is not nil, it is true for what comes after. Without hints, the whole text is matched.
	hints []string
	// framed says that every match has the group, so that its surroundings are known not to be secret.
	framed bool
	place  place
	// bare is how much of a match stays if it stands inside a word. It is no secret but a prefix, and if
	// it went too, the end of many a word would have to wait until one knows that the word ends there.
	bare int
	near func(after string) bool
	// likely, if not nil, has the last word: it is false for what only stands for a secret.
	likely func(secret string) bool
}

// A place is where a shape counts.
type place int

const (
	asMatched place = iota // wherever its expression says
	anywhere               // everywhere; inside a word its prefix stays
	atEdge                 // at the edge of a word, and behind an escape
)

// minBare is the size of the shortest prefix, such as eyJ.
const minBare = 3

// A trail is what stands before a place, the nearest last; -1 is nothing.
type trail [3]rune

var noTrail = trail{-1, -1, -1}

func (t trail) last() rune { return t[2] }

func (t trail) and(r rune) trail { return trail{t[1], t[2], r} }

// trailOf returns what stands before a place in a text. Only ASCII counts.
func trailOf(text string) trail {
	t := noTrail
	for _, b := range []byte(text[max(len(text)-len(t), 0):]) {
		t = t.and(rune(b))
	}
	return t
}

// inWord reports whether what follows goes on with a word, as \b has it, and not behind an escape.
func (t trail) inWord() bool {
	switch {
	case t[1] == '\\' && (t[2] == 'n' || t[2] == 'r' || t[2] == 't'), t[0] == '%' && isHex(t[1]) && isHex(t[2]):
		return false
	}
	return syntax.IsWordChar(t[2])
}

func isHex(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'F' || r >= 'a' && r <= 'f'
}

// solid is true if there is no end of a word for a while.
func solid(after string) bool {
	return len(after) >= 20 && !strings.ContainsAny(after[:20], " \t\r\n\"'`.,;:()[]{}<>/")
}

// assigned is true if the name that the hint is part of is given a value.
func assigned(after string) bool { return hasSign(after, ":=") }

// given is assigned, or a value follows as in a list of arguments.
func given(after string) bool { return hasSign(after, ":=,") }

func hasSign(after, signs string) bool {
	after = strings.TrimLeft(after[:min(len(after), 80)], "_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	after = strings.TrimLeft(after, "\\\"' \t\r\n")
	return after != "" && strings.Contains(signs, after[:1])
}

// signedIn is true if the address that follows names a user.
func signedIn(after string) bool {
	end := strings.IndexAny(after, "@/ \t\r\n\"'<>?#")
	return end >= 0 && after[end] == '@'
}

// genuine is false for what stands for a secret in examples and templates.
func genuine(secret string) bool {
	for _, prefix := range []string{"$", "{", "<", "%(", "%s", "%v", rein.Mask} {
		if strings.HasPrefix(secret, prefix) {
			return false
		}
	}
	return strings.Trim(secret, "*xX.-_") != ""
}

// random is true for values that are not words, names of other values, or paths.
func random(secret string) bool {
	return genuine(secret) && !strings.HasPrefix(secret, "/") &&
		strings.ContainsFunc(secret, unicode.IsDigit) && strings.ContainsFunc(secret, unicode.IsLetter)
}
