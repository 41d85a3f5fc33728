package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const (
	maxAdded    = 1.0  // ms, beside one commit
	maxSlowdown = 1.05 // of a run by followers that never read
)

// serve measures the server: what the API adds to a start, to a whole run and to the first token, what
// followers cost, and what the program takes when it has nothing to do.
func (b *bench) serve(ctx context.Context) error {
	for _, part := range []func(context.Context) error{b.serveStarts, b.serveWork, b.serveFirst, b.servePath, b.serveFan, b.serveLive, b.serveIdle} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// withServer runs a cell beside a server of its own, in another process.
func (b *bench) withServer(ctx context.Context, s spec) (f figures, err error) {
	dir, err := b.newDir()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	served := s
	served.Task, served.Dir = "server", dir
	p, told, err := b.launch(ctx, served)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	token, err := os.ReadFile(filepath.Join(dir, tokenFile))
	if err != nil {
		return nil, err
	}
	s.Server, s.ServerPID, s.Token = fmt.Sprintf("http://127.0.0.1:%.0f", told["port"]), p.cmd.Process.Pid, string(token)
	if s.Dir, err = b.newDir(); err != nil {
		return nil, err
	}
	return b.cell(ctx, s)
}

// inTurns measures the cells of two peers at 1 and 64 at once, in turns.
func (b *bench) inTurns(measure func(peer string, conc int) (figures, error)) (map[workKey]series, error) {
	cells := map[workKey]series{}
	for range b.reps {
		for _, conc := range []int{1, manyAtOnce} {
			for _, peer := range []string{engineName, apiName} {
				f, err := measure(peer, conc)
				if err != nil {
					return nil, err
				}
				key := workKey{peer, conc}
				cells[key] = append(cells[key], f)
			}
		}
	}
	return cells, nil
}

func (b *bench) serveStarts(ctx context.Context) error {
	cells, err := b.inTurns(func(peer string, conc int) (figures, error) {
		s := spec{Task: "starts", Peer: peer, Conc: conc, Runs: b.sizes.starts1, Warm: b.sizes.warm, Parked: true}
		if conc > 1 {
			s.Runs = b.sizes.starts64
		}
		if peer == apiName {
			return b.withServer(ctx, s)
		}
		var err error
		if s.Dir, err = b.newDir(); err != nil {
			return nil, err
		}
		return b.cell(ctx, s)
	})
	if err != nil {
		return err
	}
	b.printPair(fmt.Sprintf("serve: starts of runs that park at once, medians of %d", b.reps), "starts/s", cells,
		"Engine.Start, in process", "POST /v1/runs, keep-alive, bearer token")
	return nil
}

func (b *bench) serveWork(ctx context.Context) error {
	cells, err := b.inTurns(func(peer string, conc int) (figures, error) {
		if peer == engineName {
			return b.workOnce(ctx, shippedPeer, conc)
		}
		s := spec{Task: "apiwork", Conc: conc, Runs: b.sizes.runs1, Warm: b.sizes.warm, Steps: workSteps, Tokens: b.sizes.tokens}
		if conc > 1 {
			s.Runs = b.sizes.runs64
		}
		return b.withServer(ctx, s)
	})
	if err != nil {
		return err
	}
	b.printPair(fmt.Sprintf("serve: whole runs of %d tool calls and %d streamed tokens, medians of %d", workSteps, b.sizes.tokens, b.reps), "runs/s", cells,
		"Start and Wait, in process", "POST, then the stream to its end")
	return nil
}

// printPair shows cells of the engine and the API beside each other.
func (b *bench) printPair(title, rate string, cells map[workKey]series, engine, api string) {
	t := table{title: title, head: []string{"who", "at once", rate, "p50 ms", "p99 ms", "CPU ms each, of the process that drives", "CPU added by the API", "peak RSS MB", "others' CPU"}}
	for _, conc := range []int{1, manyAtOnce} {
		inside := cells[workKey{engineName, conc}]
		for _, who := range []struct{ peer, name string }{{engineName, engine}, {apiName, api}} {
			s := cells[workKey{who.peer, conc}]
			added := "–"
			if who.peer == apiName {
				ratios := s.over(inside, "cpu_ms")
				added = fmt.Sprintf("× %.2f (%.2f … %.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
			}
			t.add(who.name, fmt.Sprint(conc), fixed(0, s.median("runs_s")), fixed(2, s.median("ms_p50")), fixed(2, s.median("ms_p99")),
				fixed(2, s.median("cpu_ms")), added, fixed(0, s.median("rss_mb")), b.others(slices.Max(s.all("others"))))
		}
	}
	t.print(b.out)
}

func (b *bench) serveFirst(ctx context.Context) (err error) {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	p, err := buildProgram(ctx, dir)
	if err != nil {
		return err
	}
	h, err := b.openHouse(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	f, err := b.withServer(ctx, spec{
		Task: "first", Conc: 1, Runs: b.sizes.first, Warm: b.sizes.first / 10, Tokens: firstTokens, Delay: firstDelay, House: h.owner.base, HouseKey: h.owner.token,
	})
	if err != nil {
		return err
	}
	t := table{
		title: fmt.Sprintf("serve: time to the first token through the API, %d runs in turns (others' CPU %s)", b.sizes.first, b.others(f["others"])),
		head:  []string{"what", "p50 ms", "p99 ms", "target", ""},
	}
	row := func(name, key string) { t.add(name, fixed(2, f[key+"_p50"]), fixed(2, f[key+"_p99"]), "–", "") }
	row("raw loop, straight to the provider", "raw")
	row("rein in process, from Start to the first delta", shippedPeer)
	row("rein through the API, from POST to the first delta in its answer", "stream")
	row("the same of rein serve itself, whose prompt has the tools of the flow operate", "house")
	row("rein through the API with two requests, POST and then GET …/events", "api")
	row("… until the POST was answered", "post")
	row("one commit of SQLite FULL alone", "commit")
	row("what a start commits, alone", "start")
	row("GET /healthz alone", "health")
	added, most := f["stream_p50"]-f["raw_p50"], f["commit_p50"]+maxAdded
	t.add("added to the raw loop through the API", fixed(2, added), fixed(2, f["stream_p99"]-f["raw_p99"]), fmt.Sprintf("p50 ≤ one commit + %.0f = %.2f", maxAdded, most), verdict(added, most))
	t.add("… of which by the API", fixed(2, f["stream_p50"]-f[shippedPeer+"_p50"]), fixed(2, f["stream_p99"]-f[shippedPeer+"_p99"]), "–", "")
	t.print(b.out)
	return nil
}
