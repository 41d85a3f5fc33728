package main

import (
	"context"
	"fmt"
)

// disk measures how many bytes a run leaves on disk, and how that grows with its steps.
func (b *bench) disk(ctx context.Context) error {
	t := table{
		title: "disk: bytes per run after closing, without the empty store",
		head:  []string{"steps", "rein", "per step more", "raw loop + SQLite FULL", "per step more", "target", ""},
	}
	var before [2]float64
	for i, steps := range b.sizes.steps {
		var bytes [2]float64
		for j, peer := range []string{reinPeer, journalPeer} {
			f, err := b.diskOnce(ctx, peer, steps, b.sizes.stepRuns[i])
			if err != nil {
				return err
			}
			bytes[j] = f["disk"]
		}
		slope, target, met := [2]string{"–", "–"}, "–", ""
		if i == 0 {
			target, met = fmt.Sprintf("≤ %.0f", maxDisk), verdict(bytes[0], maxDisk)
		} else {
			for j := range slope {
				slope[j] = fixed(0, (bytes[j]-before[j])/float64(steps-b.sizes.steps[i-1]))
			}
		}
		t.add(fmt.Sprint(steps), fixed(0, bytes[0]), slope[0], fixed(0, bytes[1]), slope[1], target, met)
		before = bytes
	}
	t.print(b.out)
	return nil
}

func (b *bench) diskOnce(ctx context.Context, peer string, steps, runs int) (figures, error) {
	dir, err := b.newDir()
	if err != nil {
		return nil, err
	}
	return b.cell(ctx, spec{
		Task: "work", Peer: peer, Dir: dir, Conc: min(runs, 4), Runs: runs, Steps: steps, Tokens: b.sizes.tokens,
	})
}
