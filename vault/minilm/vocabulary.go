package minilm

import "strings"

// continuation marks the entries of the vocabulary that go on with a word.
const continuation = "##"

// A vocabulary has the pieces that words are made of. Pieces that begin a word and pieces that go on
// with one are kept apart, so that none need be put together to be looked up.
type vocabulary struct {
	first, later                map[string]int32
	longest                     int // bytes
	opening, closing, undivided int32
}

// newVocabulary reads a text with an entry on each line; the number of the line is its ID.
func newVocabulary(text string) *vocabulary {
	const size = 1 << 15
	v := &vocabulary{first: make(map[string]int32, size), later: make(map[string]int32, size/4)}
	var id int32
	for line := range strings.Lines(text) {
		entry := strings.TrimRight(line, "\r\n")
		if piece, ok := strings.CutPrefix(entry, continuation); ok && piece != "" {
			v.later[piece] = id
		} else {
			v.first[entry] = id
		}
		v.longest = max(v.longest, len(entry))
		id++
	}
	v.opening, v.closing, v.undivided = v.first["[CLS]"], v.first["[SEP]"], v.first["[UNK]"]
	return v
}

// encode appends what the model reads of a text: its tokens, at most limit with the two that enclose them.
func (v *vocabulary) encode(ids []int32, text string, limit int) []int32 {
	ids = append(ids, v.opening)
	for token := range v.tokens(text) {
		if len(ids) == limit-1 {
			break
		}
		ids = append(ids, token.ID)
	}
	return append(ids, v.closing)
}
