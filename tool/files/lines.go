package files

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
)

const (
	// windowSize is how much of a file is searched at once.
	windowSize = 64 << 10
	// maxLine is how much of a line is searched.
	maxLine = 1 << 20
	// maxWide is how large a file in UTF-16 may be.
	maxWide = 16 << 20
)

// A lineSearch looks for a needle in the lines of one file.
type lineSearch struct {
	needle needle
	around int // lines of context that are wanted
	// hit takes a line that matches, with where the match is, and the lines before it that are wanted. It
	// returns false if it has enough. beside takes a line after a match.
	hit    func(number int, line []byte, at []int, before [][]byte) bool
	beside func(number int, line []byte)

	number int // of the last line
	before [][]byte
	after  int  // lines of context that are still wanted
	over   bool // hit has enough
	bytes  int64
}

// run searches a file until its end. errBinary: it has a NUL byte, as ripgrep decides it.
func (s *lineSearch) run(ctx context.Context, in io.Reader) error {
	buf := make([]byte, windowSize)
	have, skip, first := 0, false, true
	for !s.over {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := io.ReadFull(in, buf[have:])
		s.bytes += int64(n)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return err
		}
		data := buf[:have+n]
		if first {
			if wide := wideOrder(data); wide != nil {
				return s.wide(ctx, wide, io.MultiReader(bytes.NewReader(data[2:]), in))
			}
			data = bytes.TrimPrefix(data, []byte("\ufeff"))
			first = false
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return errBinary
		}
		data, skip = dropLine(data, skip)
		rest := s.window(data, ended)
		if ended {
			return nil
		}
		if len(rest) >= maxLine { // the line goes on: its beginning is all that is searched
			s.line(rest)
			rest, skip = nil, true
		}
		buf, have = refill(buf, rest)
	}
	return nil
}

// dropLine drops what is left of a line that was too long.
func dropLine(data []byte, skip bool) ([]byte, bool) {
	if !skip {
		return data, false
	}
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return nil, true
	}
	return data[i+1:], false
}

// refill puts what was not searched yet at the beginning of the buffer, and makes room behind it.
func refill(buf, rest []byte) ([]byte, int) {
	if len(rest) > len(buf)/2 {
		bigger := make([]byte, 2*len(buf))
		return bigger, copy(bigger, rest)
	}
	return buf, copy(buf, rest)
}

// window searches whole lines, and returns the beginning of one that has not ended.
func (s *lineSearch) window(data []byte, ended bool) []byte {
	whole := bytes.LastIndexByte(data, '\n') + 1
	if ended {
		whole = len(data)
	}
	lines, rest := data[:whole], data[whole:]
	if s.around == 0 && isASCII(s.needle.part) && !s.needle.maybe(lines) {
		s.number += bytes.Count(lines, []byte("\n"))
		return rest
	}
	for line := range bytes.Lines(lines) {
		if s.over {
			break
		}
		s.line(bytes.TrimSuffix(line, []byte("\n")))
	}
	return rest
}

// line looks at one line.
func (s *lineSearch) line(line []byte) {
	s.number++
	line = readable(bytes.TrimSuffix(line, []byte("\r")))
	at := s.needle.find(line)
	switch {
	case at != nil:
		s.over = !s.hit(s.number, line, at, s.before)
		s.before, s.after = nil, s.around
	case s.after > 0:
		s.after--
		s.beside(s.number, line)
	case s.around > 0:
		if len(s.before) == s.around {
			s.before = s.before[1:]
		}
		s.before = append(s.before, bytes.Clone(line))
	}
}

// isASCII reports whether a text is the same in every encoding that is read.
func isASCII(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
}

// wideOrder tells a text in UTF-16 by its first bytes.
func wideOrder(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

// wide searches a text in UTF-16.
func (s *lineSearch) wide(ctx context.Context, order binary.ByteOrder, in io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(in, maxWide))
	if err != nil {
		return err
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return s.run(ctx, bytes.NewReader([]byte(string(utf16.Decode(units)))))
}
