package main

import (
	"context"
	"errors"
	"fmt"

	"rein"
)

func liveID(n int) rein.RunID { return rein.RunID(fmt.Sprintf("live%d", n)) }

// liveCell has many runs at once, each with a follower, and some of them with a second one that never
// reads.
func liveCell(ctx context.Context, s spec) (figures, error) {
	c := newCaller(s)
	empty, err := c.usage(ctx, "settle=1")
	if err != nil {
		return nil, err
	}
	f, m := figures{}, startMeter(s)
	_, err = each(manyAtOnce, 0, s.Followers, func(n int) error { return c.start(ctx, liveID(n), shippedTask(n, s)) })
	if err != nil {
		return nil, err
	}
	stuck, err := dialAllStuck(ctx, s, liveID)
	if err != nil {
		return nil, err
	}
	defer closeAll(stuck)
	readers := newReaders(ctx, s, liveID)
	readers.joined.Wait()
	busy, err := c.usage(ctx, "")
	if err != nil {
		return nil, err
	}
	f["live"], f["goroutines"] = busy["live"], busy["goroutines"]
	if err := readers.wait(); err != nil {
		return nil, err
	}
	m.read(f)
	after, err := c.usage(ctx, "")
	if err != nil {
		return nil, err
	}
	f["server_cpu_s"], f["peak_mb"], f["blocked"] = after["cpu_s"]-empty["cpu_s"], after["peak_kb"]/1024, after["followers"]
	f["peak_kb"] = (after["peak_kb"] - empty["rss_kb"]) / f["live"]
	return f, errors.Join(readers.check(f, s), f.lasted(ctx, s, c))
}

// lasted puts how long the runs took into the figures, and checks that all of them are done.
func (f figures) lasted(ctx context.Context, s spec, c *caller) error {
	var slowed, others []float64
	for n := range s.Followers {
		info, err := c.run(ctx, liveID(n))
		if err != nil {
			return err
		}
		if end := info.End(); end.End != rein.EndDone {
			return fmt.Errorf("run %s ended as %s: %v", info.ID, end.End, end.Failure)
		}
		took := info.Changed.Sub(info.Started).Seconds()
		if n < s.Stuck {
			slowed = append(slowed, took)
		} else {
			others = append(others, took)
		}
	}
	f.spread("run", others)
	f.spread("stuck_run", slowed)
	return nil
}
