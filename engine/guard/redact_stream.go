package guard

import (
	"slices"
	"unicode/utf8"

	"rein/internal/secret"
)

// A Stream takes the secrets out of a text while it is written. It holds back only an end that may
// still become a secret. However the text is cut into pieces, the same comes out.
type Stream struct {
	redactor *Redactor
	watcher  *secret.Watcher
	text     []byte // what came out so far, and what is held back
	heard    []byte // what was written, once it is not the same as text any more
	parted   bool   // it is not
	read     int    // how much of the text the watcher has seen
	out      int    // how much came out
	kinds    []string
	blocked  bool
}

// Stream begins a text.
func (r *Redactor) Stream() *Stream {
	return &Stream{redactor: r, watcher: secret.NewWatcher(r.lookout(), 0, -1)}
}

func (r *Redactor) lookout() *secret.Lookout {
	if r == nil {
		return secret.WellKnown()
	}
	return r.look
}

// Write takes the next piece and returns what may be shown by now.
func (s *Stream) Write(piece string) string {
	from := s.out
	if s.blocked {
		s.hear(piece)
	}
	for rest := piece; rest != "" && !s.blocked; {
		n := min(len(rest), 4096) // what follows a secret is moved when it is replaced: let it be little
		s.text = append(roomFor(s.text, n), rest[:n]...)
		s.hear(rest[:n])
		rest = rest[n:]
		s.watch(false)
		s.release(min(s.watcher.Settled(), s.read))
		if s.blocked {
			s.hear(rest)
		}
	}
	if string(s.text[from:s.out]) == piece {
		return piece // most are let out as they came
	}
	return string(s.text[from:s.out])
}

// roomFor returns the text with room for so many bytes more. A long one grows by an eighth, not by a quarter as with
// append: a thousand may be written at once.
func roomFor(text []byte, n int) []byte {
	if len(text)+n <= cap(text) || len(text) < longText {
		return text
	}
	return append(make([]byte, 0, len(text)+n+len(text)/8), text...)
}

const longText = 16 << 10

// Close ends the text and returns the rest. Nothing may be written after it.
func (s *Stream) Close() string {
	from := s.out
	if !s.blocked {
		s.watch(true)
	}
	s.release(len(s.text))
	s.watcher.Release()
	s.watcher = nil
	return string(s.text[from:])
}

// Cut ends a text that was cut off and returns the rest, unless that may be the greater part of a
// secret: then it is lost, and so is every part of a value whose name says that it is one.
func (s *Stream) Cut() string {
	from, end := s.out, max(min(len(s.text), s.watcher.Value()), s.out)
	s.text = s.text[:end]
	if end-from >= minSecret {
		return ""
	}
	if end < s.read { // the watcher has read what is lost
		s.out = end
		return string(s.text[from:])
	}
	return s.Close()
}

// Said is all that came out so far. It is not changed any more: what follows is written behind it.
func (s *Stream) Said() []byte { return s.text[:s.out:s.out] }

// Heard is all that was written, with its secrets. It takes no memory unless there were some. It is not changed any
// more: what follows is written behind it, and what comes out is another text from the first secret on.
func (s *Stream) Heard() []byte {
	if s.parted {
		return slices.Clip(s.heard)
	}
	return slices.Clip(s.text)
}

// hear keeps a piece as it came, if the text does not have it so.
func (s *Stream) hear(piece string) {
	if s.parted {
		s.heard = append(s.heard, piece...)
	}
}

// part is called before the text is changed: what was written stays where it is, and others may have it.
func (s *Stream) part() {
	if !s.parted {
		s.parted, s.heard, s.text = true, s.text, slices.Clone(s.text)
	}
}

// Kinds are the kinds of secrets that were taken out, sorted.
func (s *Stream) Kinds() []string {
	slices.Sort(s.kinds)
	return slices.Compact(s.kinds)
}

// watch reads on. A character that is cut in two waits for its other half, unless the text is over.
func (s *Stream) watch(over bool) {
	for s.read < len(s.text) && !s.blocked {
		rest := s.text[s.read:]
		if !over && !utf8.FullRune(rest) {
			return
		}
		r, size := utf8.DecodeRune(rest)
		s.watcher.Read(r, size)
		s.read += size
		if s.watcher.Hit != secret.NoHit && s.watcher.IsWhole() {
			s.take()
		}
	}
	if !over || s.blocked {
		return
	}
	s.watcher.End()
	if s.watcher.Hit != secret.NoHit && s.take() {
		s.watch(true) // what follows the last secret
	}
}

// context is how much of the text before a secret is looked at to tell what it is.
const context = 512

// take replaces the secrets that the watcher has seen. It reports whether there were any: many turn
// out to be something else when they are looked at closely.
func (s *Stream) take() bool {
	hit := s.watcher.Hit
	from := max(hit-context, 0)
	for from > 0 && !utf8.RuneStart(s.text[from]) {
		from--
	}
	before, part := hit-from, string(s.text[from:s.read])
	tail := len(part)                // how much of the part comes after the last secret
	known := s.watcher.HitEnd - from // what begins behind it may not have come to its end
	for range passes {
		found := beginning(s.redactor.spans(part), before, known)
		if len(found) == 0 {
			break
		}
		for _, sp := range found {
			s.kinds = append(s.kinds, sp.Kind)
			s.blocked = s.blocked || sp.block
			tail = min(tail, len(part)-sp.To)
		}
		part = replace(part, found)
		known = len(part) - tail
	}
	if tail == s.read-from {
		s.watcher.Hit = secret.NoHit
		return false
	}
	s.put(hit, part[before:len(part)-tail], s.read-tail)
	return true
}

// beginning returns the spans that begin within two places, and the ends of those that begin before
// them: that much was let out.
func beginning(spans []span, from, to int) []span {
	var found []span
	for _, sp := range spans {
		sp.From = max(sp.From, from)
		if sp.To > sp.From && sp.From < to {
			found = append(found, sp)
		}
	}
	return found
}

// put writes clean text in the place of secrets and reads on behind it, so that what follows is seen
// beside the label.
func (s *Stream) put(from int, clean string, to int) {
	s.part()
	rest := slices.Clone(s.text[to:])
	s.text = append(s.text[:from], clean...)
	s.read = len(s.text)
	if s.blocked {
		s.text = append(s.text, " [the rest was withheld]"...)
		return
	}
	last, _ := utf8.DecodeLastRune(s.text)
	s.watcher.Release()
	s.watcher = secret.NewWatcher(s.redactor.lookout(), s.read, last)
	s.text = append(s.text, rest...)
}

// release lets the text out up to a place.
func (s *Stream) release(to int) {
	if s.blocked {
		to = len(s.text)
	}
	s.out = max(s.out, to)
}
