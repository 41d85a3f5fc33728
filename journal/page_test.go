package journal_test

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/journal"
	"rein/store"
	"rein/store/sqlite"
)

// TestPagesOfRecordedLogs reads the steps of every recorded run in pages of several sizes: together they are
// those that the whole log has, each is found by its key, and its prompt is what the prompts before it make it.
//
// Covers: LAW-1
func TestPagesOfRecordedLogs(t *testing.T) {
	t.Parallel()
	logs, err := filepath.Glob("../flow/testdata/logs/*.db.gz")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs were found: %v", err)
	}
	prompts := 0
	for _, file := range logs[:min(len(logs), 6)] {
		prompts += comparePages(t, unzipped(t, file, func(r io.Reader) (io.Reader, error) { return r, nil }))
	}
	prompts += comparePages(t, unzipped(t, "../internal/oldstore/testdata/b0535ce.tar.gz", database))
	if prompts < 100 {
		t.Errorf("only %d prompts were compared", prompts)
	}
}

func comparePages(t *testing.T, s *sqlite.Store) (prompts int) {
	t.Helper()
	for info, err := range s.Runs(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		run, err := journal.Read(s.Events(t.Context(), info.ID, 0))
		if err != nil {
			t.Fatal(err)
		}
		log := keptLog(t, s, info)
		for _, limit := range []int{1, 3, 1000} {
			comparePaged(t, run, paged(t, log, limit))
		}
		prompts += comparePrompts(t, log, run)
	}
	return prompts
}

func keptLog(t *testing.T, s *sqlite.Store, info rein.RunInfo) journal.Log {
	return journal.Log{
		Run: info.ID, Length: info.Seq,
		From: func(after int64) iter.Seq2[rein.Event, error] { return s.Events(t.Context(), info.ID, after) },
		At:   func(seq int64) (rein.Event, error) { return s.Event(t.Context(), info.ID, seq) },
	}
}

// paged reads all pages.
func paged(t *testing.T, log journal.Log, limit int) (all []*journal.Course) {
	t.Helper()
	for after := rein.StepKey(""); ; {
		page, more, err := log.Page(after, limit)
		if err != nil || len(page) > limit || more && len(page) < limit {
			t.Fatalf("run %s after %q: %d steps, more %v: %v", log.Run, after, len(page), more, err)
		}
		all = append(all, page...)
		if !more {
			return all
		}
		after = page[len(page)-1].Key
	}
}

func comparePaged(t *testing.T, run *journal.Run, paged []*journal.Course) {
	t.Helper()
	if len(paged) != len(run.Steps) {
		t.Fatalf("run %s: %d steps are in pages, the log has %d", run.ID, len(paged), len(run.Steps))
	}
	for i, want := range run.Steps {
		got := paged[i]
		if got.Key != want.Key || got.Verb != want.Verb || got.About != want.About || got.Tool != want.Tool || got.Model != want.Model || got.Child != want.Child || got.Over() != want.Over() || got.Usage != want.Usage || got.Inside != want.Inside || !got.Began.Equal(want.Began) {
			t.Errorf("run %s: step %s in a page is %+v, in the log %+v", run.ID, want.Key, got.Step, want)
		}
		asks := slices.DeleteFunc(slices.Clone(run.Asks), func(a rein.Ask) bool { return a.Step != want.Key })
		if len(asks) != len(got.Questions) {
			t.Errorf("run %s: step %s has %d asks in a page, %d in the log", run.ID, want.Key, len(got.Questions), len(asks))
			continue
		}
		for j, ask := range asks {
			if q := got.Questions[j]; q.ID != ask.ID || q.State != ask.State || !q.Closed.Equal(ask.Closed) || q.Text != "" {
				t.Errorf("run %s: ask %s is %+v in a page, %+v in the log", run.ID, ask.ID, q, ask)
			}
		}
	}
}

// comparePrompts assembles every prompt, forwards from the first.
func comparePrompts(t *testing.T, log journal.Log, run *journal.Run) (compared int) {
	t.Helper()
	known := map[rein.StepKey][]rein.Message{}
	for _, want := range run.Steps {
		got, err := log.Find(want.Key)
		if err != nil {
			t.Fatal(err)
		}
		if d := diff.Diff(want, got.Step); d != "" {
			t.Errorf("run %s: step %s found by its key, want -, got +:\n%s", run.ID, want.Key, d)
		}
		sent, err := log.Prompt(got)
		if err != nil {
			t.Fatal(err)
		}
		if want.Start == nil || want.Start.Prompt == nil {
			if sent != nil {
				t.Errorf("run %s: step %s has a prompt", run.ID, want.Key)
			}
			continue
		}
		record := want.Start.Prompt
		known[want.Key] = slices.Concat(known[record.Base][:record.Keep], record.Add)
		if d := diff.Diff(known[want.Key], sent.Messages, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("run %s: the prompt of step %s, want -, got +:\n%s", run.ID, want.Key, d)
		}
		compared++
	}
	return compared
}

// A long log is made when it is read, and counts what is read of it.
type long struct {
	steps int64
	read  int
}

// event is a prompt that adds one message to the one before it, or its end.
func (l *long) event(seq int64) rein.Event {
	n := (seq + 1) / 2
	e := rein.Event{Run: "r", Seq: seq, Kind: rein.StepStarted, Step: rein.StepKey(fmt.Sprint(n))}
	var payload any = rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Base: rein.StepKey(fmt.Sprint(n - 1)), Keep: int(n - 1), Add: []rein.Message{{Role: rein.User, Text: fmt.Sprint(n)}}}}
	if seq%2 == 0 {
		e.Kind, payload = rein.StepDone, rein.StepEnd{}
	}
	e.Data, _ = json.Marshal(payload)
	l.read++
	return e
}

func (l *long) log() journal.Log {
	return journal.Log{
		Run: "r", Length: 2 * l.steps,
		From: func(after int64) iter.Seq2[rein.Event, error] {
			return func(yield func(rein.Event, error) bool) {
				for seq := after + 1; seq <= 2*l.steps; seq++ {
					if !yield(l.event(seq), nil) {
						return
					}
				}
			}
		},
		At: func(seq int64) (rein.Event, error) { return l.event(seq), nil },
	}
}

// TestPageOfALongLog reads pages and a step in the middle of a log of a million events, and counts what is read.
func TestPageOfALongLog(t *testing.T) {
	t.Parallel()
	l := &long{steps: 500_000}
	page, more, err := l.log().Page("400000", 10)
	if err != nil || !more || len(page) != 10 || page[0].Key != "400001" || page[9].Key != "400010" || !page[9].Over() {
		t.Errorf("a page of the middle: %d steps, more %v, %v", len(page), more, err)
	}
	if _, _, err := l.log().Page("500001", 10); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("a page after a step that is not there: %v", err)
	}
	if step, err := l.log().Find("123456"); err != nil || step.Key != "123456" || step.First != 246911 || step.Last != 246912 {
		t.Errorf("a step of the middle: %+v, %v", step, err)
	}
	if l.read > 500 {
		t.Errorf("%d events were read", l.read)
	}
	l.read = 0
	step, err := l.log().Find("1000")
	if err != nil {
		t.Fatal(err)
	}
	sent, err := l.log().Prompt(step)
	if err != nil || len(sent.Messages) != 1000 || sent.Messages[0].Text != "1" || sent.Messages[999].Text != "1000" {
		t.Errorf("a prompt of a thousand: %v", err)
	}
	if l.read > 20_000 {
		t.Errorf("%d events were read for a prompt of a thousand parts", l.read)
	}
}

// TestStepThatDoesNotExist asks for keys that no step has.
func TestStepThatDoesNotExist(t *testing.T) {
	t.Parallel()
	l := (&long{steps: 5}).log()
	for _, key := range []rein.StepKey{"0", "-1", "x", "6", "2.1", "2.ask", "99999999999999999999"} {
		if _, err := l.Find(key); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("step %q: %v", key, err)
		}
		if _, _, err := l.Page(key, 5); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("steps after %q: %v", key, err)
		}
	}
}

// TestSummaryOfAPrompt finds the summary that took the place of older messages.
func TestSummaryOfAPrompt(t *testing.T) {
	t.Parallel()
	w := &tale{t: t}
	folds := rein.Folded{From: 0, To: 2, Digest: rein.Hash{1}}
	prompt := func(base rein.StepKey, keep int, folds *rein.Folded) rein.StepStart {
		return rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Base: base, Keep: keep, Add: []rein.Message{{Role: rein.User, Text: "more"}}, Folds: folds}}
	}
	events := []rein.Event{
		w.event("r", rein.StepStarted, "1", prompt("", 0, nil)),
		w.event("r", rein.StepDone, "1", rein.StepEnd{}),
		w.event("r", rein.SubStarted, "2.compact", rein.StepStart{Verb: rein.VerbModel, Folds: &folds, Prompt: &rein.PromptRecord{}}),
		w.event("r", rein.SubDone, "2.compact", rein.StepEnd{Message: &rein.Message{Text: "in short"}}),
		w.event("r", rein.StepStarted, "2", prompt("1", 1, &folds)),
		w.event("r", rein.StepDone, "2", rein.StepEnd{}),
		w.event("r", rein.StepStarted, "3", prompt("2", 2, &folds)),
		w.event("r", rein.StepDone, "3", rein.StepEnd{}),
	}
	log := journal.Log{
		Run: "r", Length: int64(len(events)),
		From: func(after int64) iter.Seq2[rein.Event, error] {
			return func(yield func(rein.Event, error) bool) {
				for _, e := range events[after:] {
					if !yield(e, nil) {
						return
					}
				}
			}
		},
		At: func(seq int64) (rein.Event, error) { return events[seq-1], nil },
	}
	for key, length := range map[rein.StepKey]int{"2": 2, "3": 3} {
		step, err := log.Find(key)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := log.Prompt(step)
		if err != nil || len(sent.Messages) != length || sent.Folds == nil || sent.Folds.To != 2 || sent.Summary != "in short" {
			t.Errorf("the prompt of step %s: %+v, %v", key, sent, err)
		}
	}
}
