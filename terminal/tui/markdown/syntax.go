package markdown

import "strings"

// A language is what can be told apart in its code without understanding it. That is less than a highlighter with a
// grammar for each language knows, and takes the same time for every text, whoever wrote it.
type language struct {
	words    map[string]bool
	anyCase  bool        // words may be written in capitals
	comments []string    // begin a comment that ends with the line
	spans    [][2]string // begin and end a comment that may be longer
	quotes   string      // begin and end a literal on one line
	long     []string    // begin and end a literal that may be longer
	diff     bool        // lines are added and removed
}

// A state is what a line of code begins in.
type state struct {
	end string // what ends the comment or literal
	pen pen
}

// coloured returns a line of code as spans.
func (d *drawer) coloured(l *language, line string) []span {
	switch {
	case l == nil:
		return []span{{text: line}}
	case l.diff:
		return []span{{line, diffPen(line)}}
	}
	s := scanner{language: l, state: d.state, line: line}
	for s.at < len(line) {
		s.next()
	}
	s.emit(0)
	d.state = s.state
	return s.spans
}

func diffPen(line string) pen {
	switch {
	case strings.HasPrefix(line, "+"):
		return added
	case strings.HasPrefix(line, "-"):
		return removed
	case strings.HasPrefix(line, "@@"):
		return fact
	}
	return 0
}

// A scanner reads one line of code.
type scanner struct {
	*language
	state
	line     string
	from, at int // what was read and has no span yet
	spans    []span
}

// emit makes a span of what was read.
func (s *scanner) emit(k pen) {
	text := s.line[s.from:s.at]
	s.from = s.at
	if last := len(s.spans) - 1; last >= 0 && s.spans[last].pen == k {
		s.spans[last].text += text
	} else if text != "" {
		s.spans = append(s.spans, span{text, k})
	}
}

// take makes a span of the next bytes.
func (s *scanner) take(n int, k pen) {
	s.emit(0)
	s.at += n
	s.emit(k)
}

func (s *scanner) next() {
	rest := s.line[s.at:]
	if s.end != "" {
		s.inside(rest)
		return
	}
	if s.comment(rest) || s.literal(rest) {
		return
	}
	switch c := rest[0]; {
	case isLetter(c):
		s.word(rest)
	case c >= '0' && c <= '9':
		s.take(length(rest, func(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '.' }), fact)
	default:
		s.at++
	}
}

// inside reads on to the end of a comment or literal.
func (s *scanner) inside(rest string) {
	k, n := s.pen, strings.Index(rest, s.end)
	if n < 0 {
		n = len(rest)
	} else {
		n += len(s.end)
		s.state = state{}
	}
	s.take(n, k)
}

func (s *scanner) comment(rest string) bool {
	for _, begin := range s.comments {
		if strings.HasPrefix(rest, begin) && (begin != "#" || s.at == 0 || s.line[s.at-1] == ' ') {
			s.take(len(rest), dim)
			return true
		}
	}
	for _, c := range s.language.spans {
		if strings.HasPrefix(rest, c[0]) {
			s.state = state{c[1], dim}
			s.take(len(c[0]), dim)
			return true
		}
	}
	return false
}

func (s *scanner) literal(rest string) bool {
	for _, quote := range s.long {
		if strings.HasPrefix(rest, quote) {
			s.state = state{quote, literal}
			s.take(len(quote), literal)
			return true
		}
	}
	if strings.IndexByte(s.quotes, rest[0]) < 0 {
		return false
	}
	for i := 1; i < len(rest); i++ { // one without an end is an apostrophe
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			s.take(i+1, literal)
			return true
		}
	}
	return false
}

func (s *scanner) word(rest string) {
	n := length(rest, func(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' })
	w := rest[:n]
	if s.anyCase {
		w = strings.ToLower(w)
	}
	if s.words[w] {
		s.take(n, keyword)
	} else {
		s.at += n
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

func length(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}
