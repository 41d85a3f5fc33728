package openai

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
)

// errorLines makes an event of what some servers write into a stream when they fail: a line of its own
// that begins with "error:", which is no field of an event and would be passed over.
type errorLines struct {
	from *bufio.Reader
	rest []byte
	mid  bool // in the middle of a line
}

var errorLine = []byte("error:")

func (l *errorLines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		line, err := l.from.ReadSlice('\n')
		if len(line) == 0 {
			return 0, err
		}
		fault, isFault := bytes.CutPrefix(line, errorLine)
		if isFault && !l.mid {
			l.rest = slices.Concat([]byte("event: error\ndata:"), bytes.TrimRight(fault, "\r\n"), []byte("\n\n"))
		} else {
			l.rest = bytes.Clone(line)
		}
		l.mid = errors.Is(err, bufio.ErrBufferFull)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
