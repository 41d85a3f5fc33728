package cli

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"
)

// A keyboard reads lines of standard input, one at a time and only when one is wanted.
type keyboard struct {
	in     io.Reader
	wanted chan struct{}
	lines  chan typed
	busy   bool // a line is wanted and has not come
	now    func() time.Time
}

// typed is a line, or the end of the input.
type typed struct {
	text string
	err  error
	at   time.Time
}

func newKeyboard(in io.Reader) *keyboard {
	return &keyboard{in: in, lines: make(chan typed), now: time.Now}
}

// maxLine bounds a line; edited arguments are the longest that anyone types.
const maxLine = 1 << 20

var errLongLine = errors.New("the line is too long")

// want asks for a line, if none is asked for yet.
func (k *keyboard) want() {
	if k.busy {
		return
	}
	k.busy = true
	if k.wanted == nil {
		k.wanted = make(chan struct{}, 1)
		go k.read()
	}
	k.wanted <- struct{}{}
}

// read lives as long as the process: a read from a terminal cannot be taken back.
func (k *keyboard) read() {
	in := bufio.NewReader(k.in)
	for range k.wanted {
		in.Reset(k.in) // a terminal that gives more than a line at a time has given it too early
		line, err := readLine(in)
		k.lines <- typed{line, err, k.now()}
	}
}

// readLine returns the line without its end. A last line without one counts.
func readLine(in *bufio.Reader) (string, error) {
	var line strings.Builder
	for {
		part, err := in.ReadSlice('\n')
		line.Write(part)
		switch {
		case line.Len() > maxLine:
			return "", errLongLine
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF) && line.Len() > 0:
			return strings.TrimRight(line.String(), "\r\n"), nil
		default:
			return "", err
		}
	}
}
