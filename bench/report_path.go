package main

import (
	"context"
	"fmt"
)

// printPath shows where the time to the first token goes.
func (b *bench) printPath(title string, places []place, f figures) {
	t := table{
		title: fmt.Sprintf("%s, %d runs in turns (others' CPU %s)", title, b.sizes.first, b.others(f["others"])),
		head:  []string{"until", "p50 µs", "p99 µs"},
	}
	row := func(name, key string) { t.add(name, fixed(0, f[key+"_p50"]), fixed(0, f[key+"_p99"])) }
	for _, p := range places[1:] {
		row(p.name, "rein_"+p.key)
	}
	row("**all of it**", "rein_all")
	for _, p := range passedRaw[1:] {
		row("raw loop: "+p.name, rawPeer+"_"+p.key)
	}
	row("raw loop: **all of it**", rawPeer+"_all")
	t.print(b.out)
}

func (b *bench) pathSpec() spec {
	return spec{Task: "path", Conc: 1, Runs: b.sizes.first, Warm: b.sizes.first / 10, Tokens: firstTokens, Delay: firstDelay}
}

// firstPath is that in process.
func (b *bench) firstPath(ctx context.Context) error {
	s := b.pathSpec()
	var err error
	if s.Dir, err = b.newDir(); err != nil {
		return err
	}
	f, err := b.cell(ctx, s)
	if err != nil {
		return err
	}
	b.printPath("first: where the time of rein as shipped goes, in process", passed, f)
	return nil
}

// servePath is that through the API.
func (b *bench) servePath(ctx context.Context) error {
	s := b.pathSpec()
	s.Traced = true
	f, err := b.withServer(ctx, s)
	if err != nil {
		return err
	}
	b.printPath("serve: where the time to the first token goes, through the API", passedServed, f)
	return nil
}
