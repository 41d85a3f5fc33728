package pick

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain is a letter without its accent.
func plain(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	var own [utf8.UTFMax]byte
	parts := norm.NFD.Properties(own[:utf8.EncodeRune(own[:], r)]).Decomposition()
	if len(parts) == 0 {
		return r
	}
	r, _ = utf8.DecodeRune(parts)
	return r
}

// isMark reports whether a character is an accent that stands behind its letter.
func isMark(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r) }

func lower(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

func isUpper(r rune) bool { return r != lower(r) }

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// bonus is what a letter is worth for where it stands.
func bonus(before, r rune) int32 {
	switch {
	case before < 0:
		return firstOfAll
	case before == '/' || before == '\\':
		return firstOfPath
	case !isWord(before) && isWord(r):
		return firstOfWord
	case isUpper(r) && !isUpper(before):
		return hump
	}
	return 0
}
