package minilm

import (
	"iter"
	"unicode/utf8"
)

// A Token is a piece of a word, a mark or an ideograph.
type Token struct {
	ID int32
	// The bytes of the text that it stands for. Two tokens can be of one character, if that consists
	// of several, as a Korean syllable does.
	Start, End int
	// Word: it begins a word, so that cutting the text before it changes no token.
	Word bool
}

func (v *vocabulary) tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanner{vocabulary: v, text: text, yield: yield}
		s.scan()
	}
}

// longestWord is beyond what the model was taught: a longer word is one unknown token.
const longestWord = 100 // characters

// A scanner reads a text once. Its memory does not grow with the text: of a word it keeps no more
// than longestWord and one.
type scanner struct {
	*vocabulary
	text  string
	yield func(Token) bool
	done  bool // yield wants no more

	word       []byte // normalised
	origin     []span // of each byte of word
	characters int
	pieces     []piece
	decomposed []byte
}

type span struct{ start, end int }

func (s *scanner) scan() {
	for at := 0; at < len(s.text) && !s.done; {
		r, size := utf8.DecodeRuneInString(s.text[at:])
		here := span{at, at + size}
		at += size
		if r < utf8.RuneSelf {
			s.take(r, here)
			continue
		}
		s.decomposed = decompose(s.decomposed[:0], r)
		for rest := s.decomposed; len(rest) > 0 && !s.done; {
			part, partSize := utf8.DecodeRune(rest)
			rest = rest[partSize:]
			s.take(part, here)
		}
	}
	s.flush()
}

func (s *scanner) take(r rune, here span) {
	switch classify(r) {
	case letter:
		s.add(r, here)
	case separator:
		s.flush()
	case alone:
		s.flush()
		s.add(r, here)
		s.flush()
	case accent:
		s.extend(here.end)
	case ignored:
	}
}

// add appends a character to the word.
func (s *scanner) add(r rune, here span) {
	s.characters++
	if s.characters > longestWord+1 {
		s.extend(here.end)
		return
	}
	before := len(s.word)
	s.word = utf8.AppendRune(s.word, lower(r))
	for range len(s.word) - before {
		s.origin = append(s.origin, here)
	}
}

// extend says that the last character of the word goes on to end.
func (s *scanner) extend(end int) {
	for i := len(s.origin) - 1; i >= 0; i-- {
		s.origin[i].end = end
		if utf8.RuneStart(s.word[i]) {
			return
		}
	}
}

// flush ends the word and yields its pieces.
func (s *scanner) flush() {
	if len(s.word) > 0 && !s.done {
		if s.divide() {
			s.yieldPieces()
		} else {
			s.done = !s.yield(Token{ID: s.undivided, Start: s.origin[0].start, End: s.origin[len(s.origin)-1].end, Word: true})
		}
	}
	s.word, s.origin, s.characters = s.word[:0], s.origin[:0], 0
}

// A piece is an entry of the vocabulary and where it ends in the word.
type piece struct {
	id  int32
	end int
}

// divide finds the longest piece that the word begins with, then the longest that goes on, and so
// forth. It reports whether there were pieces for all of the word.
func (s *scanner) divide() bool {
	if s.characters > longestWord {
		return false
	}
	s.pieces = s.pieces[:0]
	entries := s.first
	for start := 0; start < len(s.word); {
		p, ok := longestPiece(entries, s.word, start, s.longest)
		if !ok {
			return false
		}
		s.pieces = append(s.pieces, p)
		start = p.end
		entries = s.later
	}
	return true
}

func longestPiece(entries map[string]int32, word []byte, start, longest int) (piece, bool) {
	for end := min(len(word), start+longest); end > start; end-- {
		if end < len(word) && !utf8.RuneStart(word[end]) {
			continue
		}
		if id, ok := entries[string(word[start:end])]; ok {
			return piece{id, end}, true
		}
	}
	return piece{}, false
}

func (s *scanner) yieldPieces() {
	start := 0
	for i, p := range s.pieces {
		if !s.yield(Token{ID: p.id, Start: s.origin[start].start, End: s.origin[p.end-1].end, Word: i == 0}) {
			s.done = true
			return
		}
		start = p.end
	}
}
