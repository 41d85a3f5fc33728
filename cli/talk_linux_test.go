package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() { talk = cmdTalk } // the other systems have no such terminals

// cmdTalk runs a command with a person at its keyboard: "talk FILE COMMAND...". Whenever it asks for a
// line the next one of the file is typed, and at its end Ctrl-D. Otherwise it is as cmdRun.
func cmdTalk(ts *testscript.TestScript, neg bool, args []string) {
	mine, theirs, err := newTerminal(120)
	ts.Check(err)
	defer mine.Close()
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	x := exec.Command(filepath.Join(strings.Split(ts.Getenv("PATH"), string(filepath.ListSeparator))[0], args[1]), args[2:]...)
	x.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "TZ", "GORACE", "REIN_FLOW", "REIN_DATA"} {
		x.Env = append(x.Env, name+"="+ts.Getenv(name))
	}
	var out bytes.Buffer
	told := &prompts{ask: func(n int) {
		line := "\x04"
		if n < len(lines) && lines[n] != "" {
			line = lines[n]
		}
		_, _ = mine.WriteString(line) // if nobody reads it, what is printed will tell
	}}
	x.Stdin, x.Stdout, x.Stderr = theirs, &out, told
	ts.Check(x.Start())
	theirs.Close()
	failed := x.Wait()
	text := told.String()
	if exit, ok := errors.AsType[*exec.ExitError](failed); ok {
		text += "exit " + strconv.Itoa(exit.ExitCode()) + "\n"
	}
	if (failed != nil) != neg {
		ts.Fatalf("%v\n%s%s", failed, out.String(), text)
	}
	work := ts.Getenv("WORK")
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(steady(out.String(), work)), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(steady(text, work)), 0o600))
}

// prompts is the standard error of a program, and sees when it asks for a line.
type prompts struct {
	mu   sync.Mutex
	text bytes.Buffer
	n    int
	ask  func(n int)
}

func (p *prompts) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Write(data)
	if strings.HasSuffix("\n"+p.text.String(), "\n> ") {
		p.ask(p.n)
		p.n++
	}
	return len(data), nil
}

func (p *prompts) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}
