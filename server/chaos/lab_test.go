package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/labs"
)

// A lab is a server with a line before it and a provider behind it.
type lab struct {
	*testing.T
	dir      string
	provider *provider
	line     *line
	token    string
	head     string // of a checkpoint that was made first
	inside   *client.Client
	ctx      context.Context

	mu      sync.Mutex // one disturbance at a time
	process *process
	kills   int
}

// maxRounds is how many rounds a job may have: each lists a folder of its own.
const maxRounds = 20

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{T: t, dir: labs.Disk(t), ctx: soon(t)}
	l.provider = newProvider(t)
	for i := range maxRounds {
		check(t, os.MkdirAll(filepath.Join(l.dir, "root", fmt.Sprintf("d%d", i+1)), 0o700))
	}
	var err error
	l.process, err = serve(l.dir, l.provider.URL)
	check(t, err)
	t.Cleanup(l.end)
	l.line = newLine(t, l.process.address)
	l.inside = inside(l.dir)
	made, err := l.inside.NewToken(l.ctx, api.NewToken{Label: "chaos"})
	check(t, err)
	l.token = made.Text
	first, err := l.inside.NewHead(l.ctx)
	check(t, err)
	l.head = first.Head.String()
	return l
}

// end ends the process and says what it complained of, and what an audit finds in its data.
func (l *lab) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	check(l, l.process.signal(syscall.SIGKILL))
	if complaint := l.process.complaint(); complaint != "" {
		l.Errorf("the server says %s", complaint)
	}
	if l.head == "" {
		return // it failed before it began
	}
	if err := audit(l.dir, l.head); err != nil {
		l.Error(err)
	}
}

// kill ends the server where it is; another goes on with its data. It is called with mu held.
func (l *lab) kill() error {
	l.kills++
	if err := l.process.signal(syscall.SIGKILL); err != nil {
		return err
	}
	if complaint := l.process.complaint(); complaint != "" {
		return fmt.Errorf("the server says %s", complaint)
	}
	return l.next()
}

// next starts a server in place of one that has ended. It is called with mu held.
func (l *lab) next() (err error) {
	if l.process, err = serve(l.dir, l.provider.URL); err != nil {
		return err
	}
	return l.line.lead(l.process.address)
}

// start starts a job as a run of the same name.
func (l *lab) start(name string, rounds, words int) {
	l.Helper()
	_, err := l.inside.Start(l.ctx, rein.RunID(name), rein.Task{
		Flow: "operate", Tools: []string{"list_directory"}, Messages: []rein.Message{{Role: rein.User, Text: job(name, rounds, words)}},
	})
	check(l, err)
}

// judge compares what the witnesses of a run have seen with its log, and the log with what the provider
// was asked.
func (l *lab) judge(run string, rounds int, all ...*witness) {
	l.Helper()
	log := l.log(run)
	var end rein.RunEnd
	last := log[len(log)-1]
	if check(l, json.Unmarshal(last.Data, &end)); last.Kind != rein.RunCompleted || end.End != rein.EndDone {
		l.Errorf("%s ended with %s %s", run, last.Kind, last.Data)
	}
	texts, attempts := map[rein.StepKey]string{}, map[rein.StepKey]int{}
	for _, e := range log {
		if e.Kind == rein.StepAttempt {
			attempts[e.Step]++
		}
		text, ok := saidIn(e)
		if !ok {
			continue
		}
		texts[e.Step] = text
		if asked := l.provider.asks(text); asked < 1 || asked > attempts[e.Step]+1 {
			l.Errorf("%s: step %s was begun again %d times, and the model was asked %d times", run, e.Step, attempts[e.Step], asked)
		}
	}
	if len(texts) != rounds+1 {
		l.Errorf("%s has %d texts, want %d", run, len(texts), rounds+1)
	}
	for _, w := range all {
		w.mu.Lock()
		for _, c := range w.complaints {
			l.Errorf("%s: %s", run, c)
		}
		if !w.over {
			l.Errorf("%s: %s did not come to the end", run, w.name)
		}
		if diff := cmp.Diff(log, w.events); diff != "" {
			l.Errorf("%s: %s has not seen the log (-log +seen):\n%s", run, w.name, diff)
		}
		if diff := cmp.Diff(texts, w.done); diff != "" {
			l.Errorf("%s: %s has other texts (-log +seen):\n%s", run, w.name, diff)
		}
		w.mu.Unlock()
	}
}

// log reads the log of a run page by page.
func (l *lab) log(run string) (all []rein.Event) {
	l.Helper()
	for after := ""; ; {
		page, err := l.inside.Events(l.ctx, rein.RunID(run), after, false)
		check(l, err)
		for _, line := range page.Lines {
			all = append(all, *line.Event)
		}
		if after = page.Next; !page.More {
			return all
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
