package sse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"plain", "data: a\n\ndata: b\n\n", []string{" a", " b"}},
		{"CRLF", "event: e\r\ndata: a\r\n\r\n", []string{"e a"}},
		{"no blank after the colon", "event:e\ndata:a\n\n", []string{"e a"}},
		{"only one blank is dropped", "data:   a \n\n", []string{"   a "}},
		{"several lines", "data: a\ndata:\ndata: b\n\n", []string{" a\n\nb"}},
		{"comments, other fields, fields without a value", ": hello\nid: 1\nretry: 5\nnothing\ndata: a\n\n", []string{" a"}},
		{"no data is no event", "event: e\n\ndata: a\n\n", []string{" a"}},
		{"empty data", "data:\n\ndata: a\n\n", []string{" ", " a"}},
		{"the end cuts an event", "data: a\n\ndata: b\n", []string{" a"}},
		{"the end cuts a line", "data: a\n\ndata: b", []string{" a"}},
		{"a long line", "data: " + long + "\n\ndata: " + long + "\ndata: z\n\n", []string{" " + long, " " + long + "\nz"}},
		{"an error that the end cuts", "data: a\n\nerror: bad", []string{" a", "error bad"}},
		{"an error on a line of its own", "data: a\n\nerror: {\"m\":1}\n", []string{" a", `error {"m":1}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, from := range map[string]io.Reader{
				"whole": strings.NewReader(c.stream), "byte by byte": iotest.OneByteReader(strings.NewReader(c.stream)),
			} {
				var got []string
				r := NewReader(bufio.NewReader(from))
				e, err := r.Next()
				for ; err == nil; e, err = r.Next() {
					got = append(got, fmt.Sprintf("%s %s", e.Type, e.Data))
				}
				if err != io.EOF {
					t.Errorf("%s: it ended with %v", name, err)
				}
				if d := cmp.Diff(c.want, got); d != "" {
					t.Errorf("%s: %s", name, d)
				}
			}
		})
	}
}

func TestBrokenStream(t *testing.T) {
	broken := errors.New("reset")
	r := NewReader(bufio.NewReader(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken))))
	if e, err := r.Next(); err != nil || string(e.Data) != "a" {
		t.Fatal(e, err)
	}
	if e, err := r.Next(); err != broken {
		t.Errorf("it returned %v, %v; want what broke it", e, err)
	}
}
