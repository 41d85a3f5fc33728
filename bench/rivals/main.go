// Command rivals does the work of a cell of rein's bench with Eino, which keeps nothing. It is a module of its
// own, so that rein does not depend on what it is compared with. The bench starts it and reads its figures:
//
//	make bench-rivals
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

// A spec is what the bench asks for, as far as it concerns a rival.
type spec struct {
	Base   string `json:"base"`
	Runs   int    `json:"runs"`
	Warm   int    `json:"warm"`
	Conc   int    `json:"conc"`
	Steps  int    `json:"steps"`
	Tokens int    `json:"tokens"`
}

func main() {
	if err := measure(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

// measure makes the runs and prints what they took.
func measure(ctx context.Context) error {
	var s spec
	if err := json.Unmarshal([]byte(os.Getenv("REIN_BENCH_CHILD")), &s); err != nil {
		return fmt.Errorf("start this with make bench-rivals: REIN_BENCH_CHILD holds no task: %w", err)
	}
	r, err := newRival(ctx, s)
	if err != nil {
		return err
	}
	if _, err := r.repeat(ctx, s.Warm); err != nil {
		return err
	}
	r.tokens.Store(0)
	r.calls.Store(0)
	runtime.GC()
	cpu, began := ownCPU(), time.Now()
	times, err := r.repeat(ctx, s.Runs)
	wall := time.Since(began).Seconds()
	cpu = ownCPU() - cpu
	if err != nil {
		return err
	}
	if got, want := int(r.tokens.Load()), s.Runs*s.Tokens; got != want {
		return fmt.Errorf("%d tokens were shown, want %d", got, want)
	}
	if got, want := int(r.calls.Load()), s.Runs*s.Steps; got != want {
		return fmt.Errorf("the tool was called %d times, want %d", got, want)
	}
	runs := float64(len(times))
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"runs": runs, "cpu_s": cpu, "wall_s": wall, "cpu_ms": cpu * 1000 / runs, "runs_s": runs / wall,
		"ms_p50": percentile(times, 0.5), "ms_p99": percentile(times, 0.99), "rss_mb": peakMB(),
	})
}

// A rival is an agent of Eino with one tool.
type rival struct {
	spec          spec
	agent         *react.Agent
	tokens, calls atomic.Int64
}

func newRival(ctx context.Context, s spec) (*rival, error) {
	r := &rival{spec: s}
	model, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		APIKey: "x", BaseURL: s.Base + "/v1", Model: fmt.Sprintf("mock-s%d-t%d-d0-w0", s.Steps, s.Tokens),
		// As many idle connections as rein keeps: Go's own client would measure TCP.
		HTTPClient: &http.Client{Transport: &http.Transport{MaxIdleConns: 1024, MaxIdleConnsPerHost: 1024, IdleConnTimeout: time.Minute}},
	})
	if err != nil {
		return nil, err
	}
	type args struct {
		Q string `json:"q" jsonschema:"description=query"`
	}
	lookup, err := utils.InferTool("lookup", "Look something up", func(_ context.Context, a args) (string, error) {
		r.calls.Add(1)
		return "result for " + a.Q, nil
	})
	if err != nil {
		return nil, err
	}
	r.agent, err = react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: model, ToolsConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup}}, MaxStep: 4*s.Steps + 20,
		MessageModifier: react.NewPersonaModifier("You are a helpful agent."),
	})
	return r, err
}

// run makes one run and shows its text as it comes.
func (r *rival) run(ctx context.Context, n int) error {
	stream, err := r.agent.Stream(ctx, []*schema.Message{schema.UserMessage(fmt.Sprintf("run %d", n))})
	if err != nil {
		return err
	}
	defer stream.Close()
	var text strings.Builder
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if m.Content != "" {
			r.tokens.Add(1)
			text.WriteString(m.Content)
		}
	}
	if got := strings.Count(text.String(), "tok"); got != r.spec.Tokens {
		return fmt.Errorf("run %d: the answer has %d tokens, want %d", n, got, r.spec.Tokens)
	}
	return nil
}

// repeat makes so many runs, as many at once as the spec says, and returns what each took in ms.
func (r *rival) repeat(ctx context.Context, runs int) ([]float64, error) {
	var next atomic.Int64
	times, errs := make([][]float64, r.spec.Conc), make([]error, r.spec.Conc)
	var workers sync.WaitGroup
	for w := range r.spec.Conc {
		workers.Go(func() {
			for n := int(next.Add(1)); n <= runs && errs[w] == nil; n = int(next.Add(1)) {
				began := time.Now()
				errs[w] = r.run(ctx, n)
				times[w] = append(times[w], float64(time.Since(began))/float64(time.Millisecond))
			}
		})
	}
	workers.Wait()
	return slices.Concat(times...), errors.Join(errs...)
}

// ownCPU is the CPU time of this process, in seconds.
func ownCPU() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peakMB is the most memory that this process had.
func peakMB() float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	var kB float64
	_, _ = fmt.Sscan(rest, &kB)
	return kB / 1024
}

// percentile is the value that the given share of the values does not exceed.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(p*float64(len(values))))-1, 0)]
}
