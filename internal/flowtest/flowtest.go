// Package flowtest plays a flow from one text file: the task, what the model says, what the tools
// return, what people answer. It uses the real engine and a real store, and compares what the model
// was sent, and the outcome, with what the file says.
package flowtest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/memory"
	"rein/tool/session"
)

var update = flag.Bool("update", false, "write what happens into the files")

// patience bounds every wait; it is waited for only if something is wrong.
const patience = 30 * time.Second

// Files plays every file that the pattern names. A file is a txtar archive: its comment says what it
// pins; task, model, tools, people and during are what goes in, and want is what must come out. A part show
// names what want tells besides: human, stream, data (see tellShown).
func Files(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { play(t, file) })
	}
}

func play(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.Fields(archive.Comment)) < 5 {
		t.Errorf("%s: its first lines must say what it pins", file)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	got := Play(t, parts)
	if *update {
		writeWant(t, file, archive, got)
		return
	}
	if want := parts["want"]; got != want {
		t.Errorf("%s: this happened (go test -update writes it down):\n%s", file, diff(want, got))
	}
}

func writeWant(t *testing.T, file string, archive *txtar.Archive, got string) {
	files := archive.Files[:0]
	for _, f := range archive.Files {
		if f.Name != "want" {
			files = append(files, f)
		}
	}
	archive.Files = append(files, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Play runs the parts of a file and returns what happened.
func Play(t *testing.T, parts map[string]string) string {
	t.Helper()
	model, err := script.Parse("model", []byte(parts["model"]))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := readTools(parts)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{model: model, show: strings.Fields(parts["show"]), people: lines(parts["people"]), events: make(chan rein.Event, 10_000), t: t}
	p.during.lines = lines(parts["during"])
	p.listen(tools)
	p.run(readTasks(t, parts), tools)
	if len(p.people)+len(p.during.lines) > 0 {
		t.Errorf("people had more to say: %q %q", p.people, p.during.lines)
	}
	return p.tell()
}

// A player runs the tasks of a session and does what the people of the file do.
type player struct {
	t      *testing.T
	model  *script.Model
	people []string
	show   []string
	events chan rein.Event
	log    []rein.Event
	engine *engine.Engine
	during during
	late   atomic.Int64 // how far the clock is ahead
}

const runID = rein.RunID("r1")

func (p *player) run(tasks []rein.Task, tools map[string]rein.Tool) {
	t := p.t
	store, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{OnCommit: func(events []rein.Event) {
		for _, e := range events {
			p.events <- e
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, tool := range slices.Concat(session.Tools(store), memory.Tools(store, p.now)) {
		if _, ok := tools[tool.Name]; !ok { // the file may bring its own
			tools[tool.Name] = tool
		}
	}
	dispatcher := &local.Dispatcher{}
	p.engine, err = engine.New(engine.Options{
		Store: store, Flows: flow.All(), Dispatch: dispatcher, Now: p.now,
		Worker: &work.Worker{Models: map[string]rein.Model{"": p.model}, Tools: tools},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.engine.Serve(ctx) }()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	for i, task := range tasks {
		id := rein.RunID(fmt.Sprintf("r%d", i+1))
		if _, err := p.engine.Start(ctx, id, task); err != nil {
			t.Fatal(err)
		}
		p.follow(id)
	}
}

// follow reads the run's events until it has ended, and lets people answer what it asks.
func (p *player) follow(id rein.RunID) {
	deadline := time.After(patience)
	for {
		select {
		case e := <-p.events:
			p.log = append(p.log, e)
			if e.Run == id && e.Kind.Ends() {
				return
			}
			if e.Kind == rein.AskOpened {
				p.answer(e)
			}
		case <-deadline:
			p.t.Fatalf("the run does not end; so far:\n%s", p.tell())
		}
	}
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// clockName sends the comment that has somebody look at the clock.
const clockName = "clock"

// answer has the next person speak: approve, reject TEXT, edit JSON, answer TEXT, decline TEXT; or
// stop, cancel, modify TEXT and steer TEXT, which are for the run.
func (p *player) answer(e rein.Event) {
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(p.people) == 0 {
		p.t.Fatalf("nobody answers %q", ask.Text)
	}
	line := p.people[0]
	p.people = p.people[1:]
	c, err := replyTo(ask, line)
	if line == "late" { // nobody answers until the deadline has passed; the comment makes somebody look
		p.late.Add(int64(ask.Deadline.Sub(ask.Opened)))
		c, err = rein.Command{Kind: rein.CommandComment, Run: ask.Run, By: clockName, Text: "it is late"}, nil
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.engine.Command(context.Background(), c); err != nil && c.By != clockName { // the run may have seen it by itself
		p.t.Fatal(fmt.Errorf("people: %s: %w", line, err))
	}
}
