package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// maxBinary is how large the stripped program may be with all its parts.
const maxBinary = 100.0

// build measures the program: what it takes to build it from nothing, and where its bytes are.
func (b *bench) build(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	cpu, took, err := b.buildCold(ctx, dir)
	if err != nil {
		return err
	}
	stripped, err := sizeOfBuild(ctx, filepath.Join(dir, "stripped"), "-s -w")
	if err != nil {
		return err
	}
	full := filepath.Join(dir, "full")
	if _, err := sizeOfBuild(ctx, full, ""); err != nil {
		return err
	}
	packages, err := listPackages(ctx)
	if err != nil {
		return err
	}
	parts, err := partsOf(full, packages)
	if err != nil {
		return err
	}
	b.printBuild(cpu, took, stripped)
	b.printParts(stripped, parts)
	return nil
}

// buildCold builds the program with an empty cache of compiled packages; in a smoke run with the usual one.
func (b *bench) buildCold(ctx context.Context, dir string) (cpu, took time.Duration, err error) {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", filepath.Join(dir, "cold"), "rein/cmd/rein")
	if b.sizes.coldBuild {
		cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache"))
	}
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("build rein: %w: %s", err, out)
	}
	// The compilers are children of the command, which waits for them: their time is in its own.
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began), nil
}

func sizeOfBuild(ctx context.Context, path, flags string) (int64, error) {
	out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", flags, "-o", path, "rein/cmd/rein").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("build rein: %w: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (b *bench) printBuild(cpu, took time.Duration, stripped int64) {
	title := "build: rein, with an empty cache of compiled packages"
	if !b.sizes.coldBuild {
		title = "build: rein"
	}
	t := table{title: title, head: []string{"what", "figure", "target", ""}}
	t.add("CPU of go build", fmt.Sprintf("%.0f s", cpu.Seconds()), "–", "")
	t.add("time of it", fmt.Sprintf("%.0f s", took.Seconds()), "–", "")
	size := float64(stripped) / 1e6
	t.add(`the program, stripped (-trimpath -ldflags "-s -w")`, fmt.Sprintf("%.1f MB", size), fmt.Sprintf("≤ %.0f MB", maxBinary), verdict(size, maxBinary))
	t.print(b.out)
}
