package parse

import "unicode"

// isHidden reports whether a character shows nothing, or moves what stands beside it: control and
// format characters (bidi, zero-width, tags), blanks other than the common ones, fillers, and
// what has no meaning in Unicode.
func isHidden(r rune) bool {
	switch {
	case r == ' ', r == '\t', r == '\n':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case unicode.In(r, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == '\ufffd', r == '\u2800': // a sign for what could not be read; an empty Braille cell
		return true
	}
	return !unicode.IsPrint(r)
}
