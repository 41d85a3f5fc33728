package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	maxIdleMB = 60.0 // RSS of a server that has nothing to do
	maxColdMS = 300.0
)

// serveIdle measures the program itself: how soon it is there, and what it takes at rest.
func (b *bench) serveIdle(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	p, err := buildProgram(ctx, dir)
	if err != nil {
		return err
	}
	var known, fresh series
	for i := range b.sizes.cold {
		for _, cold := range []struct {
			to    *series
			fresh bool
		}{{&known, false}, {&fresh, true}} {
			f, err := b.coldOnce(ctx, p, fmt.Sprintf("%s/data%d-%v", dir, i, cold.fresh), cold.fresh)
			if err != nil {
				return err
			}
			*cold.to = append(*cold.to, f)
		}
	}
	b.printIdle(known, fresh)
	return nil
}

func (b *bench) coldOnce(ctx context.Context, p program, data string, fresh bool) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	f, err := p.coldOnce(ctx, data, fresh, b.sizes.rest)
	fmt.Fprintf(b.log, "cold fresh=%v: %v\n", fresh, f)
	return f, err
}

func (b *bench) printIdle(known, fresh series) {
	t := table{
		title: fmt.Sprintf("serve: rein serve, %d starts (others' CPU %s)", len(known), b.others(slices.Max(known.all("others")))),
		head:  []string{"what", "median", "highest", "target", ""},
	}
	row := func(name, format string, values []float64, most float64) {
		target, met := "–", ""
		if most > 0 {
			target, met = fmt.Sprintf("≤ "+format, most), verdict(median(values), most)
		}
		t.add(name, fmt.Sprintf(format, median(values)), fmt.Sprintf(format, slices.Max(values)), target, met)
	}
	row("start of the process until /healthz is answered", "%.0f ms", known.all("alive_ms"), maxColdMS)
	row("… with a data folder that has to be made", "%.0f ms", fresh.all("alive_ms"), maxColdMS)
	row("start of the process until a run is done and its stream has ended", "%.0f ms", known.all("served_ms"), maxColdMS)
	row("RSS at rest after that run", "%.1f MB", known.all("rss_mb"), maxIdleMB)
	row("RSS at rest before any run", "%.1f MB", fresh.all("rss_mb"), maxIdleMB)
	row("highest RSS until then", "%.1f MB", known.all("peak_mb"), 0)
	t.print(b.out)
}
