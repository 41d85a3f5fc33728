package main

import (
	"context"
	"fmt"
	"slices"
)

// peers are who does the work.
var peers = []peerName{
	{rawPeer, "raw loop"},
	{journalPeer, "raw loop + SQLite FULL"},
	{reinPeer, "rein with the raw loop's client"},
	{shippedPeer, "rein as shipped"},
	{plainPeer, "rein as shipped, with the garbage collector as Go sets it"},
}

type peerName struct{ peer, name string }

// workers are the peers, and a rival if there is one.
func (b *bench) workers() []peerName {
	if b.rival == "" {
		return peers
	}
	return append(slices.Clone(peers), peerName{rivalPeer, "Eino, which keeps nothing"})
}

// workKey names a cell.
type workKey struct {
	peer string
	conc int
}

const (
	workSteps   = 4
	maxRatio    = 1.5
	maxDisk     = 12_000.0
	manyAtOnce  = 64
	firstTokens = 4
	firstDelay  = 2 // ms: the tokens after the first must not be in its way
)

// work measures a run of 4 tool calls and 64 tokens, with nothing kept, with a journal, and with
// rein: with the raw loop's client, and as it is shipped. The cells take turns, so that what disturbs one disturbs the others too.
func (b *bench) work(ctx context.Context) error {
	cells := map[workKey]series{}
	for range b.reps {
		for _, conc := range []int{1, manyAtOnce} {
			for _, p := range b.workers() {
				f, err := b.workOnce(ctx, p.peer, conc)
				if err != nil {
					return err
				}
				key := workKey{p.peer, conc}
				cells[key] = append(cells[key], f)
			}
		}
	}
	b.printWork(cells)
	b.printRatios(cells)
	return nil
}

func (b *bench) workOnce(ctx context.Context, peer string, conc int) (figures, error) {
	dir, err := b.newDir()
	if err != nil {
		return nil, err
	}
	runs := b.sizes.runs1
	if conc > 1 {
		runs = b.sizes.runs64
	}
	return b.cell(ctx, spec{
		Task: "work", Peer: peer, Dir: dir, Conc: conc, Runs: runs, Warm: b.sizes.warm, Steps: workSteps, Tokens: b.sizes.tokens,
	})
}

func (b *bench) printWork(cells map[workKey]series) {
	t := table{
		title: fmt.Sprintf("work: a run of %d tool calls and %d streamed tokens, medians of %d", workSteps, b.sizes.tokens, b.reps),
		head:  []string{"who", "at once", "CPU ms per run", "runs/s", "p50 ms", "p99 ms", "peak RSS MB", "allocations per run", "kB allocated", "disk bytes per run", "others' CPU"},
	}
	for _, conc := range []int{1, manyAtOnce} {
		for _, p := range b.workers() {
			s := cells[workKey{p.peer, conc}]
			disk := fixed(0, s.median("disk"))
			if p.peer == rawPeer || p.peer == rivalPeer {
				disk = "–"
			}
			t.add(p.name, fmt.Sprint(conc), fixed(2, s.median("cpu_ms")), fixed(0, s.median("runs_s")), fixed(2, s.median("ms_p50")),
				fixed(2, s.median("ms_p99")), fixed(0, s.median("rss_mb")), fixed(0, s.median("allocs")), fixed(0, s.median("alloc_kb")), disk, b.others(slices.Max(s.all("others"))))
		}
	}
	t.print(b.out)
}

// printRatios compares cells of the same repetition.
func (b *bench) printRatios(cells map[workKey]series) {
	t := table{
		title: "work: CPU per run, as a multiple",
		head:  []string{"who", "at once", "of the raw loop", "of raw loop + SQLite FULL", "lowest … highest", "target", ""},
	}
	for _, p := range b.workers()[2:] {
		for _, conc := range []int{1, manyAtOnce} {
			rein := cells[workKey{p.peer, conc}]
			ratios := rein.over(cells[workKey{journalPeer, conc}], "cpu_ms")
			target, met := "–", ""
			if conc == manyAtOnce && p.peer == shippedPeer {
				target, met = fmt.Sprintf("≤ %.1f", maxRatio), verdict(median(ratios), maxRatio)
			}
			t.add(p.name, fmt.Sprint(conc), fixed(2, median(rein.over(cells[workKey{rawPeer, conc}], "cpu_ms"))), fixed(2, median(ratios)),
				fixed(2, slices.Min(ratios))+" … "+fixed(2, slices.Max(ratios)), target, met)
		}
	}
	t.print(b.out)
}

// over divides a figure by that of another cell, repetition by repetition.
func (s series) over(other series, name string) []float64 {
	ratios := make([]float64, len(s))
	for i := range s {
		ratios[i] = s[i][name] / other[i][name]
	}
	return ratios
}

// first measures what the engine adds to the time until the first token.
func (b *bench) first(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	f, err := b.cell(ctx, spec{
		Task: "first", Dir: dir, Conc: 1, Runs: b.sizes.first, Warm: b.sizes.first / 10, Tokens: firstTokens, Delay: firstDelay,
	})
	if err != nil {
		return err
	}
	t := table{
		title: fmt.Sprintf("first: time to the first token of a run without tools, %d runs in turns (others' CPU %s)", b.sizes.first, b.others(f["others"])),
		head:  []string{"what", "p50 ms", "p99 ms", "target", ""},
	}
	most := f["commit_p50"] + 0.3
	row := func(name, key string) { t.add(name, fixed(2, f[key+"_p50"]), fixed(2, f[key+"_p99"]), "–", "") }
	row("raw loop, to the first token", "raw")
	row("rein as shipped, from Start to the first delta", shippedPeer)
	row("rein with the raw loop's client", reinPeer)
	row("one fsync'd append alone", "fsync")
	row("one commit of SQLite FULL alone", "commit")
	row("what a start commits, alone", "start")
	added := func(key string) float64 { return f[key+"_p50"] - f["raw_p50"] }
	t.add("added by rein as shipped", fixed(2, added(shippedPeer)), "–", fmt.Sprintf("≤ one commit + 0.3 = %.2f", most), verdict(added(shippedPeer), most))
	t.add("added by rein with the raw loop's client", fixed(2, added(reinPeer)), "–", "–", "")
	t.print(b.out)
	return b.firstPath(ctx)
}
