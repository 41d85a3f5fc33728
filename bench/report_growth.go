package main

import (
	"context"
	"fmt"
	"slices"
)

// maxGrowth is how much more the CPU time of a late step may be than that of an early one, beside what sending it takes.
const maxGrowth = 1.25

// growers are who makes runs of many steps.
var growers = []struct {
	peer, name string
	compact    bool
}{
	{rawPeer, "raw loop", false},
	{joinedPeer, "raw loop, messages encoded once", false},
	{growPeer, "rein as shipped, no summaries", false},
	{growPeer, "rein as shipped, with summaries", true},
}

// growth measures what one more step costs a run that has made many: a request has the whole conversation, and
// nothing else may grow with it.
func (b *bench) growth(ctx context.Context) error {
	t := table{
		title: "growth: CPU and disk of one more step, by how many steps a run has",
		head:  []string{"who"},
	}
	for i, steps := range b.sizes.steps {
		if i > 0 {
			t.head = append(t.head, fmt.Sprintf("CPU µs, %d to %d", b.sizes.steps[i-1], steps))
		}
	}
	for i, steps := range b.sizes.steps {
		if i > 0 {
			t.head = append(t.head, fmt.Sprintf("disk bytes, %d to %d", b.sizes.steps[i-1], steps))
		}
	}
	t.head = append(t.head, "others' CPU")
	net := [][]float64{}
	for _, g := range growers {
		var cpu, disk, others []float64
		for i, steps := range b.sizes.steps {
			f, err := b.growthOnce(ctx, g.peer, g.compact, steps, b.sizes.stepRuns[i])
			if err != nil {
				return err
			}
			cpu, disk, others = append(cpu, f["cpu_ms"]*1000), append(disk, f["disk"]), append(others, f["others"])
		}
		row := []string{g.name}
		net = append(net, b.slopes(cpu))
		for _, v := range b.slopes(cpu) {
			row = append(row, fixed(0, v))
		}
		for _, v := range b.slopes(disk) {
			row = append(row, fixed(0, v))
		}
		t.add(append(row, b.others(slices.Max(others)))...)
	}
	t.print(b.out)
	b.printNet(net)
	return nil
}

// slopes are what one more step adds, between the sizes.
func (b *bench) slopes(all []float64) []float64 {
	var more []float64
	for i := 1; i < len(all); i++ {
		more = append(more, (all[i]-all[i-1])/float64(b.sizes.steps[i]-b.sizes.steps[i-1]))
	}
	return more
}

// printNet compares late steps with early ones, without what sending the same bytes takes.
func (b *bench) printNet(cpu [][]float64) {
	t := table{
		title: "growth: CPU µs of one more step, beyond a loop that sends the same bytes",
		head:  []string{"who", "early", "late", "late / early", "target", ""},
	}
	for i, g := range growers {
		if g.peer != growPeer {
			continue
		}
		last := len(cpu[i]) - 1
		early, late := cpu[i][0]-cpu[1][0], cpu[i][last]
		if !g.compact { // with summaries a request stays short
			late -= cpu[1][last]
		} else {
			late -= cpu[1][0]
		}
		t.add(g.name, fixed(0, early), fixed(0, late), fixed(2, late/early), fmt.Sprintf("≤ %.2f", maxGrowth), verdict(late/early, maxGrowth))
	}
	t.print(b.out)
}

// growthOnce makes one run after another: of several at once, some share a commit, and the fewer do the longer their
// requests take.
func (b *bench) growthOnce(ctx context.Context, peer string, compact bool, steps, runs int) (figures, error) {
	dir, err := b.newDir()
	if err != nil {
		return nil, err
	}
	return b.cell(ctx, spec{
		Task: "work", Peer: peer, Dir: dir, Conc: 1, Runs: runs, Warm: min(runs, 20), Steps: steps, Tokens: b.sizes.tokens, Compact: compact,
	})
}
