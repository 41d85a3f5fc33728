// Command bench measures what a durable run costs compared with a bare loop that does the same
// work, how long waiting, recovering and cancelling take, what the server adds, and what many
// followers cost. It prints Markdown tables with targets. All traffic is loopback, and every loop
// is bounded.
//
//	go run ./bench                     everything, about 40 minutes
//	go run ./bench -only work,cancel   some sections
//	go run ./bench -quick              a smoke run
//	go run ./bench -only notes -set DIR   search on a public set: corpus.jsonl, queries.jsonl, qrels.tsv
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	if isChild() {
		exit(runChild())
	}
	b := &bench{out: os.Stdout, log: os.Stderr}
	only := flag.String("only", "", "sections, separated by commas; empty is all of "+strings.Join(order, ", "))
	quick := flag.Bool("quick", false, "tiny sizes: shows that it works, not how fast")
	flag.IntVar(&b.reps, "reps", 3, "repetitions of the work cells; figures are their medians")
	flag.Float64Var(&b.noisy, "noisy", 0.25, "mark figures during which other processes used more than this share of the machine")
	flag.StringVar(&b.dir, "dir", "", "where to keep the stores while measuring; empty is a temporary folder")
	flag.StringVar(&b.set, "set", "", "folder of a labelled set (corpus.jsonl, queries.jsonl, qrels.tsv) that section notes measures search on")
	flag.StringVar(&b.rival, "rival", "", "program of bench/rivals, for a row of its own in section work (make bench-rivals)")
	flag.StringVar(&b.profiles, "cpuprofile", "", "folder for a CPU and an allocation profile of each cell")
	flag.Parse()
	b.sizes = full
	if *quick {
		b.sizes, b.reps = tiny, 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(b.run(ctx, *only))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// bench is one run of the program.
type bench struct {
	out      io.Writer // the tables
	log      io.Writer // what is going on
	dir      string
	profiles string
	set      string
	rival    string
	reps     int
	noisy    float64
	sizes    sizes

	mock  *process
	base  string // the mock's address
	dirs  int
	cells int
}

// sections are what can be measured.
var sections = map[string]func(*bench, context.Context) error{
	"work":   (*bench).work,
	"first":  (*bench).first,
	"disk":   (*bench).disk,
	"growth": (*bench).growth,
	"parked": (*bench).parked,
	"cancel": (*bench).cancel,
	"notes":  (*bench).notes,
	"search": (*bench).search,
	"serve":  (*bench).serve,
	"api":    (*bench).serveFirst, // parts of serve
	"path":   (*bench).servePath,
	"live":   (*bench).serveLive,
	"abuse":  (*bench).abuse,
	"views":  (*bench).views,
	"long":   (*bench).long,
	"open":   (*bench).open,
	"screen": (*bench).screen,
	"build":  (*bench).build,
}

// order is the order in which it is.
var order = []string{"work", "first", "disk", "growth", "parked", "cancel", "serve", "abuse", "views", "long", "open", "screen", "notes", "search", "build"}

// run measures the named sections.
func (b *bench) run(ctx context.Context, only string) (err error) {
	names, err := choose(only)
	if err != nil {
		return err
	}
	if b.profiles != "" {
		if err := os.MkdirAll(b.profiles, 0o755); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp(b.dir, "rein-bench-")
	if err != nil {
		return err
	}
	b.dir = dir
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := b.startMock(ctx); err != nil {
		return err
	}
	defer b.mock.stop()
	b.printHead()
	for _, name := range names {
		began := time.Now()
		if err := sections[name](b, ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(b.log, "section %s took %s\n", name, time.Since(began).Round(time.Second))
	}
	return nil
}

func choose(only string) ([]string, error) {
	if only == "" {
		return order, nil
	}
	names := strings.Split(only, ",")
	for _, name := range names {
		if sections[name] == nil {
			return nil, fmt.Errorf("section %q does not exist; available: %s", name, strings.Join(order, ", "))
		}
	}
	return names, nil
}

func (b *bench) startMock(ctx context.Context) error {
	p, f, err := launch(ctx, "", spec{Task: "mock"})
	if err != nil {
		return err
	}
	b.mock = p
	b.base = fmt.Sprintf("http://127.0.0.1:%.0f", f["port"])
	return nil
}

// newDir returns a new folder for a cell.
func (b *bench) newDir() (string, error) {
	b.dirs++
	dir := fmt.Sprintf("%s/%d", b.dir, b.dirs)
	return dir, os.Mkdir(dir, 0o755)
}
