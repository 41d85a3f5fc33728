package journal_test

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/journal"
	"rein/store"
	"rein/store/sqlite"
)

// What the journal makes of the logs that earlier programs wrote is what the store's views and its
// audit say: asks and their states, children, ends, and what the trees used.
//
// Covers: LAW-1
func TestRecordedLogs(t *testing.T) {
	logs, err := filepath.Glob("../flow/testdata/logs/*.db.gz")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs were found: %v", err)
	}
	for _, file := range logs {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			compare(t, unzipped(t, file, func(r io.Reader) (io.Reader, error) { return r, nil }))
		})
	}
	t.Run("old store", func(t *testing.T) {
		t.Parallel()
		runs := compare(t, unzipped(t, "../internal/oldstore/testdata/b0535ce.tar.gz", database))
		covered(t, runs)
	})
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
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	path := filepath.Join(t.TempDir(), "rein.db")
	zip, err := gzip.NewReader(packed)
	if err == nil {
		var from io.Reader
		if from, err = find(zip); err == nil {
			var data []byte
			data, err = io.ReadAll(from)
			err = errors.Join(err, os.WriteFile(path, data, 0o600))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// compare holds what the journal makes of every run of a store against its views.
func compare(t *testing.T, s *sqlite.Store) (runs []*journal.Run) {
	t.Helper()
	ctx := t.Context()
	spent, children := map[rein.RunID]rein.Amount{}, map[rein.RunID][]rein.RunID{}
	var infos []rein.RunInfo
	for info, err := range s.Runs(ctx, store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
		children[info.ID.Parent()] = append(children[info.ID.Parent()], info.ID)
	}
	for _, info := range infos {
		if info.Erased {
			continue
		}
		r, err := journal.Read(s.Events(ctx, info.ID, 0))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
		spent[info.ID.Root()] = spent[info.ID.Root()].Plus(r.Spend)
		asks, err := s.Asks(ctx, store.AskFilter{Tree: info.ID})
		if err != nil {
			t.Fatal(err)
		}
		asks = slices.DeleteFunc(asks, func(a rein.Ask) bool { return a.Run != info.ID })
		sortAsks(asks)
		got := slices.Clone(r.Asks)
		sortAsks(got)
		if d := diff.Diff(asks, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(time.Microsecond)); d != "" {
			t.Errorf("asks of run %s, want -, got +:\n%s", info.ID, d)
		}
		compareRun(t, info, r, children[info.ID])
	}
	for root, sum := range spent {
		ledger, err := s.Ledger(ctx, root)
		if err != nil || ledger.Used != sum {
			t.Errorf("the ledger of %s says %+v (%v), its logs %+v", root, ledger.Used, err, sum)
		}
	}
	return runs
}

func sortAsks(asks []rein.Ask) {
	slices.SortFunc(asks, func(a, b rein.Ask) int { return cmp.Compare(a.ID, b.ID) })
}

func compareRun(t *testing.T, info rein.RunInfo, r *journal.Run, children []rein.RunID) {
	t.Helper()
	if r.ID != info.ID || r.Seq != info.Seq || r.Start.Task.Flow != info.Flow || !r.Began.Equal(info.Started) {
		t.Errorf("run %s: read as %s %d %s %s, the view has %d %s %s", info.ID, r.ID, r.Seq, r.Start.Task.Flow, r.Began, info.Seq, info.Flow, info.Started)
	}
	if (r.End != nil) != info.Status.Ended() || r.End != nil && !diff.Equal(*r.End, info.End(), cmpopts.EquateEmpty()) {
		t.Errorf("run %s: ended as %+v, the view has %s %+v", info.ID, r.End, info.Status, info.Outcome)
	}
	if r.End != nil && r.Status() != info.End().End.Agent() {
		t.Errorf("run %s: its status is %s, the view has %s", info.ID, r.Status(), info.Status)
	}
	var spawned []rein.RunID
	for _, c := range r.Children {
		spawned = append(spawned, c.Run)
	}
	slices.Sort(spawned)
	slices.Sort(children)
	if d := diff.Diff(children, spawned, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("children of run %s, want -, got +:\n%s", info.ID, d)
	}
	compareSteps(t, r)
}

// compareSteps wants every step to say what it is, and the costs of its parts to be that of the whole.
func compareSteps(t *testing.T, r *journal.Run) {
	t.Helper()
	for _, step := range r.Steps {
		switch {
		case step.Verb == "":
			t.Errorf("run %s: step %s has no verb", r.ID, step.Key)
		case step.Verb == rein.VerbTool && step.Tool == "":
			t.Errorf("run %s: step %s has no tool", r.ID, step.Key)
		case (step.Verb == rein.VerbWait || step.Verb == rein.VerbSpawn && step.End.Failure == nil) && step.Child.Parent() != r.ID:
			t.Errorf("run %s: the child of step %s is %q", r.ID, step.Key, step.Child)
		case step.Key != step.Key.Step() && step.Inside == "":
			t.Errorf("run %s: step %s is inside of none", r.ID, step.Key)
		case step.End == nil && r.End != nil && r.End.End.Completed():
			t.Errorf("run %s: step %s is under way, but the run has ended", r.ID, step.Key)
		}
	}
}

// covered wants the old store to hold an example of what is compared.
func covered(t *testing.T, runs []*journal.Run) {
	t.Helper()
	verbs, kinds, children, said := map[rein.Verb]bool{}, map[rein.AskKind]bool{}, 0, 0
	for _, r := range runs {
		for _, step := range r.Steps {
			verbs[step.Verb] = true
		}
		for _, ask := range r.Asks {
			kinds[ask.Kind] = true
		}
		children += len(r.Children)
		said += len(r.Transcript)
	}
	for _, verb := range []rein.Verb{rein.VerbModel, rein.VerbTool, rein.VerbAsk, rein.VerbInbox, rein.VerbSpawn, rein.VerbWait} {
		if !verbs[verb] {
			t.Errorf("no run has a step of verb %s", verb)
		}
	}
	if len(kinds) < 3 || children == 0 || said == 0 {
		t.Errorf("kinds of asks: %v; %d children, %d things said", kinds, children, said)
	}
}

// TestOpenAt reads the steps that are under way from the end of each log, after each of its events: they are
// those that the whole log has.
//
// Covers: ENG-36
func TestOpenAt(t *testing.T) {
	t.Parallel()
	s := unzipped(t, "../internal/oldstore/testdata/b0535ce.tar.gz", database)
	compared := 0
	for info, err := range s.Runs(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		var whole journal.Steps
		for e, err := range s.Events(t.Context(), info.ID, 0) {
			if err != nil || e.Kind.Ends() {
				break
			}
			whole.See(e)
			open, err := journal.OpenAtMost(e.Seq, 2, func(after int64) iter.Seq2[rein.Event, error] { return s.Events(t.Context(), info.ID, after) })
			if err != nil {
				t.Fatal(err)
			}
			if want := whole.Open(); !slices.EqualFunc(open, want, sameStep) {
				t.Errorf("run %s after event %d: %d steps are open, the whole log has %d", info.ID, e.Seq, len(open), len(want))
			}
			compared++
		}
	}
	if compared < 500 {
		t.Errorf("only %d places were compared", compared)
	}
}

func sameStep(a, b *journal.Step) bool {
	return a.Key == b.Key && a.Began.Equal(b.Began) && a.About == b.About && a.Child == b.Child && (a.Start == nil) == (b.Start == nil)
}

// TestOpenAtReadsTheEnd counts what is read of a long log.
func TestOpenAtReadsTheEnd(t *testing.T) {
	t.Parallel()
	const steps = 20000
	read := 0
	log := func(after int64) iter.Seq2[rein.Event, error] {
		return func(yield func(rein.Event, error) bool) {
			for seq := after + 1; seq <= 2*steps+1; seq++ {
				e := rein.Event{Run: "r", Seq: seq, Kind: rein.StepStarted, Step: rein.StepKey(strconv.FormatInt((seq+1)/2, 10))}
				if seq%2 == 0 {
					e.Kind = rein.StepDone
				}
				if read++; !yield(e, nil) {
					return
				}
			}
		}
	}
	open, err := journal.OpenAt(2*steps+1, log)
	if err != nil || len(open) != 1 || open[0].Key != rein.StepKey(strconv.Itoa(steps+1)) {
		t.Errorf("open are %v, %v", open, err)
	}
	if read > 100 {
		t.Errorf("%d events were read", read)
	}
}
