package main

import (
	"context"
	"fmt"
	"strings"
)

// maxGrowth is how much more the CPU time of the most expensive of the later steps may be than that of the cheapest, beside
// what sending it takes.
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

// joinedGrower is the place of the second of them.
const joinedGrower = 1

// grown is what steps of one of the growers cost, repetition by repetition and segment by segment.
type grown struct {
	cpu, disk [][]float64
	others    float64
}

// growth measures what one more step costs a run that has made many: a request has the whole conversation, and
// nothing else may grow with it. The cells take turns.
func (b *bench) growth(ctx context.Context) error {
	all := make([]grown, len(growers))
	for range max(b.reps, b.sizes.growthReps) {
		cpu, disk := make([][]float64, len(growers)), make([][]float64, len(growers))
		for i, steps := range b.sizes.steps {
			for g, grower := range growers {
				f, err := b.growthOnce(ctx, grower.peer, grower.compact, steps, b.sizes.stepRuns[i])
				if err != nil {
					return err
				}
				cpu[g], disk[g] = append(cpu[g], f["cpu_ms"]*1000), append(disk[g], f["disk"])
				all[g].others = max(all[g].others, f["others"])
			}
		}
		for g := range growers {
			all[g].cpu, all[g].disk = append(all[g].cpu, b.slopes(cpu[g])), append(all[g].disk, b.slopes(disk[g]))
		}
	}
	b.printGrowth(all)
	b.printNet(all)
	return nil
}

func (b *bench) printGrowth(all []grown) {
	t := table{
		title: fmt.Sprintf("growth: CPU and disk of one more step, by how many steps a run has, medians of %d", len(all[0].cpu)),
		head:  []string{"who"},
	}
	for _, what := range []string{"CPU µs", "disk bytes"} {
		for i, steps := range b.sizes.steps[1:] {
			t.head = append(t.head, fmt.Sprintf("%s, %d to %d", what, b.sizes.steps[i], steps))
		}
	}
	t.head = append(t.head, "others' CPU")
	for g, grower := range growers {
		row := []string{grower.name}
		for _, reps := range [][][]float64{all[g].cpu, all[g].disk} {
			for _, v := range medians(reps) {
				row = append(row, fixed(0, v))
			}
		}
		t.add(append(row, b.others(all[g].others))...)
	}
	t.print(b.out)
}

// medians are those of each segment.
func medians(reps [][]float64) []float64 {
	out := make([]float64, len(reps[0]))
	for i := range out {
		var values []float64
		for _, r := range reps {
			values = append(values, r[i])
		}
		out[i] = median(values)
	}
	return out
}

// slopes are what one more step adds, between the sizes.
func (b *bench) slopes(all []float64) []float64 {
	var more []float64
	for i := 1; i < len(all); i++ {
		more = append(more, (all[i]-all[i-1])/float64(b.sizes.steps[i]-b.sizes.steps[i-1]))
	}
	return more
}

// beyond is what the steps of one repetition cost from the second segment on, without what sending the same bytes takes.
// With summaries a request stays as short as it is at first.
func beyond(cpu, joined []float64, compact bool) []float64 {
	var out []float64
	for i := 1; i < len(cpu); i++ {
		sending := joined[i]
		if compact {
			sending = joined[0]
		}
		out = append(out, cpu[i]-sending)
	}
	return out
}

// printNet compares the most expensive of the later steps with the cheapest.
func (b *bench) printNet(all []grown) {
	t := table{
		title: "growth: CPU µs of one more step, beyond a loop that sends the same bytes",
		head:  []string{"who"},
	}
	for i := 1; i < len(b.sizes.steps)-1; i++ {
		t.head = append(t.head, fmt.Sprintf("%d to %d", b.sizes.steps[i], b.sizes.steps[i+1]))
	}
	t.head = append(t.head, "most expensive / cheapest", "in each repetition", "target", "")
	for g, grower := range growers {
		if grower.peer != growPeer {
			continue
		}
		var reps [][]float64
		var ratios, row []string
		for r := range all[g].cpu {
			reps = append(reps, beyond(all[g].cpu[r], all[joinedGrower].cpu[r], grower.compact))
			ratio, _ := apart(reps[r], maxGrowth)
			ratios = append(ratios, ratio)
		}
		mid := medians(reps)
		for _, v := range mid {
			row = append(row, fixed(0, v))
		}
		ratio, met := apart(mid, maxGrowth)
		row = append([]string{grower.name}, row...)
		t.add(append(row, ratio, strings.Join(ratios, ", "), fmt.Sprintf("≤ %.2f", maxGrowth), met)...)
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
