package sqlite

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// BenchmarkRun writes what a run of four tool calls writes (bench -only work), 64 at once. The figure to
// look at is the CPU: the time is that of the disk.
func BenchmarkRun(b *testing.B) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "rein.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	next := make(chan int, 64)
	go func() {
		defer close(next)
		for n := range b.N {
			next <- n
		}
	}()
	b.ReportAllocs()
	before := cpu(b)
	share(b, 64, func(int) error { return writeRun(b, s, rein.RunID("r"+strconv.Itoa(<-next))) })
	b.ReportMetric(float64(cpu(b)-before)/1e3/float64(b.N), "cpu-µs/op")
}

// cpu is what the process has used, in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func writeRun(b *testing.B, s *Store, id rein.RunID) error {
	budget := rein.MaxBudget()
	begin := time.Now()
	_, _, err := s.Start(b.Context(), store.Start{
		Run: id, Digest: rein.Hash{1}, At: begin, Claim: true, Exclusive: true,
		Start: rein.RunStart{
			Task: rein.Task{
				Flow: "operate", Tools: []string{"lookup"}, Budget: &budget, Start: begin,
				Messages: []rein.Message{{Role: rein.User, Text: string(id)}},
			},
			Reserve: rein.Amount{Tokens: 4096, DrivenMS: 30000},
		},
		Drafts: append([]store.Draft{
			{Kind: rein.StepStarted, Step: "1", At: begin, Data: &rein.StepStart{
				Sig: "tool context session.history e3b0c44298fc1c14", Verb: rein.VerbTool, About: rein.About{Phase: "context", Human: "Looking at what was said before"},
				Call: &rein.ToolCall{About: rein.About{Phase: "context", Human: "Looking at what was said before"}, ID: "session.history", Name: "session.history", Internal: true},
			}},
			{Kind: rein.StepDone, Step: "1", At: begin, Data: &rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolRefused, Text: `there is no internal read "session.history"`}}},
		}, askModel(1, []rein.Message{{Role: rein.System, Text: strings.Repeat("You are a helpful agent. ", 40)}, {Role: rein.User, Text: string(id)}})...),
	})
	for round := 1; err == nil && round <= 4; round++ {
		err = append5(b, s, id, round)
	}
	if err != nil {
		return err
	}
	text := strings.Repeat("tok ", 64)
	end := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: text}}
	_, err = s.Append(b.Context(), store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{
		{Kind: rein.StepDone, Step: "15", At: time.Now(), Spend: rein.Amount{DrivenMS: -119000}, Data: &rein.StepEnd{
			Message: &rein.Message{Role: rein.Assistant, Text: text}, Model: "mock", Duration: 3265233,
		}},
		{Kind: rein.RunCompleted, At: time.Now(), Spend: rein.Amount{Tokens: -4096, DrivenMS: -30000}, Data: end, Status: rein.Status(end.End), Outcome: end},
	}})
	return err
}

// askModel is the beginning of a round: what the run has to read, and the call of the model.
func askModel(round int, add []rein.Message) []store.Draft {
	at, step := time.Now(), func(n int) rein.StepKey { return rein.StepKey(strconv.Itoa(3*round - 1 + n)) }
	return []store.Draft{
		{Kind: rein.StepDone, Step: step(0), At: at, Data: &rein.StepEnd{Sig: "inbox", Verb: rein.VerbInbox}},
		{Kind: rein.StepStarted, Step: step(1), At: at, Spend: rein.Amount{Rounds: 1, Tokens: 2660, DrivenMS: 120000}, Reserve: true, Data: &rein.StepStart{
			Sig: "model act ", Verb: rein.VerbModel, About: rein.About{Phase: "act", Round: round, Human: "Thinking"},
			Prompt: &rein.PromptRecord{
				Prompt: rein.Prompt{Tools: []string{"lookup"}, Stream: true, Compact: &rein.Compact{Messages: 30, Keep: 5}},
				Base:   "3", Keep: 2, Add: add,
			},
			Bound: rein.Amount{Rounds: 1, Tokens: 2660, DrivenMS: 120000},
		}},
	}
}

// append5 appends what comes between two replies of a model.
func append5(b *testing.B, s *Store, id rein.RunID, round int) error {
	at, step := time.Now(), func(n int) rein.StepKey { return rein.StepKey(strconv.Itoa(3*round + n)) }
	args := json.RawMessage(fmt.Sprintf(`{"q":"step %d"}`, round))
	call := rein.ToolCall{ID: "call_623", Name: "lookup", Args: args}
	message := rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{call}}
	about := rein.About{Phase: "tool", Round: round, Human: "lookup"}
	result := rein.ToolResult{Status: rein.ToolOK, Text: "result for step", Evidence: "none"}
	made := call
	made.About = about
	_, err := s.Append(b.Context(), store.Batch{Run: id, Epoch: 1, Drafts: append([]store.Draft{
		{Kind: rein.StepDone, Step: step(0), At: at, Spend: rein.Amount{DrivenMS: -119000}, Data: &rein.StepEnd{Message: &message, Model: "mock", Duration: 11776430}},
		{Kind: rein.StepStarted, Step: step(1), At: at, Data: &rein.StepStart{
			Sig: "tool tool lookup d7b9db5a70fbf927", Verb: rein.VerbTool, About: about, Call: &made,
			Mend: rein.Mend{Tool: "lookup"}, Bound: rein.Amount{ToolCalls: 1, DrivenMS: 60000},
		}},
		{Kind: rein.StepDone, Step: step(1), At: at, Spend: rein.Amount{DrivenMS: -59000}, Data: &rein.StepEnd{Result: &result, Duration: 28863}},
	}, askModel(round+1, []rein.Message{message, {Role: rein.ToolRole, Text: result.Text, CallID: "call_623", Status: rein.ToolOK}})...)})
	return err
}
