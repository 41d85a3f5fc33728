package main

import (
	"context"
	"fmt"
)

const (
	maxParkedKB  = 1.0
	maxRecoverMS = 2000.0
	maxWakeMS    = 5.0
	maxQuietMS   = 250.0
)

// parked measures runs that wait for a person: what they take in memory, in the process that parked
// them and in one that was started after that one had crashed, how long recovering takes, and how
// soon an answer wakes one of them.
func (b *bench) parked(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	n, warm := b.sizes.parked, b.sizes.parked/2
	p, parked, err := b.launch(ctx, spec{Task: "park", Dir: dir, Runs: n - warm, Warm: warm, Hold: true})
	if err != nil {
		return err
	}
	p.kill() // the recovery is from a crash
	none, err := b.newDir()
	if err != nil {
		return err
	}
	empty, err := b.cell(ctx, spec{Task: "recover", Dir: none})
	if err != nil {
		return err
	}
	back, err := b.cell(ctx, spec{Task: "recover", Dir: dir, Runs: b.sizes.wakes})
	if err != nil {
		return err
	}
	if back["listed"] != float64(n) || parked["goroutines"] > maxIdleRoutines {
		return fmt.Errorf("%.0f parked runs were listed, want %d; parking left %.0f goroutines", back["listed"], n, parked["goroutines"])
	}
	b.printParked(n, parked, empty, back)
	return nil
}

// maxIdleRoutines is how many goroutines may have come with parking, whatever the number of runs.
const maxIdleRoutines = 20

func (b *bench) printParked(n int, parked, empty, back figures) {
	t := table{
		title: fmt.Sprintf("parked: %d runs that wait for a person (others' CPU %s while parking, %s after)", n, b.others(parked["others"]), b.others(back["others"])),
		head:  []string{"what", "figure", "target", ""},
	}
	row := func(name string, format string, got, most float64) {
		target, met := "–", ""
		if most > 0 {
			target, met = fmt.Sprintf("≤ "+format, most), verdict(got, most)
		}
		t.add(name, fmt.Sprintf(format, got), target, met)
	}
	row("RSS per run above the empty engine, in the process that parked them", "%.2f kB", parked["above_kb"], maxParkedKB)
	row("… of which each of the second half added", "%.2f kB", parked["rss_kb"], 0)
	row("… by the first half, with caches and stacks that do not grow with the runs", "%.1f MB", parked["grown_kb"]/1024, 0)
	row("… by pages of the program itself, which were not needed before", "%.1f MB", parked["program_kb"]/1024, 0)
	row("RSS per run above the empty engine, after a crash and a restart", "%.2f kB", (back["rss_kb"]-empty["rss_kb"])/float64(n), maxParkedKB)
	row("RSS of the empty engine after its start", "%.1f MB", empty["rss_kb"]/1024, 0)
	row("goroutines left by all of them", "%.0f", parked["goroutines"], 0)
	row("CPU to start and park one", "%.2f ms", parked["cpu_ms"], 0)
	row("start of the process until the store is open and checked", "%.0f ms", back["open_ms"], 0)
	row("… until all are listed", "%.0f ms", back["listed_ms"], maxRecoverMS)
	row("… until a new run has been served", "%.0f ms", back["served_ms"], maxRecoverMS)
	row("… the same with an empty store", "%.0f ms", empty["served_ms"], 0)
	row("sending an answer until the first step after it, p50", "%.2f ms", back["wake_p50"], maxWakeMS)
	row("sending an answer until the first step after it, p99", "%.2f ms", back["wake_p99"], maxWakeMS)
	row("the answer being durable until the first step after it, p50", "%.2f ms", back["after_p50"], 0)
	t.print(b.out)
}

// cancel measures how long it takes until a cancelled tree is quiet.
func (b *bench) cancel(ctx context.Context) error {
	t := table{
		title: fmt.Sprintf("cancel: %d trees of %d runs, %d deep, from sending the command", b.sizes.trees, b.sizes.nodes, b.sizes.depth),
		head:  []string{"leaves are", "command returned p50 ms", "p99 ms", "root ended p50 ms", "p99 ms", "target", "", "others' CPU"},
	}
	for _, parked := range []bool{false, true} {
		dir, err := b.newDir()
		if err != nil {
			return err
		}
		f, err := b.cell(ctx, spec{
			Task: "cancel", Dir: dir, Runs: b.sizes.trees, Nodes: b.sizes.nodes, Depth: b.sizes.depth, Parked: parked,
		})
		if err != nil {
			return err
		}
		where := fmt.Sprintf("in a model call (%.0f)", f["leaves"])
		if parked {
			where = fmt.Sprintf("parked, like all others (%.0f)", f["leaves"])
		}
		t.add(where, fixed(1, f["told_p50"]), fixed(1, f["told_p99"]), fixed(1, f["quiet_p50"]), fixed(1, f["quiet_p99"]),
			fmt.Sprintf("p99 ≤ %.0f", maxQuietMS), verdict(f["quiet_p99"], maxQuietMS), b.others(f["others"]))
	}
	t.print(b.out)
	return nil
}
