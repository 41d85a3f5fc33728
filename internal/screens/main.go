// Command screens takes the pictures of the full-screen terminal that the docs show: it runs rein in tmux with a model that
// plays a script, types as a person does, and draws what was on the screen as SVG.
//
//	go run ./internal/screens -rein bin/rein docs/img/terminal.svg
//	go run ./internal/screens -rein bin/rein -views DIR     one file for each view, to look at
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	rein := flag.String("rein", "bin/rein", "the program")
	views := flag.String("views", "", "folder for one file of each view")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rein, *views, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "screens:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program, views string, files []string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	frames, err := record(ctx, program)
	if err != nil {
		return err
	}
	told := slices.DeleteFunc(slices.Clone(frames), func(f frame) bool { return f.aside })
	for _, file := range files {
		if err := os.WriteFile(file, movie(told), 0o644); err != nil {
			return err
		}
	}
	if views == "" {
		return nil
	}
	if err := os.MkdirAll(views, 0o755); err != nil {
		return err
	}
	for i, f := range frames {
		name := filepath.Join(views, fmt.Sprintf("%02d-%s.svg", i, f.name))
		if err := os.WriteFile(name, movie([]frame{f}), 0o644); err != nil {
			return err
		}
	}
	return nil
}
