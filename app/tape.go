package app

import (
	"context"
	"maps"

	"rein"
	"rein/app/config"
	"rein/engine"
	"rein/engine/work"
	"rein/replay"
	"rein/replay/cassette"
)

// Tape makes a tape of a run in the data.
func (s *Setup) Tape(ctx context.Context, d *Data, run rein.RunID) (*cassette.Tape, error) {
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	worker, err := s.today(settings, d)
	if err != nil {
		return nil, err
	}
	return replay.Record(ctx, d.Store, run, worker, settings.Tools.Policy)
}

// today is the worker that would carry a run out now. It is asked for descriptions only.
func (s *Setup) today(settings *config.Config, d *Data) (*work.Worker, error) {
	worker, err := s.newWorker(settings, func() *engine.Engine { return nil }, nil)
	if err != nil {
		return nil, err
	}
	kept, err := storeTools(d.Store, nil, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(worker.Tools, kept)
	return worker, nil
}

// WriteTape writes a tape without secrets to a new file.
func (s *Setup) WriteTape(ctx context.Context, tape *cassette.Tape, file string) error {
	if _, err := s.Settings(); err != nil {
		return err
	}
	d, err := s.Read(ctx)
	if err != nil {
		return err
	}
	defer d.Close()
	info, err := d.Store.Run(ctx, tape.Run.Root())
	if err != nil {
		return err
	}
	clean, err := tape.Redact(d.known.of(info.Household, info.User).JSON)
	if err != nil {
		return err
	}
	return cassette.WriteFile(file, clean)
}
