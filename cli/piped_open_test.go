package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"rein/terminal"
)

// An input that is open and to which nobody writes holds nothing, and is said to; one that begins in time is read to its end.
func TestOpenInput(t *testing.T) {
	t.Parallel()
	for _, written := range []string{"", "a diff"} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		c := &call{stdin: in, out: terminal.NewOutput(&bytes.Buffer{}, &said, func(string) string { return "" })}
		patience := time.Minute
		if written == "" {
			patience = time.Millisecond
		} else {
			out.WriteString(written)
			out.Close()
		}
		text, err := c.input(patience)
		c.out.Close()
		if text != written || err != nil || (written == "") != strings.Contains(said.String(), "nothing came on standard input") {
			t.Errorf("%q: %q %v %q", written, text, err, said.String())
		}
		out.Close()
	}
}
