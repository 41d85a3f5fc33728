package main

import (
	"context"
	"fmt"
)

// maxSlope is how much more room the most expensive of the later steps may take than the cheapest.
const maxSlope = 1.25

// keepers are who leaves something on disk.
var keepers = []struct {
	peer, name string
	compact    bool
}{
	{shippedPeer, "rein as shipped, no summaries", false},
	{shippedPeer, "rein as shipped, with summaries", true},
	{reinPeer, "rein with the raw loop's client", false},
	{journalPeer, "raw loop + SQLite FULL", false},
}

// disk measures how many bytes a run leaves on disk, and how that grows with its steps.
func (b *bench) disk(ctx context.Context) error {
	t := table{
		title: "disk: bytes per run after closing, without the empty store",
		head:  []string{"who"},
	}
	for _, steps := range b.sizes.steps {
		t.head = append(t.head, fmt.Sprintf("%d steps", steps))
	}
	for i, steps := range b.sizes.steps[1:] {
		t.head = append(t.head, fmt.Sprintf("a step, %d to %d", b.sizes.steps[i], steps))
	}
	t.head = append(t.head, fmt.Sprintf("%d steps at most", b.sizes.steps[0]), "", "most expensive / cheapest step, from 16", "target", "")
	for _, k := range keepers {
		var bytes []float64
		for i, steps := range b.sizes.steps {
			f, err := b.diskOnce(ctx, k.peer, k.compact, steps, b.sizes.stepRuns[i])
			if err != nil {
				return err
			}
			bytes = append(bytes, f["disk"])
		}
		t.add(b.diskRow(k.peer, k.name, bytes)...)
	}
	t.print(b.out)
	return nil
}

func (b *bench) diskRow(peer, name string, bytes []float64) []string {
	row := []string{name}
	for _, v := range bytes {
		row = append(row, fixed(0, v))
	}
	slopes := b.slopes(bytes)
	for _, v := range slopes {
		row = append(row, fixed(0, v))
	}
	ratio, met := apart(slopes[1:], maxSlope)
	if peer != shippedPeer {
		return append(row, "–", "", ratio, "–", "")
	}
	return append(row, fmt.Sprintf("≤ %.0f", maxDisk), verdict(bytes[0], maxDisk), ratio, fmt.Sprintf("≤ %.2f", maxSlope), met)
}

// diskOnce makes runs of so many steps. The flow operate has at most 100 rounds; longer runs are in a loop like its own.
func (b *bench) diskOnce(ctx context.Context, peer string, compact bool, steps, runs int) (figures, error) {
	dir, err := b.newDir()
	if err != nil {
		return nil, err
	}
	if peer == shippedPeer && steps >= mostRounds {
		peer = growPeer
	}
	return b.cell(ctx, spec{
		Task: "work", Peer: peer, Dir: dir, Conc: min(runs, 4), Runs: runs, Steps: steps, Tokens: b.sizes.tokens, Compact: compact,
	})
}

// mostRounds is how many rounds the flow operate may be given.
const mostRounds = 100
