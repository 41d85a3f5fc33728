package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func read(r io.Reader) (out string, err error) {
	for m, err := range messages(r) {
		if err != nil {
			return out, err
		}
		out += fmt.Sprintf("[%s %s]", m.event, m.data)
	}
	return out, nil
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ stream, want string }{
		{"", ""},
		{"event: a\ndata: 1\n\n", "[a 1]"},
		{"event: a\r\ndata: 1\r\n\r\n", "[a 1]"},
		{"data:1\ndata: 2\nid: 7\nretry: 5\n\n", "[ 1\n2]"},
		{": comment\n\nevent:a\n\n", "[ ][a ]"},
		{"event: a\ndata: cut off", ""},
		{"event: a\ndata: 1\n", ""},
		{"nonsense\n\n", "[ ]"},
		{"data: " + strings.Repeat("x", 50_000) + "\n\n", "[ " + strings.Repeat("x", 50_000) + "]"},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream))} {
			if got, err := read(r); got != c.want || !errors.Is(err, io.EOF) {
				t.Errorf("%.60q: %.100q, %v, want %.100q", c.stream, got, err, c.want)
			}
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte("event: a\ndata: 1\n\n: c\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, err := read(bytes.NewReader(data))
		slow, slowErr := read(iotest.OneByteReader(bytes.NewReader(data)))
		if whole != slow || !errors.Is(err, slowErr) {
			t.Errorf("%q: %q, %v at once and %q, %v byte by byte", data, whole, err, slow, slowErr)
		}
	})
}
