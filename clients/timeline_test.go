package clients_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/internal/labs"
	"rein/internal/node"
	"rein/journal"
	"rein/journal/timeline"
	"rein/store"
	"rein/store/sqlite"
	"rein/terminal"
)

// told is what a timeline says of a run, as clients/ts/test/fold.mjs prints it.
type told struct {
	Run      rein.RunID
	Status   rein.End
	Seq      int64
	Usage    struct{ Input, Output, Micros int64 }
	Models   [][2]string // the step and its text
	Phases   []string    // the steps
	Tools    [][3]string // the step, the tool, the status of the result
	Asks     [][3]string // the ID, the state, who answered
	Open     []string
	Children []string
	Read     []string // the messages that the run has read
	Late     []string // what became of those that it has not, once it has ended
	Todo     int
	Steps    []string // that were open at the end of the log
	Doing    string   // what it does, in words
	Order    []string // the IDs of its items, and what a call is about
}

// TestTimeline folds recorded logs, whole and cut in the middle, in TypeScript: what its timeline says is what package
// journal says.
//
// Covers: LAW-1
func TestTimeline(t *testing.T) {
	labs.Only(t)
	program := node.Need(t, "ts/package.json", "the timeline of clients/ts is NOT compared with package journal")
	recorded(t, func(t *testing.T, trees [][]rein.Event) []told { return foldedByNode(t, program, trees) })
}

// TestTimelineOfTheTerminal folds the same logs with the timeline of the terminal.
//
// Covers: LAW-1
func TestTimelineOfTheTerminal(t *testing.T) { recorded(t, foldedByGo) }

// TestOrder folds a log with both timelines: a try that failed, a wait and the next try stand in the order in which they
// came, and so does a call that was refused before it began, with what it is about.
func TestOrder(t *testing.T) {
	labs.Only(t)
	program := node.Need(t, "ts/package.json", "the timeline of clients/ts is NOT compared with package journal")
	prompt := rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}
	call := rein.ToolCall{ID: "c1", Name: "write_file", Args: json.RawMessage(`{"path":"a.md","content":"x"}`)}
	events := logOf(t,
		line{rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "operate", Messages: []rein.Message{{Role: rein.User, Text: "Write."}}}}},
		line{rein.StepStarted, "1", prompt},
		line{rein.StepWaiting, "1", rein.Waiting{Why: "too many requests"}},
		line{rein.StepAttempt, "1", rein.Attempt{N: 1}},
		line{rein.StepWaiting, "1", rein.Waiting{Why: "openai answered 503"}},
		line{rein.StepAttempt, "1", rein.Attempt{N: 2, Why: "it is up again"}},
		line{rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: "I write it.", Calls: []rein.ToolCall{call}}}},
		line{rein.StepDone, "2", rein.StepEnd{Verb: rein.VerbTool, Tool: "write_file", Call: &call, Result: &rein.ToolResult{Status: rein.ToolRefused, Text: "denied"}}},
	)
	want := []string{"r#1 ", "r#3 ", "r#5 ", "r#6 ", "r/1 ", "r/2 a.md"}
	for name, folded := range map[string][]told{"go": foldedByGo(t, [][]rein.Event{events}), "ts": foldedByNode(t, program, [][]rein.Event{events})} {
		if d := diff.Diff(want, folded[0].Order); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestDoing folds the log of a run that is parked until a model call is tried again: both timelines say why it waits.
func TestDoing(t *testing.T) {
	labs.Only(t)
	program := node.Need(t, "ts/package.json", "the timeline of clients/ts is NOT compared with package journal")
	events := logOf(t,
		line{rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat"}}},
		line{rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}},
		line{rein.StepWaiting, "1", rein.Waiting{Why: "too many requests"}},
		line{rein.RunParked, "", rein.Parked{For: []string{"another try of a model call"}}},
	)
	for name, folded := range map[string][]told{"go": foldedByGo(t, [][]rein.Event{events}), "ts": foldedByNode(t, program, [][]rein.Event{events})} {
		if got := folded[0].Doing; got != "waiting: too many requests" {
			t.Errorf("%s: it does %q", name, got)
		}
	}
}

// TestLate folds the log of a run that ended before it read what was sent: both timelines say which messages started the
// next run, and which did not.
func TestLate(t *testing.T) {
	labs.Only(t)
	program := node.Need(t, "ts/package.json", "the timeline of clients/ts is NOT compared with package journal")
	end := rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}, Next: &rein.Next{Run: "r-next", Commands: []rein.CommandID{"r:2"}}}
	events := logOf(t,
		line{rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "chat"}}},
		line{rein.CommandMessage.EventKind(), "", rein.Command{Text: "And then?"}},
		line{rein.CommandMessage.EventKind(), "", rein.Command{Text: "Too long."}},
		line{rein.RunCompleted, "", end},
	)
	want := []string{"And then?: started r-next", "Too long.: not applied "}
	for name, folded := range map[string][]told{"go": foldedByGo(t, [][]rein.Event{events}), "ts": foldedByNode(t, program, [][]rein.Event{events})} {
		if d := diff.Diff(want, folded[0].Late); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// A line is an event of a log.
type line struct {
	kind    rein.Kind
	step    rein.StepKey
	payload any
}

func logOf(t *testing.T, lines ...line) (events []rein.Event) {
	t.Helper()
	for _, l := range lines {
		data, err := json.Marshal(l.payload)
		check(t, err)
		at := time.Date(2026, 5, 4, 12, 0, len(events), 0, time.UTC)
		events = append(events, rein.Event{Run: "r", Seq: int64(len(events) + 1), At: at, Kind: l.kind, Step: l.step, Data: data})
	}
	return events
}

// recorded compares what package journal says of recorded logs with what a timeline says.
func recorded(t *testing.T, fold func(*testing.T, [][]rein.Event) []told) {
	t.Helper()
	logs, err := filepath.Glob("../flow/testdata/logs/*.db.gz")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs were found: %v", err)
	}
	find := func(r io.Reader) (io.Reader, error) { return r, nil }
	for _, file := range logs {
		t.Run(filepath.Base(file), func(t *testing.T) { compare(t, fold, unzipped(t, file, find)) })
	}
	t.Run("old store", func(t *testing.T) {
		compare(t, fold, unzipped(t, "../internal/oldstore/testdata/b0535ce.tar.gz", database))
	})
}

// compare folds every tree of a store, and the first half of its log.
func compare(t *testing.T, fold func(*testing.T, [][]rein.Event) []told, s *sqlite.Store) {
	t.Helper()
	var trees [][]rein.Event
	want := map[rein.RunID][]told{}
	for info, err := range s.Runs(t.Context(), store.Filter{Roots: true}) {
		check(t, err)
		if all := treeOf(t, s, info.ID); len(all) > 0 {
			trees = append(trees, all, all[:(len(all)+1)/2])
		}
	}
	for _, events := range trees {
		for _, w := range expected(events) {
			want[w.Run] = append(want[w.Run], w)
		}
	}
	for _, got := range fold(t, trees) {
		if len(want[got.Run]) == 0 {
			t.Errorf("the timeline has a run %s that is not there", got.Run)
			continue
		}
		if d := diff.Diff(want[got.Run][0], got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(told{}, "Order", "Doing", "Late")); d != "" {
			t.Errorf("run %s, the journal -, the timeline +:\n%s", got.Run, d)
		}
		want[got.Run] = want[got.Run][1:]
	}
	for run, left := range want {
		if len(left) > 0 {
			t.Errorf("the timeline has no run %s", run)
		}
	}
}

// treeOf returns the logs of a tree as a feed has them: in the order of time, and each in its own order.
func treeOf(t *testing.T, s *sqlite.Store, root rein.RunID) (all []rein.Event) {
	t.Helper()
	type place struct {
		run rein.RunID
		seq int64
	}
	times := map[place]time.Time{} // clocks can go back
	for info, err := range s.Runs(t.Context(), store.Filter{Tree: root}) {
		check(t, err)
		if info.Erased {
			return nil
		}
		for e, err := range s.Events(t.Context(), info.ID, 0) {
			check(t, err)
			times[place{e.Run, e.Seq}] = e.At
			if before := times[place{e.Run, e.Seq - 1}]; before.After(e.At) {
				times[place{e.Run, e.Seq}] = before
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b rein.Event) int {
		return cmp.Or(times[place{a.Run, a.Seq}].Compare(times[place{b.Run, b.Seq}]), strings.Compare(string(a.Run), string(b.Run)))
	})
	return all
}

// expected is what the journal says of the runs of a tree.
func expected(events []rein.Event) (all []told) {
	var order []rein.RunID
	runs := map[rein.RunID]*journal.Run{}
	for _, e := range events {
		if runs[e.Run] == nil {
			runs[e.Run] = &journal.Run{}
			order = append(order, e.Run)
		}
		runs[e.Run].See(e)
	}
	for _, id := range order {
		all = append(all, tell(runs[id]))
	}
	return all
}

func tell(r *journal.Run) told {
	w := told{Run: r.ID, Seq: r.Seq}
	if r.End != nil {
		w.Status = r.End.End
	}
	used := r.Usage()
	w.Usage.Input, w.Usage.Output, w.Usage.Micros = used.Input, used.Output, used.Micros
	for _, ask := range r.Asks {
		w.Asks = append(w.Asks, [3]string{string(ask.ID), string(ask.State), ask.Answer.By})
		if ask.State == rein.AskPending {
			w.Open = append(w.Open, string(ask.ID))
		}
	}
	for _, c := range r.Children {
		w.Children = append(w.Children, string(c.Run))
	}
	for _, said := range r.Transcript {
		if said.Item != nil && said.Item.From == "" && said.Item.Cause == "" {
			w.Read = append(w.Read, said.Item.Text)
		}
	}
	for _, step := range r.Steps {
		w.step(r, step)
	}
	return w
}

func (w *told) step(r *journal.Run, step *journal.Step) {
	if !step.Over() && r.End == nil {
		w.Steps = append(w.Steps, string(step.Key))
	}
	if list, ok := step.Todo(); ok {
		w.Todo = len(list.Items)
	}
	switch {
	case step.Inside != "":
	case step.Start != nil && step.Start.Prompt != nil:
		w.reply(r, step)
	case step.Verb == rein.VerbTool && (step.Start == nil && step.Over() || step.Call() != nil):
		status := ""
		if step.Over() && step.End.Result != nil {
			status = string(step.End.Result.Status)
		}
		w.Tools = append(w.Tools, [3]string{string(step.Key), step.Tool, status})
	}
}

// reply is what people see of a reply: what streams, and what a model says to itself in some phases.
func (w *told) reply(r *journal.Run, step *journal.Step) {
	prompt := step.Start.Prompt
	switch text := shown(r, step); {
	case !prompt.Stream && !prompt.Prose:
		if slices.Contains([]string{"reason", "observe", "plan", "reflect"}, step.Start.Phase) {
			w.Phases = append(w.Phases, string(step.Key))
		}
	case strings.TrimSpace(text) != "", !step.Over() && r.End == nil, step.Over() && step.End.Failure != nil && !isInterruption(step.End.Failure.Code):
		w.Models = append(w.Models, [2]string{string(step.Key), text})
	}
}

func shown(r *journal.Run, step *journal.Step) string {
	switch {
	case !step.Over():
		return ""
	case step.End.Message == nil:
		return step.End.Partial
	case !step.Streams():
		return ""
	case step.Start.Prompt.Prose && !step.Start.Prompt.Stream:
		text, _ := journal.Prose(*step.End.Message)
		return text
	}
	return step.End.Message.Text
}

func isInterruption(code rein.Code) bool {
	return slices.Contains([]rein.Code{rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted, rein.CodeInterrupted}, code)
}

// foldedByNode has the timeline of clients/ts fold the logs.
func foldedByNode(t *testing.T, program string, trees [][]rein.Event) (all []told) {
	t.Helper()
	var in bytes.Buffer
	for _, events := range trees {
		line, err := json.Marshal(events)
		check(t, err)
		in.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), program, "--disable-warning=ExperimentalWarning", "fold.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = "ts/test", &in, os.Stderr
	out, err := cmd.Output()
	check(t, err)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var one told
		err := d.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all
		}
		check(t, err)
		all = append(all, one)
	}
}

// foldedByGo has package journal/timeline fold the logs.
func foldedByGo(_ *testing.T, trees [][]rein.Event) (all []told) {
	for _, events := range trees {
		tl := timeline.New(events[0].Run)
		for _, e := range events {
			tl.Event(e)
		}
		all = append(all, tellTimeline(tl)...)
	}
	return all
}

func tellTimeline(tl *timeline.Timeline) []told {
	w := told{Run: tl.Run, Seq: tl.Seq, Steps: tl.Open()}
	if !tl.Ended.IsZero() {
		w.Status = rein.End(tl.Status)
	}
	w.Usage.Input, w.Usage.Output, w.Usage.Micros = tl.Usage.Input, tl.Usage.Output, tl.Usage.Micros
	if tl.Todo != nil {
		w.Todo = len(tl.Todo.Items)
	}
	for _, item := range tl.Items {
		w.item(item)
		about := ""
		if tool, ok := item.(*timeline.Tool); ok {
			_, about = terminal.Call(tool.Call)
		}
		w.Order = append(w.Order, item.Common().ID+" "+about)
	}
	doing, _ := tl.Doing()
	w.Doing = doing.Text
	all := []told{w}
	for _, run := range slices.Sorted(maps.Keys(tl.Children)) {
		all = append(all, tellTimeline(tl.Children[run])...)
	}
	return all
}

// item tells what one item shows.
func (w *told) item(item timeline.Item) {
	switch it := item.(type) {
	case *timeline.Model:
		if it.Said != nil {
			w.Models = append(w.Models, [2]string{string(it.Step), it.Text})
		}
	case *timeline.Phase:
		w.Phases = append(w.Phases, string(it.Step))
	case *timeline.Tool:
		status := ""
		if end := it.Call.End; end != nil && end.Result != nil {
			status = string(end.Result.Status)
		}
		w.Tools = append(w.Tools, [3]string{string(it.Step), it.Call.Tool, status})
	case *timeline.Ask:
		w.Asks = append(w.Asks, [3]string{string(it.Ask.ID), string(it.Ask.State), it.Ask.Answer.By})
		if it.Ask.State == rein.AskPending {
			w.Open = append(w.Open, string(it.Ask.ID))
		}
	case *timeline.Child:
		w.Children = append(w.Children, string(it.Child))
	case *timeline.Person:
		switch it.Receipt {
		case rein.ReceiptApplied:
			w.Read = append(w.Read, it.Text)
		case rein.ReceiptStarted, rein.ReceiptNotApplied:
			w.Late = append(w.Late, fmt.Sprintf("%s: %s %s", it.Text, it.Receipt, it.Started))
		}
	}
}

// database finds the store in the archive of a house.
func database(r io.Reader) (io.Reader, error) {
	archive := tar.NewReader(r)
	for {
		header, err := archive.Next()
		if err != nil || header.Name == "data/rein.db" {
			return archive, err
		}
	}
}

// unzipped opens a copy of a store that was packed.
func unzipped(t *testing.T, file string, find func(io.Reader) (io.Reader, error)) *sqlite.Store {
	t.Helper()
	packed, err := os.Open(file)
	check(t, err)
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	check(t, err)
	from, err := find(zip)
	check(t, err)
	data, err := io.ReadAll(from)
	check(t, err)
	path := filepath.Join(t.TempDir(), "rein.db")
	check(t, os.WriteFile(path, data, 0o600))
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
