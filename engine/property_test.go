package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
	"rein/internal/labs"
)

// TestProperty plays random replies, faults, commands, budgets and crashes against random flows.
// Whatever happens, every run ends, every transcript that a model would get is valid, every ledger
// stays within its cap and equals what the logs say, and no unsafe effect happens twice unless a
// person said so. REIN_PROPERTY sets how many worlds are played.
//
// Covers: LAW-4 LAW-8 ENG-68 ENG-69 ENG-30 ENG-31
func TestProperty(t *testing.T) {
	worlds := 40
	if n, err := strconv.Atoi(os.Getenv("REIN_PROPERTY")); err == nil {
		worlds = n
	}
	for seed := range worlds {
		if !labs.Cell(seed, 4) {
			continue
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			play(t, rand.New(rand.NewPCG(uint64(seed), 1)), uint64(seed))
		})
	}
}

var anyTools = []string{"echo", "add", "send", "post", "deploy", "fail", "boom", "blast", "keep"}

func play(t *testing.T, r *rand.Rand, seed uint64) {
	grace := time.Minute
	if r.IntN(2) == 0 {
		grace = engine.NoGrace
	}
	w := enginetest.Prepare(t, parts, grace, "when\nsay unused")
	w.Tweak = func(o *engine.Options) {
		o.Worker.Models = map[string]rein.Model{"": chance{seed}}
		o.StopGrace = engine.NoGrace
		o.Worker.ModelSilence = 200 * time.Millisecond
	}
	w.Begin()
	task := anyTask(r)
	w.Start("r1", task)
	again := 0
	for kills := r.IntN(4); ; {
		// Let some more events come, then do something to the run, or to the process.
		if !w.More(1+r.IntN(6), "r1") {
			break
		}
		switch n := r.IntN(10); {
		case n == 0 && kills > 0:
			kills--
			w.Kill()
			w.Begin()
		case n == 1 && kills > 0:
			kills--
			w.Restart()
		case n <= 4:
			anyCommand(r, w)
		default:
			again += w.AnswerAll(r.IntN)
		}
	}
	w.Verify()
	w.WantWithinCap("r1")
	if n := w.Tools.Doubled("send", "deploy", "blast"); n > again {
		w.Dump()
		t.Errorf("%d unsafe effects happened again, but a person said so %d times", n, again)
	}
}

// anyTask is a random flow over all tools, with a budget that may be small.
func anyTask(r *rand.Rand) rein.Task {
	names := []string{"loop", "pair", "rewrite", "steer", "family", "crowd", "orphans", "all"}
	task := rein.Task{
		Flow: names[r.IntN(len(names))], Tools: anyTools,
		Messages: []rein.Message{{Role: rein.User, Text: fmt.Sprint("task ", r.IntN(100))}},
	}
	child := rein.Task{Flow: []string{"once", "loop", "ask", "pair"}[r.IntN(4)], Tools: anyTools, Messages: task.Messages}
	child.Settings, _ = json.Marshal(flows.Settings{Rounds: 2})
	settings := flows.Settings{Rounds: 1 + r.IntN(5), Children: slices.Repeat([]rein.Task{child}, r.IntN(4))}
	task.Settings, _ = json.Marshal(settings)
	budget := rein.DefaultBudget()
	if r.IntN(2) == 0 {
		budget.Tokens = 500 + r.Int64N(20_000)
		budget.ToolCalls = 1 + r.Int64N(10)
		budget.Runs = 1 + r.Int64N(5)
	}
	task.Budget = &budget
	return task
}

// anyCommand sends something random to some run of the tree. A run that has ended refuses it.
func anyCommand(r *rand.Rand, w *enginetest.World) {
	runs := w.Runs()
	c := rein.Command{
		Kind: []rein.CommandKind{
			rein.CommandMessage, rein.CommandModify, rein.CommandMessage, rein.CommandModify,
			rein.CommandComment, rein.CommandStop, rein.CommandCancel, rein.CommandDelete,
		}[r.IntN(8)],
		Run: runs[r.IntN(len(runs))], By: "ann", Text: fmt.Sprint("said ", r.IntN(100)),
	}
	if c.Kind.Ends() != "" && r.IntN(3) > 0 {
		return
	}
	if _, err := w.Engine.Command(context.Background(), c); err != nil && rein.CodeOf(err) != rein.CodeFinished {
		w.Errorf("%s: %v", c.Kind, err)
	}
}

// chance is a model that answers at random, but the same request always in the same way.
type chance struct{ seed uint64 }

func (c chance) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "chance", MaxOutput: 200, InputMicros: 3_000_000, OutputMicros: 15_000_000}
}

func (c chance) Generate(ctx context.Context, req rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	data, err := json.Marshal(req.Messages)
	if err != nil {
		return rein.ModelReply{}, err
	}
	h := fnv.New64a()
	fmt.Fprint(h, c.seed, req.Phase, req.Round, string(data))
	r := rand.New(rand.NewPCG(h.Sum64(), 2))
	switch r.IntN(20) {
	case 0:
		return rein.ModelReply{}, rein.Errorf(rein.CodeProvider, "503 overloaded")
	case 1:
		show("half a sen")
		return rein.ModelReply{}, context.DeadlineExceeded
	case 2:
		if req.Attempt == 1 {
			<-ctx.Done()
			return rein.ModelReply{}, ctx.Err()
		}
	}
	m := rein.Message{Text: fmt.Sprint("reply ", r.IntN(1000))}
	for i := range r.IntN(4) {
		if len(req.Offered) == 0 {
			break
		}
		m.Calls = append(m.Calls, anyCall(r, i, req.Offered))
	}
	reply := rein.ModelReply{Message: m, Model: "chance"}
	if r.IntN(5) > 0 {
		reply.Usage = &rein.Usage{Input: r.Int64N(int64(len(data)) + 1), Output: r.Int64N(100)}
	}
	return reply, nil
}

func anyCall(r *rand.Rand, i int, offered []rein.Tool) rein.ToolCall {
	call := rein.ToolCall{ID: fmt.Sprint("c", i), Name: offered[r.IntN(len(offered))].Name}
	switch r.IntN(8) {
	case 0:
		call.Args = json.RawMessage(`{"n": oops`)
	case 1:
		call.Name = "nosuchtool"
	case 2:
		call.Args = json.RawMessage(`{"n":"bad"}`)
	default:
		call.Args = json.RawMessage(fmt.Sprintf(`{"n":%d}`, r.IntN(5)))
	}
	return call
}
