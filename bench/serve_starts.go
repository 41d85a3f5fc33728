package main

import (
	"context"
	"fmt"

	"rein"
)

const (
	apiName    = "api"
	engineName = "engine"
)

// A starter starts runs that park at once.
type starter interface {
	start(ctx context.Context, id rein.RunID, task rein.Task) error
	// parked waits until so many runs have parked and returns what the process uses that drives them.
	parked(ctx context.Context, n int) (figures, error)
	close() error
}

type apiStarter struct{ *caller }

func (a apiStarter) parked(ctx context.Context, n int) (figures, error) {
	return a.usage(ctx, fmt.Sprintf("parked=%d", n))
}

func (apiStarter) close() error { return nil }

type engineStarter struct {
	*rig
	tally *tally
}

func (e engineStarter) start(ctx context.Context, id rein.RunID, task rein.Task) error {
	_, err := e.Start(ctx, id, task)
	return err
}

func (e engineStarter) parked(ctx context.Context, n int) (figures, error) {
	err := e.tally.until(ctx, rein.RunParked, n)
	return figures{"cpu_s": ownCPU(), "peak_kb": memory("VmHWM")}, err
}

func newStarter(ctx context.Context, s spec) (starter, error) {
	if s.Peer == apiName {
		return apiStarter{newCaller(s)}, nil
	}
	t := newTally()
	r, err := openRig(ctx, s.Dir, silent, t.add, atOnce)
	return engineStarter{r, t}, err
}

// startsCell starts runs that park at once, through the API or in process, and measures what the
// process that drives them needs.
func startsCell(ctx context.Context, s spec) (figures, error) {
	st, err := newStarter(ctx, s)
	if err != nil {
		return nil, err
	}
	start := func(n int) error {
		return st.start(ctx, parkedID(n), rein.Task{Flow: "park", Messages: []rein.Message{{Role: rein.User, Text: userText(n)}}})
	}
	if _, err := each(s.Conc, -s.Warm, 0, start); err != nil {
		return nil, err
	}
	before, err := st.parked(ctx, s.Warm)
	if err != nil {
		return nil, err
	}
	f, m := figures{}, startMeter(s)
	times, err := each(s.Conc, 0, s.Runs, start)
	if err != nil {
		return nil, err
	}
	m.read(f)
	after, err := st.parked(ctx, s.Warm+len(times))
	if err != nil {
		return nil, err
	}
	f.drove(before, after, len(times))
	f.spread("ms", times)
	return f, st.close()
}

// drove puts what the process used that drove so many runs into the figures.
func (f figures) drove(before, after figures, runs int) {
	n := float64(runs)
	f["runs"], f["runs_s"] = n, n/f["wall_s"]
	f["cpu_ms"], f["rss_mb"] = (after["cpu_s"]-before["cpu_s"])*1000/n, after["peak_kb"]/1024
}

// apiWorkCell measures runs that are started and followed to their end through the API.
func apiWorkCell(ctx context.Context, s spec) (figures, error) {
	p := &apiPeer{caller: newCaller(s), spec: s, show: func(string) {}}
	if _, err := repeat(ctx, s, p, -s.Warm, 0); err != nil {
		return nil, err
	}
	before, err := p.usage(ctx, "")
	if err != nil {
		return nil, err
	}
	f, m := figures{}, startMeter(s)
	times, err := repeat(ctx, s, p, 0, s.Runs)
	if err != nil {
		return nil, err
	}
	m.read(f)
	after, err := p.usage(ctx, "")
	if err != nil {
		return nil, err
	}
	f.drove(before, after, len(times))
	f.spread("ms", times)
	return f, nil
}
