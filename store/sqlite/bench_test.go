package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// benchData is a payload like those of a run: 300 bytes, no long text.
var benchData = rein.StepEnd{Sig: "tool", Result: &rein.ToolResult{Status: rein.ToolOK, Text: strings.Repeat("result ", 30)}, Model: "m", Duration: time.Millisecond}

// BenchmarkAppend compares an append (chain, epoch, head, ledger) with a plain insert of the same
// bytes in the same kind of file and with the same group commit.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("store/%d", writers), func(b *testing.B) { benchStore(b, writers) })
		b.Run(fmt.Sprintf("plain/%d", writers), func(b *testing.B) { benchPlain(b, writers) })
	}
}

// share spreads the work over the writers.
func share(b *testing.B, writers int, do func(writer int) error) {
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for left.Add(-1) >= 0 {
				if err := do(w); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func benchStore(b *testing.B, writers int) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "rein.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for w := range writers {
		id := rein.RunID(fmt.Sprintf("r%d", w))
		budget := rein.MaxBudget()
		_, _, err := s.Start(b.Context(), store.Start{Run: id, At: time.Now(), Start: rein.RunStart{Task: rein.Task{Budget: &budget}}})
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := s.Claim(b.Context(), id, time.Now()); err != nil {
			b.Fatal(err)
		}
	}
	share(b, writers, func(w int) error {
		_, err := s.Append(b.Context(), store.Batch{Run: rein.RunID(fmt.Sprintf("r%d", w)), Epoch: 1, Drafts: []store.Draft{
			{Kind: rein.StepDone, Step: "1", At: time.Now(), Data: &benchData, Spend: rein.Amount{Tokens: 1}},
		}})
		return err
	})
}

// benchPlain inserts rows of the same size through the same queue, and nothing else.
func benchPlain(b *testing.B, writers int) {
	db := connect(filepath.Join(b.TempDir(), "plain.db"), 1, "journal_mode(WAL)", "synchronous(FULL)")
	defer db.Close()
	_, err := db.Exec(`CREATE TABLE ev (run INTEGER, seq INTEGER, kind TEXT, data BLOB, PRIMARY KEY (run, seq)) WITHOUT ROWID`)
	if err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare(`INSERT INTO ev VALUES (?, ?, ?, ?)`)
	if err != nil {
		b.Fatal(err)
	}
	type item struct {
		run, seq int64
		data     []byte
		done     chan error
	}
	queue := make(chan item, 1024)
	defer close(queue)
	write := func(group []item) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		st := tx.Stmt(insert)
		for _, x := range group {
			if _, err := st.Exec(x.run, x.seq, "step.done", x.data); err != nil {
				return err
			}
		}
		return tx.Commit()
	}
	go func() {
		for first := range queue {
			group := []item{first}
			for more := true; more; {
				select {
				case x, ok := <-queue:
					if more = ok; ok {
						group = append(group, x)
					}
				default:
					more = false
				}
			}
			err := write(group)
			for _, x := range group {
				x.done <- err
			}
		}
	}()
	seqs := make([]int64, writers)
	share(b, writers, func(w int) error {
		data, err := marshal(&benchData)
		if err != nil {
			return err
		}
		seqs[w]++
		x := item{run: int64(w), seq: seqs[w], data: data, done: make(chan error, 1)}
		queue <- x
		return <-x.done
	})
}
