package terminal

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"
)

// A Keyboard reads lines of standard input, one at a time and only when one is wanted.
type Keyboard struct {
	in     io.Reader
	wanted chan struct{}
	lines  chan Typed
	busy   bool // a line is wanted and has not come
}

// A Typed is a line, or the end of the input.
type Typed struct {
	Text string
	Err  error
	At   time.Time // when it was complete
}

// NewKeyboard returns a Keyboard that reads the input.
func NewKeyboard(in io.Reader) *Keyboard {
	return &Keyboard{in: in, lines: make(chan Typed)}
}

// maxLine bounds a line; edited arguments are the longest that anyone types.
const maxLine = 1 << 20

// ErrLongLine says that a line has more than 1 MB.
var ErrLongLine = errors.New("the line is too long")

// Want asks for a line, if none is asked for yet.
func (k *Keyboard) Want() {
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

// Typed is where the line comes from that is wanted; nil: none is.
func (k *Keyboard) Typed() <-chan Typed {
	if !k.busy {
		return nil
	}
	return k.lines
}

// Taken says that the line has come. The next one must be wanted again.
func (k *Keyboard) Taken() { k.busy = false }

// Now is the clock by which lines are complete.
func (k *Keyboard) Now() time.Time { return time.Now() }

// read lives as long as the process: a read from a terminal cannot be taken back.
func (k *Keyboard) read() {
	in := bufio.NewReader(k.in)
	for range k.wanted {
		in.Reset(k.in) // a terminal that gives more than a line at a time has given it too early
		line, err := readLine(in)
		k.lines <- Typed{line, err, time.Now()}
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
			return "", ErrLongLine
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF) && line.Len() > 0:
			return strings.TrimRight(line.String(), "\r\n"), nil
		default:
			return "", err
		}
	}
}
