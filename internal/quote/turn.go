package quote

import (
	"strings"
	"unicode/utf8"
)

// Chat templates of models that people run themselves mark who speaks with plain text. Outside text
// that holds such a mark would end its own turn and begin another's. These are the marks, folded, as
// they stand between brackets; "<|name" is known for itself.
var (
	pointed   = names("s bos eos start_of_turn end_of_turn sys think tool_response")
	bracketed = names("inst system_prompt available_tools tool_calls tool_results")
)

func names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[fold(name)] = true
	}
	return set
}

// maxMark is how far a mark goes, with what is thrown in to disguise it.
const maxMark = 64

// takesTurn reports whether the text after a bracket is the rest of a mark: its name in any disguise,
// and the bracket that closes it.
func takesTurn(text string, marks map[string]bool) bool {
	seen := make([]byte, 0, 24)
	for n := 0; n < maxMark && text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		text, n = text[size:], n+size
		switch {
		case strings.ContainsRune(">]＞］", r):
			return marks[string(seen)]
		case ignored(r):
			continue
		}
		c := latin(r)
		if c == 0 || len(seen) == cap(seen) {
			return false
		}
		seen = append(seen, c)
	}
	return false
}
