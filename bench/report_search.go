package main

import (
	"fmt"
	"slices"
)

// Targets of a search in 100,000 passages, in ms, and of making an index.
const (
	maxSearchP50, maxSearchP99 = 10.0, 25.0
	maxKnownP50, maxKnownP99   = 6.0, 20.0 // the vector of the question is known
	maxIndexing                = 1.1       // times the embedder's own time
)

func (b *bench) printSearch(made figures, all series, near figures) {
	t := table{
		title: fmt.Sprintf("search: %.0f passages of %d words, %d questions, built-in embedder (others' CPU %s)", made["passages"], wordsOfSection, b.sizes.questions, b.others(slices.Max(all.all("others")))),
		head:  []string{"question", "p50 ms", "p99 ms", "CPU ms", "target", ""},
	}
	row := func(name, figure string, p50, p99 float64) {
		got50, got99 := all.median(figure+"_p50"), all.median(figure+"_p99")
		target, met := "–", ""
		if p50 > 0 {
			target = fmt.Sprintf("≤ %.0f, ≤ %.0f", p50, p99)
			met = verdict(max(got50/p50, got99/p99), 1)
		}
		t.add(name, fixed(1, got50), fixed(1, got99), fixed(1, all.median(figure+"_cpu")), target, met)
	}
	row(fmt.Sprintf("**of 1 to %d words, its vector included**", maxQuestion), "all", maxSearchP50, maxSearchP99)
	for n := 4; n <= maxQuestion; n += 4 {
		row(fmt.Sprintf("… of %d to %d", n-3, n), fmt.Sprintf("words_%d", n), 0, 0)
	}
	row("asked again: its vector is known", "again", maxKnownP50, maxKnownP99)
	row("its vector alone", "embed", 0, 0)
	row(fmt.Sprintf("of %d characters", longQuestion), "long", 0, 0)
	row("… asked again", "longagain", 0, 0)
	t.print(b.out)

	t = table{title: "search: opening, memory, recall", head: []string{"what", "figure", "target", ""}}
	t.add("opening the index in a new process", fixed(0, all.median("open_ms"))+" ms", "–", "")
	t.add("its first search: the model is loaded, the folder looked through", fixed(0, all.median("first_p50"))+" ms", "–", "")
	t.add("RSS of the process before", fixed(0, all.median("start_mb"))+" MB", "–", "")
	t.add("RSS with the vault open, after a search", fixed(0, all.median("open_mb"))+" MB", "–", "")
	t.add("RSS after all questions, as it is / settled", fmt.Sprintf("%.0f / %.0f MB", all.median("asked_mb"), all.median("settled_mb")), "–", "")
	t.add(fmt.Sprintf("recall of the nearest 20 against exact vectors, %.0f questions", near["questions"]), fixed(3, near["recall"]), "1.000", verdict(1, near["recall"]))
	t.print(b.out)
}

func (b *bench) printIndexing(f figures) {
	t := table{
		title: fmt.Sprintf("search: indexing %.0f passages with the built-in embedder", f["passages"]),
		head:  []string{"what", "indexing", "the embedder alone", "ratio", "target", ""},
	}
	for _, kind := range []struct{ name, suffix string }{{"CPU", "_cpu_s"}, {"time", "_s"}} {
		ratio := f["index"+kind.suffix] / f["embed"+kind.suffix]
		t.add(kind.name, fixed(2, f["index"+kind.suffix])+" s", fixed(2, f["embed"+kind.suffix])+" s", fixed(2, ratio), "≤ "+fixed(2, maxIndexing), verdict(ratio, maxIndexing))
	}
	t.print(b.out)
}
