package cli

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"rein/internal/quote"
	"rein/internal/units"
)

// isPiped reports whether somebody gave the command an input: a pipe, a socket or a file. A terminal is none, and neither is
// /dev/null.
func isPiped(stdin io.Reader) bool {
	file, ok := stdin.(*os.File)
	if !ok {
		return stdin != nil
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&(fs.ModeCharDevice|fs.ModeDevice|fs.ModeDir) == 0
}

// firstByte is how long something that was piped in may take to begin. Scripts, ssh and loops leave an input open that
// nobody writes to, and a command must not wait for that forever.
const firstByte = 3 * time.Second

// input reads standard input up to its end, as far as a task goes. If nothing comes within the patience, it holds
// nothing; zero waits. A signal ends the waiting.
func (c *call) input(patience time.Duration) (string, error) {
	if c.json {
		c.out.Status.Mute()
	}
	c.out.Status.Wait("Reading standard input, up to its end")
	defer c.out.Status.Wait("")
	type text struct {
		data []byte
		err  error
	}
	read, began := make(chan text, 1), make(chan struct{})
	go func() {
		in := bufio.NewReader(c.stdin)
		_, _ = in.Peek(1) // how that ended the reading below says too
		close(began)
		data, err := io.ReadAll(io.LimitReader(in, maxTask+1))
		read <- text{data, err}
	}()
	var late <-chan time.Time
	if patience > 0 {
		late = time.After(patience)
	}
	for {
		select {
		case <-began:
			began, late = nil, nil
		case <-late:
			c.note("rein: nothing came on standard input within %s, so the task goes without it; </dev/null says so at once, and `rein run -` waits", units.Span(patience))
			return "", nil
		case t := <-read:
			return string(t.data), t.err
		case s := <-c.signals:
			return "", left{s}
		}
	}
}

// readsTask reports whether the task itself is standard input.
func (c *call) readsTask() bool { return len(c.args) == 1 && c.args[0] == "-" }

// addPiped puts below a task what standard input holds.
func (a *attachments) addPiped(c *call) error {
	block, err := c.piped()
	if block != "" {
		a.blocks = append(a.blocks, block)
	}
	return err
}

// piped is the block that goes below a task with what standard input holds; empty: it holds nothing. Anybody may have written
// it, so it is quoted, and it attaches nothing.
func (c *call) piped() (string, error) {
	if !isPiped(c.stdin) {
		return "", nil
	}
	text, err := c.input(firstByte)
	switch {
	case err != nil:
		return "", err
	case len(text) > maxTask:
		return "", tooLong()
	case strings.TrimSpace(text) == "":
		return "", nil
	case !utf8.ValidString(text) || !isText([]byte(text)):
		return "", usagef("standard input is not text in UTF-8, so it cannot go below the task: give the run its file, or </dev/null")
	}
	return quote.Untrusted("standard input", strings.TrimRight(text, "\n")), nil
}
