package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"rein"
	"rein/api"
)

// Targets: what the owner notices of a member who takes everything.
const (
	maxAbuseRatio = 2.0
	maxAbuseMB    = 300.0
)

// abuse measures the owner's runs alone, and while a member sends the same server all that it takes.
func (b *bench) abuse(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
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
	before, began := machineCPU(), time.Now()
	alone, err := h.ownersRuns(ctx, "alone", b.sizes.abuse)
	if err != nil {
		return err
	}
	abusing, stop := context.WithCancel(ctx)
	member := h.takeEverything(abusing, b.sizes.abuse)
	beside, err := h.ownersRuns(ctx, "beside", b.sizes.abuse)
	stop()
	member.Wait()
	if err != nil {
		return err
	}
	used := ownCPU() + processCPU(h.pid()) + processCPU(b.mock.cmd.Process.Pid)
	f := figures{
		"alone_ms": median(alone), "beside_ms": median(beside), "ratio": median(beside) / median(alone), "p90_ms": percentile(beside, 0.9),
		"peak_mb": memoryOf(strconv.Itoa(h.pid()), "VmHWM") / 1024, "taken": float64(h.taken.Load()), "refused": float64(h.refused.Load()),
		"others": max(0, (machineCPU()-before-used)/(time.Since(began).Seconds()*float64(runtime.NumCPU()))),
	}
	fmt.Fprintf(b.log, "abuse: %v\n", f)
	b.printAbuse(f)
	return nil
}

func (b *bench) printAbuse(f figures) {
	t := table{
		title: fmt.Sprintf("abuse: the owner's runs of 64 tokens, one in 10 ms, beside a member who takes everything (others' CPU %s)", b.others(f["others"])),
		head:  []string{"what", "figure", "target", ""},
	}
	t.add("a run of the owner alone, p50", fmt.Sprintf("%.0f ms", f["alone_ms"]), "–", "")
	t.add("… beside the member, p50", fmt.Sprintf("%.0f ms", f["beside_ms"]), "–", "")
	t.add("… beside the member, p90", fmt.Sprintf("%.0f ms", f["p90_ms"]), "–", "")
	t.add("ratio of the medians", fmt.Sprintf("%.2f", f["ratio"]), fmt.Sprintf("≤ %.0f", maxAbuseRatio), verdict(f["ratio"], maxAbuseRatio))
	t.add("highest RSS of the server", fmt.Sprintf("%.0f MB", f["peak_mb"]), fmt.Sprintf("≤ %.0f MB", maxAbuseMB), verdict(f["peak_mb"], maxAbuseMB))
	t.add("requests of the member that were taken", fmt.Sprintf("%.0f", f["taken"]), "–", "")
	t.add("… that were refused", fmt.Sprintf("%.0f", f["refused"]), "–", "")
	t.print(b.out)
}

// houseModels are the scripts of the models that the program is set up with.
var houseModels = map[string]spec{
	"paced": {Tokens: 64, Delay: 10}, "slow": {Tokens: 100_000, Delay: 1000}, "first": {Tokens: firstTokens, Delay: firstDelay},
}

// openHouse starts rein serve with an owner and a member. The provider takes as much as it is sent.
func (b *bench) openHouse(ctx context.Context, p program) (*abused, error) {
	settings := "[limits]\nrequests = 1000000\ntokens = 1000000000\n"
	for name, script := range houseModels {
		settings += fmt.Sprintf("[models.%s]\nkind = \"openai\"\nmodel = %q\nbase_url = %q\nkey_env = \"HOME\"\n", name, modelName(script), b.base)
	}
	folder := filepath.Join(p.home, ".config", "rein")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file, old := filepath.Join(folder, "rein.toml"), time.Now().Add(-time.Minute)
	// A file that was just written is read for every run, for its time does not tell yet whether it was changed.
	if err := errors.Join(os.WriteFile(file, []byte("model = \"paced\"\n"+settings), 0o600), os.Chtimes(file, old, old)); err != nil {
		return nil, err
	}
	h := &abused{cmd: p.command(ctx, "serve", "--listen", "127.0.0.1:0")}
	var said [3]bytes.Buffer
	for i, args := range [][]string{{"tokens", "new", "bench"}, {"users", "add", "ann", "member"}, {"tokens", "new", "ann", "--user", "ann"}} {
		cmd := p.command(ctx, args...)
		cmd.Stdout, cmd.Stderr = &said[i], b.log
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("rein %s: %w", strings.Join(args, " "), err)
		}
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	address, err := readAddress(bufio.NewReader(out))
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	h.owner = newCaller(spec{Server: address, Token: strings.TrimSpace(said[0].String())})
	h.member = newCaller(spec{Server: address, Token: strings.TrimSpace(said[2].String())})
	return h, nil
}

func (h *abused) pid() int { return h.cmd.Process.Pid }

func (h *abused) close() error {
	_ = h.cmd.Process.Signal(syscall.SIGTERM)
	return h.cmd.Wait()
}

// ownersRuns makes runs one after the other and returns how long each took, from its start to the end of
// its stream.
func (h *abused) ownersRuns(ctx context.Context, name string, n int) (ms []float64, err error) {
	for i := range n + 1 {
		id, began := rein.RunID(fmt.Sprintf("%s-%d", name, i)), time.Now()
		if err := h.owner.start(ctx, id, talk("paced", "hello")); err != nil {
			return nil, err
		}
		if err := h.owner.follow(ctx, id, func(string, []byte) {}); err != nil {
			return nil, err
		}
		info, err := h.owner.run(ctx, id)
		if end := info.End(); err != nil || end.End != rein.EndDone {
			return nil, fmt.Errorf("run %s ended as %s (%v): %w", id, end.End, end.Failure, err)
		}
		if i > 0 { // the first warms up
			ms = append(ms, millis(time.Since(began)))
		}
	}
	return ms, nil
}

func talk(model, text string) rein.Task {
	return rein.Task{Flow: "answer", Model: model, Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

// takeEverything starts as many runs as it may, whose calls never end, follows them, and goes on to start
// runs, bring files and ask for lists as fast as it is answered. It returns when the runs are there.
func (h *abused) takeEverything(ctx context.Context, n int) *sync.WaitGroup {
	long := strings.Repeat("A word. ", 25_000)
	for i := range 80 {
		id := rein.RunID(fmt.Sprint("greedy-", i))
		h.count(h.member.start(ctx, id, talk("slow", long)))
	}
	var all sync.WaitGroup
	for i := range 10 * n {
		all.Go(func() {
			h.count(h.member.follow(ctx, rein.RunID(fmt.Sprint("greedy-", i%64)), func(string, []byte) {}))
		})
	}
	file := bytes.Repeat([]byte("0123456789abcdef"), 5<<16)
	for worker := range 4 {
		for _, act := range []func(i int) error{
			func(i int) error {
				return h.member.do(ctx, http.MethodPost, "/v1/runs", api.NewRun{Task: talk("slow", long)}, nil)
			},
			func(i int) error { return h.member.do(ctx, http.MethodGet, "/v1/runs?limit=200", nil, nil) },
			func(i int) error { return h.member.upload(ctx, fmt.Sprintf("w%d-%d", worker, i%10), file) },
		} {
			all.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					h.count(act(i))
				}
			})
		}
	}
	return &all
}

// upload brings a file to a session.
func (c *caller) upload(ctx context.Context, name string, content []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, c.base+"/v1/sessions/files/files/"+name, bytes.NewReader(append([]byte(time.Now().String()), content...)))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode >= 300 {
		return fmt.Errorf("upload: %s", response.Status)
	}
	return nil
}
