package flow_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/internal/flowtest"
	"rein/store"
)

var record = flag.Bool("record", false, "record the logs that TestRecordedLogs replays; do it once for each flow, and never for an old one")

// A recorded log is a store as a crash left it that came right before the last event of the scene's
// last run. It must replay with today's flows and engine to the end it had then: nothing is asked of
// a model or a tool, for all of it is in the log. A flow that cannot do this has changed too much for
// the runs that people have under way, and needs a new name.
//
// Covers: ENG-17 LAW-2
func TestRecordedLogs(t *testing.T) {
	for _, name := range sampled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := "testdata/logs/" + strings.ReplaceAll(name, "/", "_") + ".db.gz"
			if *record {
				recordLog(t, sceneFile(name), file)
			}
			replayLog(t, file, flowtest.ReadScene(t, sceneFile(name)))
		})
	}
}

func recordLog(t *testing.T, scenario, file string) {
	scene := flowtest.ReadScene(t, scenario)
	var dir string
	events := make(chan rein.Event, 10_000)
	parts := sqliteParts
	parts.Open = func(t *testing.T, in string, onCommit func([]rein.Event)) (enginetest.Store, error) {
		dir = in
		return sqliteParts.Open(t, in, func(came []rein.Event) {
			onCommit(came)
			for _, e := range came {
				events <- e
			}
		})
	}
	w := stagedOn(t, parts, time.Minute, scene)
	last := rein.RunID(fmt.Sprintf("r%d", len(scene.Tasks)))
	cut := make(chan rein.RunEnd, 1)
	tweak := w.Tweak
	w.Tweak = func(o *engine.Options) {
		tweak(o)
		o.Store = endless{o.Store, last, cut}
	}
	w.Begin()
	var end rein.RunEnd
	for i, task := range scene.Tasks {
		id := rein.RunID(fmt.Sprintf("r%d", i+1))
		w.Start(id, task)
		end = untilEnd(w, scene, id, events, cut)
	}
	w.Kill()
	data, err := os.ReadFile(filepath.Join(dir, "rein.db"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Comment = mustJSON(t, end)
	if _, err := zip.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// untilEnd lets people answer until the run has ended, or is kept from it.
func untilEnd(w *enginetest.World, scene *flowtest.Scene, id rein.RunID, events chan rein.Event, cut chan rein.RunEnd) rein.RunEnd {
	deadline := time.After(30 * time.Second)
	for {
		select {
		case e := <-events:
			if e.Run == id && e.Kind.Ends() {
				return w.End(id)
			}
			var ask rein.Ask
			if e.Kind == rein.AskOpened && json.Unmarshal(e.Data, &ask) == nil {
				w.Send(scene.Answer(ask))
			}
		case end := <-cut:
			return end
		case <-deadline:
			w.Dump()
			w.Fatal("the scene does not end")
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// endless is a store that does not let a run end.
type endless struct {
	engine.Store
	run rein.RunID
	cut chan rein.RunEnd
}

func (e endless) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if n := len(b.Drafts); n > 0 && b.Run == e.run && b.Drafts[n-1].Outcome != nil {
		end := *b.Drafts[n-1].Outcome
		if n > 1 { // what came before it is kept
			b.Drafts = b.Drafts[:n-1]
			if _, err := e.Store.Append(ctx, b); err != nil {
				return nil, err
			}
		}
		e.cut <- end
		return nil, rein.Errorf(rein.CodeUnavailable, "this is as far as the record goes")
	}
	return e.Store.Append(ctx, b)
}

func replayLog(t *testing.T, file string, scene *flowtest.Scene) {
	dir := t.TempDir()
	want := unpack(t, file, filepath.Join(dir, "rein.db"))
	scene.Model = "when phase=never\nsay nothing"
	for name, tool := range scene.Tools {
		if tool.Do != nil {
			tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
				t.Errorf("%s was called", name)
				return rein.Done{}, nil
			}
		}
		scene.Tools[name] = tool
	}
	parts := sqliteParts
	parts.Open = func(t *testing.T, _ string, onCommit func([]rein.Event)) (enginetest.Store, error) {
		return sqliteParts.Open(t, dir, onCommit)
	}
	w := stagedOn(t, parts, time.Minute, scene)
	w.Begin()
	got := w.End(rein.RunID(fmt.Sprintf("r%d", len(scene.Tasks))))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it ends otherwise than it did: %s", diff)
	}
	if n := len(w.Model.Calls()); n > 0 {
		t.Errorf("%d model calls were made", n)
	}
	w.Verify()
}

// unpack writes the store to a file and returns how its run ended.
func unpack(t *testing.T, file, to string) (end rein.RunEnd) {
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(zip.Comment), &end); err != nil {
		t.Fatal(err)
	}
	return end
}
