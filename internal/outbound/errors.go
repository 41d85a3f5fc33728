package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"unicode"
)

// A RefusedError says why a request was not sent: what was asked for is not allowed. A retry does not help.
type RefusedError struct{ why string }

func (e *RefusedError) Error() string { return e.why }

func refused(format string, args ...any) error {
	return &RefusedError{fmt.Sprintf(format, args...)}
}

// ErrTooLong is the error of reading more than the limit of a body. What was read before it can be used.
var ErrTooLong = errors.New("the answer is too long")

// limited fails after so many bytes. Unlike io.LimitReader it does not look like the end of the text.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, ErrTooLong
	}
	if int64(len(p)) > l.left+1 { // one more shows whether there is more
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, ErrTooLong
	}
	return n, err
}

// Reason says in one line why a request failed, for people and models. It leaves out the URL, whose query may
// hold a key.
func Reason(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	text := err.Error()
	if refusal, ok := errors.AsType[*RefusedError](err); ok {
		text = refusal.Error()
	} else if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		text = fmt.Sprintf("the name %q cannot be looked up: %s", lookup.Name, lookup.Err)
	} else if IsTimeout(err) {
		text = "it did not answer in time"
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}

// IsTimeout reports whether a request took too long.
func IsTimeout(err error) bool {
	wait, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && wait.Timeout()
}
