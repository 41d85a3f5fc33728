package ics

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"rein"
)

// What a file may hold. Files come from anywhere: none may take long or use much memory.
const (
	MaxFile   = 10 << 20 // bytes
	MaxEvents = 10_000
	maxLine   = 64 << 10 // bytes, after it was unfolded
	maxParams = 2 << 10  // bytes of a line before its value
	maxDepth  = 4
	maxZones  = 200
)

// A part is the lines of an event or a time zone of a file.
type part struct {
	name  string
	lines []string // with its BEGIN and END
	wrong string   // why it cannot be read; empty: it may be
	long  int      // lines that were left out because they are too long
}

// split finds the events and the time zones of a file. What is wrong with one of them does not keep the others from being
// read.
func split(data []byte) (parts []part, err error) {
	if len(data) > MaxFile {
		return nil, rein.Errorf(rein.CodeLimit, "the file has %d bytes; at most %d are read: export a shorter time, or split the file", len(data), MaxFile)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := splitter{}
	first, events, zones := true, 0, 0
	for line := range unfolded(data) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if first && !strings.EqualFold(strings.TrimSpace(line), "BEGIN:VCALENDAR") {
			return nil, rein.Errorf(rein.CodeInvalid, "this is not an iCalendar file: it begins with %.40q, and not with BEGIN:VCALENDAR", line)
		}
		first = false
		done, ok := s.take(line)
		if !ok {
			continue
		}
		switch done.name {
		case "VEVENT":
			if events++; events > MaxEvents {
				return nil, rein.Errorf(rein.CodeLimit, "the file has more than %d events: export a shorter time, or split the file", MaxEvents)
			}
			parts = append(parts, done)
		case "VTIMEZONE":
			if zones++; zones <= maxZones {
				parts = append(parts, done)
			}
		}
	}
	if first {
		return nil, rein.Errorf(rein.CodeInvalid, "the file is empty: an iCalendar file begins with BEGIN:VCALENDAR")
	}
	if s.depth > 1 && s.now.name == "VEVENT" {
		s.now.wrong = "the file ends in the middle of it: END:VEVENT is missing"
		parts = append(parts, s.now)
	}
	return parts, nil
}

// A splitter walks through the lines of a file.
type splitter struct {
	depth int
	now   part
}

// take takes one line, and returns the part that it ends, if it does.
func (s *splitter) take(line string) (done part, ok bool) {
	name, value, _ := strings.Cut(line, ":")
	name, value = strings.ToUpper(strings.TrimSpace(name)), strings.ToUpper(strings.TrimSpace(value))
	switch {
	case name == "BEGIN":
		s.depth++
		if value == "VCALENDAR" || s.depth > 2 && value == "VEVENT" {
			// A calendar or an event begins anew: whatever was not ended is given up.
			done, ok = s.now, s.depth > 2 && s.now.name == "VEVENT"
			done.wrong = "END:VEVENT is missing"
			s.depth = 1
			if value == "VEVENT" {
				s.depth = 2
			}
			s.now = part{name: value}
		} else if s.depth == 2 {
			s.now = part{name: value}
		}
	case name == "END" && s.depth > 0:
		s.depth--
		if s.depth == 1 {
			s.add(line)
			done, s.now = s.now, part{}
			if done.name != value {
				done.wrong = "it begins as " + done.name + " and ends as another part"
			}
			return done, true
		}
	}
	if s.depth >= 2 {
		s.add(line)
	}
	return done, ok
}

// add keeps a line of a part, unless it is too long to be read: that is an attachment.
func (s *splitter) add(line string) {
	switch {
	case s.depth > maxDepth:
		s.now.wrong = "its parts are nested too deep"
	case len(line) > maxLine || paramsOf(line) > maxParams:
		s.now.long++
	case s.now.wrong == "":
		s.now.lines = append(s.now.lines, strings.ToValidUTF8(line, "\ufffd"))
	}
}

// paramsOf returns how many bytes of a line stand before its value.
func paramsOf(line string) int {
	quoted := false
	for i := range len(line) {
		switch line[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				return i
			}
		}
	}
	return len(line)
}

// unfolded returns the lines of a file. A line that begins with a space or a tab goes on with the one before.
func unfolded(data []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var line []byte
		has := false
		for len(data) > 0 {
			at := bytes.IndexAny(data, "\r\n")
			next, rest := data, []byte(nil)
			if at >= 0 {
				next, rest = data[:at], data[at+1:]
				if data[at] == '\r' && len(rest) > 0 && rest[0] == '\n' {
					rest = rest[1:]
				}
			}
			data = rest
			if len(next) > 0 && (next[0] == ' ' || next[0] == '\t') && has {
				if len(line) <= maxLine { // more of it is not needed to see that it is too long
					line = append(line, next[1:]...)
				}
				continue
			}
			if has && !yield(string(line)) {
				return
			}
			line, has = append(line[:0], next...), true
		}
		if has {
			yield(string(line))
		}
	}
}

// foldAt is how many bytes a line has that is written.
const foldAt = 75

// fold writes long lines as several, as RFC 5545 wants them, and never in the middle of a letter.
func fold(data []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.SplitSeq(bytes.TrimSuffix(data, []byte("\r\n")), []byte("\r\n")) {
		room := foldAt
		for len(line) > room {
			at := room
			for at > 0 && !utf8.RuneStart(line[at]) {
				at--
			}
			out.Write(line[:at])
			out.WriteString("\r\n ")
			line, room = line[at:], foldAt-1
		}
		out.Write(line)
		out.WriteString("\r\n")
	}
	return out.Bytes()
}
