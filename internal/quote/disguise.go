package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded are the names of our tags as disguised compares them.
var folded = []string{fold(UntrustedTag), fold(ResultTag), fold(CallTag)}

// disguised reports whether the text after an opener reads like the rest of one of our tags to
// somebody who does not look closely: in any case, with spaces, slashes, invisible characters or
// accents thrown in, in letters that only look Latin, and whatever comes after the name. It also
// reports "<|name", by which chat templates mark who speaks.
//
// It never reads beyond the next opener, so that a whole text takes linear time.
func disguised(text, extra string) bool {
	seen := make([]byte, 0, 16)
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		if len(seen) == 0 && (r == '|' || r == '｜') {
			next, _ := utf8.DecodeRuneInString(text)
			return unicode.IsLetter(next)
		}
		if ignored(r) {
			continue
		}
		seen = append(seen, latin(r))
		begun := false
		for _, name := range folded {
			begun = begun || strings.HasPrefix(name, string(seen))
			if name == string(seen) {
				return true
			}
		}
		if extra != "" && extra == string(seen) {
			return true
		}
		if !begun && !strings.HasPrefix(extra, string(seen)) {
			return false
		}
	}
	return false
}

// fold writes a tag as disguised sees it.
func fold(tag string) string {
	var b strings.Builder
	for _, r := range tag {
		if !ignored(r) {
			b.WriteByte(latin(r))
		}
	}
	return b.String()
}

// ignored reports whether a reader may not see the character inside a tag, or see through it. NUL
// and what is no text are not among them: they are escaped themselves, and so would not be there on
// the way back.
func ignored(r rune) bool {
	switch r {
	case 0, utf8.RuneError:
		return false
	case '/', '\\', '_', '-', '⁄', '∕', '／':
		return true
	}
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me, unicode.Pc, unicode.Pd) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// lookalikes are letters of other scripts, by the letters of our tags that they look like.
var lookalikes = map[byte]string{
	'a': "аαΑАàáâãäåāăąɑᴀ",
	'c': "сϲСϹçćĉċčᴄⅽ",
	'd': "ԁɗďđᴅⅾ",
	'e': "еЕεΕèéêëēĕėęěᴇ",
	'l': "ӏІⅼĺļľłʟ",
	'n': "пΝηñńņňɴ",
	'o': "оОοΟօòóôõöøōŏőᴏ",
	'r': "гŕŗřʀ",
	's': "ѕЅśŝşšșꜱſ",
	't': "тТτΤţťŧțᴛ",
	'u': "υսμùúûüũūŭůűųᴜ",
}

// latin returns the lower-case ASCII letter that a character looks like, or 0.
func latin(r rune) byte {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return byte(r)
	case r >= 'A' && r <= 'Z':
		return byte(r) + 'a' - 'A'
	case r < utf8.RuneSelf:
		return 0
	case r >= 'Ａ' && r <= 'Ｚ':
		return byte(r-'Ａ') + 'a'
	case r >= 'ａ' && r <= 'ｚ':
		return byte(r-'ａ') + 'a'
	case r >= 'Ⓐ' && r <= 'ⓩ':
		return byte((r-'Ⓐ')%26) + 'a'
	case r >= 0x1D400 && r <= 0x1D6A3: // the mathematical alphabets
		return byte((r-0x1D400)%26) + 'a'
	}
	for letter, others := range lookalikes {
		if strings.ContainsRune(others, r) {
			return letter
		}
	}
	return 0
}
