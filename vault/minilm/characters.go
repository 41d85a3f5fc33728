package minilm

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A class says what the tokenizer does with a character.
type class int

const (
	letter    class = iota // part of a word
	separator              // ends a word
	alone                  // a word of its own: punctuation, ideographs
	accent                 // left out, but belongs to the character before
	ignored                // left out
)

// classify sorts characters as BERT's uncased tokenizer does.
func classify(r rune) class {
	switch {
	case r == ' ' || r == '\t' || r == '\n' || r == '\r':
		return separator
	case r < utf8.RuneSelf:
		return classifyASCII(r)
	case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return ignored
	case unicode.IsSpace(r):
		return separator
	case unicode.Is(unicode.Mn, r):
		return accent
	case unicode.IsPunct(r) || isIdeograph(r):
		return alone
	}
	return letter
}

func classifyASCII(r rune) class {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
		return letter
	case r < ' ' || r == 0x7f:
		return ignored
	}
	return alone // symbols too, such as $ and +
}

// isIdeograph is about Chinese characters; Japanese syllables and Korean are letters.
func isIdeograph(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0xF900 <= r && r <= 0xFAFF ||
		0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F
}

func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return unicode.ToLower(r)
}

// decompose appends a character as its letter and its accents.
func decompose(out []byte, r rune) []byte {
	var encoded [utf8.UTFMax]byte
	return norm.NFD.Append(out, utf8.AppendRune(encoded[:0], r)...)
}
