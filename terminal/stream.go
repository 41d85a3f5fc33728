package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rein"
)

// A stream writes the text of models to standard output as it comes. Its pieces are cut anywhere, so
// what could be half of something waits for the rest.
type stream struct {
	out     *Output
	step    rein.StepKey // whose text is being written
	attempt int
	came    strings.Builder           // of that text
	written strings.Builder           // as it was shown
	shape   func(whole string) string // what can be shown of what came; nil: all of it
	half    string
	midline bool // the last line on the terminal is not complete
	cut     bool // and was ended in the middle, so that something else could be shown
	rows    rows // of the text, at a terminal
}

// piece writes a piece of a step's text. A new attempt starts that text again.
func (s *stream) piece(d rein.Delta) {
	if d.Step != s.step {
		s.begin(d.Step, d.Attempt)
	}
	if d.Attempt > s.attempt {
		s.endLine()
		s.out.Note("%s", s.out.Screen.Paint(Quiet, s.out.Screen.signs.note+" again from the start"))
		s.begin(d.Step, d.Attempt)
	}
	if d.Attempt < s.attempt || d.Offset != s.came.Len() {
		return // the whole text comes with the end of the step
	}
	s.came.WriteString(d.Text)
	if s.shape == nil {
		s.write(d.Text)
	} else if more, ok := strings.CutPrefix(s.shape(s.came.String()), s.written.String()); ok {
		s.write(more)
	}
}

func (s *stream) begin(step rein.StepKey, attempt int) {
	s.flushHalf()
	s.step, s.attempt, s.cut = step, attempt, false
	s.came.Reset()
	s.written.Reset()
}

// whole completes a step's text: what was not streamed of it is written now.
func (s *stream) whole(step rein.StepKey, text string) {
	if step != s.step {
		s.begin(step, 0)
	}
	switch rest, ok := goesOn(s.written.String(), text); {
	case ok && strings.TrimSpace(rest) != "":
		s.write(rest)
	case !ok: // not what was streamed: what is recorded counts
		s.endLine()
		s.out.Note("%s", s.out.Screen.Paint(Quiet, s.out.Screen.signs.note+" what was recorded is different, and counts:"))
		s.begin(step, s.attempt)
		s.write(text)
	}
	s.endLine()
}

// goesOn reports whether a text begins with what was written, and returns what it has behind it. White
// space does not matter: it is trimmed where a text is recorded.
func goesOn(written, text string) (rest string, ok bool) {
	for {
		written, rest = strings.TrimLeftFunc(written, unicode.IsSpace), strings.TrimLeftFunc(text, unicode.IsSpace)
		if written == "" {
			return text, true
		}
		w := written[:len(written)-len(strings.TrimLeftFunc(written, notSpace))]
		t := rest[:len(rest)-len(strings.TrimLeftFunc(rest, notSpace))]
		if len(w) == len(written) && strings.HasPrefix(t, w) {
			return rest[len(w):], true // in the middle of a word
		}
		if w != t {
			return "", false
		}
		written, text = written[len(w):], rest[len(t):]
	}
}

func notSpace(r rune) bool { return !unicode.IsSpace(r) }

func (s *stream) write(text string) {
	if text == "" {
		return
	}
	s.written.WriteString(text)
	text = s.half + text
	whole := len(text) - unfinished(text)
	if s.out.Screen.lines {
		whole = strings.LastIndexByte(text, '\n') + 1
	}
	s.half = text[whole:]
	s.print(text[:whole])
}

func (s *stream) print(text string) {
	if s.cut {
		text = strings.TrimLeft(text, " ") // the rest begins a row of its own
	}
	if text == "" {
		return
	}
	s.midline, s.cut = !strings.HasSuffix(text, "\n"), false
	text = safeLines(text)
	if s.out.Screen.Text {
		s.rows.signs, s.rows.width = s.out.Screen.signs, s.out.Screen.Columns()
		resumed := s.rows.resume()
		if text[0] == '\n' {
			resumed = "" // nothing more comes on the row
		}
		text = resumed + s.rows.add(text)
	}
	s.out.Print("%s", text)
	s.out.Stdout.Flush() // Close reports a failure
}

// unfinished is how many bytes at the end may be the beginning of a character or of a line's end.
func unfinished(text string) int {
	if strings.HasSuffix(text, "\r") {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRuneInString(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

func (s *stream) flushHalf() {
	half := s.half
	s.half = ""
	s.print(half)
}

// endLine completes the line, so that whatever comes next begins on its own.
func (s *stream) endLine() {
	s.flushHalf()
	if s.midline {
		s.print("\n")
		s.cut = true
	}
}
