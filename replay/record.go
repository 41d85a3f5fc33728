package replay

import (
	"context"
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/engine/work"
	"rein/replay/cassette"
	"rein/store"
)

// Record makes a tape of a run and everything below it. The worker is that of the process which
// drove it, or would today: the logs hold its tools and models by name only.
// A run whose logs are longer than a cassette may be is CodeLimit.
func Record(ctx context.Context, s store.Reader, run rein.RunID, w *work.Worker, policy rein.Policy) (*cassette.Tape, error) {
	return RecordUpTo(ctx, s, run, w, policy, cassette.MaxBytes)
}

// RecordUpTo is Record of logs that have at most so many bytes.
func RecordUpTo(ctx context.Context, s store.Reader, run rein.RunID, w *work.Worker, policy rein.Policy, most int) (*cassette.Tape, error) {
	var log []rein.Event
	size := 0
	for info, err := range s.Runs(ctx, store.Filter{Tree: run}) {
		if err != nil {
			return nil, err
		}
		for e, err := range s.Events(ctx, info.ID, 0) {
			if err != nil {
				return nil, err
			}
			if size += len(e.Data); size > most {
				return nil, rein.Errorf(rein.CodeLimit, "run %s and those below it have more than %d bytes: too much to be recorded or played here", run, most)
			}
			log = append(log, e)
		}
	}
	if len(log) == 0 {
		_, err := s.Run(ctx, run)
		return nil, err
	}
	return TapeOf(log, run, w, policy)
}

// header says who takes part in the runs of a worker.
func header(run rein.RunID, w *work.Worker, policy rein.Policy) cassette.Header {
	h := cassette.Header{Version: cassette.Version, Run: run, Models: map[string]rein.ModelInfo{}, Clip: w.ClipLimit(), Policy: policy}
	for name, m := range w.Models {
		h.Models[name] = m.Info()
	}
	for _, name := range slices.Sorted(maps.Keys(w.Tools)) {
		h.Tools = append(h.Tools, cassette.ToolOf(w.Tools[name]))
	}
	return h
}

// addTools adds the tools that a run has beside those of the worker, from its start.
func addTools(h *cassette.Header, w *work.Worker, e rein.Event) error {
	if w.More == nil || e.Kind != rein.RunStarted || e.Erased {
		return nil
	}
	start, err := rein.Payload[rein.RunStart](e)
	if err != nil {
		return err
	}
	for _, name := range start.Task.Tools {
		if slices.ContainsFunc(h.Tools, func(t cassette.Tool) bool { return t.Name == name }) {
			continue
		}
		if tool, ok := w.Tool(&start.Task, name); ok {
			h.Tools = append(h.Tools, cassette.ToolOf(tool))
		}
	}
	return nil
}

// TapeOf makes a tape of a run and everything below it from events as they were written.
func TapeOf(log []rein.Event, run rein.RunID, w *work.Worker, policy rein.Policy) (*cassette.Tape, error) {
	t := &cassette.Tape{Header: header(run, w, policy), Events: make([]rein.Event, 0, len(log))}
	for _, e := range log {
		if e.Run == run || strings.HasPrefix(string(e.Run), string(run)+rein.Separator) {
			if err := addTools(&t.Header, w, e); err != nil {
				return nil, err
			}
			e.Hash = rein.Hash{}
			t.Events = append(t.Events, e)
		}
	}
	slices.SortStableFunc(t.Events, func(a, b rein.Event) int { return strings.Compare(string(a.Run), string(b.Run)) })
	return t, t.Check()
}
