package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A table is printed as Markdown.
type table struct {
	title string
	head  []string
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "\n### %s\n\n", t.title)
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
	for _, row := range t.rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}

func (b *bench) printHead() {
	size := "full sizes"
	if b.sizes.runs1 == tiny.runs1 {
		size = "tiny sizes: these figures say nothing"
	}
	fmt.Fprintf(b.out, "rein bench, %s, %s, %d cores, %s\n", time.Now().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), size)
}

// others says how much of the machine other processes used, and whether that is too much to trust
// the figures.
func (b *bench) others(share float64) string {
	text := fmt.Sprintf("%.0f %%", share*100)
	if share > b.noisy {
		text += ", noisy"
	}
	return text
}

// verdict compares a figure with what it may be at most.
func verdict(got, most float64) string {
	if got <= most {
		return "met"
	}
	return "**missed**"
}

// apart is how many times the smallest of some figures the largest is, and what the verdict on that is. Where the smallest
// is nothing, as in a smoke run, it says nothing.
func apart(values []float64, most float64) (ratio, met string) {
	least := slices.Min(values)
	if least <= 0 {
		return "–", ""
	}
	return fixed(2, slices.Max(values)/least), verdict(slices.Max(values)/least, most)
}

// A series is the figures of one cell, one per repetition.
type series []figures

// median returns the median of a figure.
func (s series) median(name string) float64 { return median(s.all(name)) }

func (s series) all(name string) []float64 {
	values := make([]float64, len(s))
	for i, f := range s {
		values[i] = f[name]
	}
	return values
}

func fixed(decimals int, v float64) string { return fmt.Sprintf("%.*f", decimals, v) }
