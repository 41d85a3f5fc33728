package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"rein"
)

const fanRun rein.RunID = "fan"

// fanoutCell lets many follow one run, which begins to write when all of them are there. Those that
// never read must neither hold up the run nor the others.
func fanoutCell(ctx context.Context, s spec) (figures, error) {
	c := newCaller(s)
	if err := c.start(ctx, fanRun, rein.Task{Flow: "speak", Messages: []rein.Message{{Role: rein.User, Text: userText(0)}}}); err != nil {
		return nil, err
	}
	empty, err := c.usage(ctx, "settle=1")
	if err != nil {
		return nil, err
	}
	stuck, err := dialAllStuck(ctx, s, func(int) rein.RunID { return fanRun })
	if err != nil {
		return nil, err
	}
	defer closeAll(stuck)
	readers := newReaders(ctx, s, func(int) rein.RunID { return fanRun })
	if err := c.untilFollowed(ctx, s.Followers+s.Stuck); err != nil {
		return nil, err
	}
	full, err := c.usage(ctx, "settle=1")
	if err != nil {
		return nil, err
	}
	f, m := figures{}, startMeter(s)
	told, err := c.letSpeak(ctx)
	if err != nil {
		return nil, err
	}
	if err := readers.wait(); err != nil {
		return nil, err
	}
	m.read(f)
	return f, errors.Join(f.fanned(ctx, s, c, told, empty, full), readers.check(f, s))
}

// letSpeak answers what the run asks.
func (c *caller) letSpeak(ctx context.Context) (told time.Time, err error) {
	var ask rein.Ask
	if err := c.do(ctx, http.MethodGet, "/v1/asks/"+string(rein.NewAskID(fanRun, "1.ask")), nil, &ask); err != nil {
		return told, err
	}
	told = time.Now()
	return told, c.do(ctx, http.MethodPost, "/v1/commands", ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "yes"}), nil)
}

// fanned puts what the server used, and how long the run took for it, into the figures.
func (f figures) fanned(ctx context.Context, s spec, c *caller, told time.Time, empty, full figures) error {
	after, err := c.usage(ctx, "")
	if err != nil {
		return err
	}
	info, err := c.run(ctx, fanRun)
	if err != nil {
		return err
	}
	all := float64(s.Followers + s.Stuck)
	f["run_s"] = info.Changed.Sub(told).Seconds()
	f["server_cpu_s"] = after["cpu_s"] - full["cpu_s"]
	f["idle_kb"] = (full["rss_kb"] - empty["rss_kb"]) / all
	f["peak_kb"] = (after["peak_kb"] - empty["rss_kb"]) / all
	f["peak_mb"] = after["peak_kb"] / 1024
	f["blocked"] = after["followers"]
	return nil
}

// readers are the followers that read.
type readers struct {
	all    []follower
	errs   []error
	group  sync.WaitGroup
	joined sync.WaitGroup // done when all streams have begun
}

func newReaders(ctx context.Context, s spec, run func(n int) rein.RunID) *readers {
	r := &readers{all: make([]follower, s.Followers), errs: make([]error, s.Followers)}
	for i := range r.all {
		r.all[i].delays = make([]float64, 0, s.Tokens)
		r.joined.Add(1)
		r.group.Go(func() { r.errs[i] = r.all[i].follow(ctx, s, run(i), r.joined.Done) })
	}
	return r
}

func (r *readers) wait() error {
	r.group.Wait()
	return errors.Join(r.errs...)
}

// check puts what the followers saw into the figures. What they miss of the text they get as a whole
// when it is done; here none should.
func (r *readers) check(f figures, s spec) error {
	var delays []float64
	messages, late := 0, 0
	for i := range r.all {
		delays = append(delays, r.all[i].delays...)
		messages, late = messages+r.all[i].messages, late+r.all[i].late
	}
	want := float64(s.Followers * s.Tokens)
	f.spread("delay", delays)
	tokens := float64(len(delays) + late)
	f["tokens_s"], f["messages_s"], f["seen"] = tokens/f["wall_s"], float64(messages)/f["wall_s"], tokens/want
	if len(delays) == 0 {
		return fmt.Errorf("%d followers saw no token", s.Followers)
	}
	return nil
}

func dialAllStuck(ctx context.Context, s spec, run func(n int) rein.RunID) ([]net.Conn, error) {
	var all []net.Conn
	for n := range s.Stuck {
		conn, err := dialStuck(ctx, s, run(n))
		if err != nil {
			closeAll(all)
			return nil, err
		}
		all = append(all, conn)
	}
	return all, nil
}

func closeAll(all []net.Conn) {
	for _, c := range all {
		_ = c.Close()
	}
}
