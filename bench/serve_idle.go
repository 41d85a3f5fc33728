package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rein"
)

// A program is the command rein, built for the bench, with a folder of its own in place of the user's.
type program struct {
	path, home string
}

// buildProgram builds rein as this program was built, with the race detector or without.
func buildProgram(ctx context.Context, dir string) (program, error) {
	p := program{filepath.Join(dir, "rein"), dir}
	args := []string{"build", "-o", p.path}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" && s.Value == "true" {
				args = append(args, "-race")
				for _, quiet := range []string{"sqlite/lib", "libc", "memory"} { // as in the Makefile: then both share compiled packages
					args = append(args, "-gcflags=modernc.org/"+quiet+"=-race=false")
				}
			}
		}
	}
	out, err := exec.CommandContext(ctx, "go", append(args, "rein/cmd/rein")...).CombinedOutput()
	if err != nil {
		return p, fmt.Errorf("build rein: %w: %s", err, out)
	}
	return p, nil
}

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir = p.home
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "GORACE=" + os.Getenv("GORACE")}
	return cmd
}

// coldOnce starts rein serve and measures how soon it answers, how soon it has done a run, and what it
// then takes in memory. fresh begins with no data.
func (p program) coldOnce(ctx context.Context, data string, fresh bool, rest time.Duration) (f figures, err error) {
	var token bytes.Buffer
	if !fresh {
		make := p.command(ctx, "tokens", "new", "bench", "--data", data)
		make.Stdout = &token
		if err := make.Run(); err != nil {
			return nil, fmt.Errorf("make a token: %w", err)
		}
	}
	cmd := p.command(ctx, "serve", "--listen", "127.0.0.1:0", "--data", data)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	before, began := machineCPU(), time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if e := cmd.Wait(); e != nil && err == nil {
			err = fmt.Errorf("rein serve: %w: %s", e, said.Bytes())
		}
	}()
	address, err := readAddress(bufio.NewReader(out))
	if err != nil {
		return nil, err
	}
	c := newCaller(spec{Server: address, Token: strings.TrimSpace(token.String())})
	if fresh {
		c.token = "none" // nobody asks who wants to know whether the process is alive
	}
	return p.measureCold(ctx, c, cmd.Process.Pid, began, before, fresh, rest)
}

func (p program) measureCold(ctx context.Context, c *caller, pid int, began time.Time, before float64, fresh bool, rest time.Duration) (figures, error) {
	f := figures{}
	if _, err := c.alive(ctx); err != nil {
		return nil, err
	}
	f["alive_ms"] = millis(time.Since(began))
	process := strconv.Itoa(pid)
	if !fresh {
		task := rein.Task{Flow: "answer", Messages: []rein.Message{{Role: rein.User, Text: "hello"}}}
		if err := c.start(ctx, "cold", task); err != nil {
			return nil, err
		}
		if err := c.follow(ctx, "cold", func(string, []byte) {}); err != nil {
			return nil, err
		}
		info, err := c.run(ctx, "cold")
		if end := info.End(); err != nil || end.End != rein.EndDone {
			return nil, fmt.Errorf("the first run ended as %s (%v): %w", end.End, end.Failure, err)
		}
		f["served_ms"] = millis(time.Since(began))
	}
	f["others"] = max(0, (machineCPU()-before-processCPU(pid))/(time.Since(began).Seconds()*float64(runtime.NumCPU())))
	time.Sleep(rest)
	f["rss_mb"], f["peak_mb"] = memoryOf(process, "VmRSS")/1024, memoryOf(process, "VmHWM")/1024
	return f, nil
}

// readAddress finds in what rein serve prints where it listens.
func readAddress(r *bufio.Reader) (string, error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", errors.Join(errors.New("rein serve printed no address"), err)
		}
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "address" {
			return fields[1], nil
		}
	}
}
