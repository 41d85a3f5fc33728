package strict_test

import (
	"context"
	"iter"
	"sync"
	"testing"

	"rein"
	"rein/server/dialect/strict"
	"rein/store"
)

// A between does something after it was looked which runs are under way, the first time.
type between struct {
	store.Reader
	do func()
}

func (b *between) Runs(ctx context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) {
		b.Reader.Runs(ctx, f)(yield)
		if f.Unfinished {
			b.do()
		}
	}
}

// A socket that connects at the moment at which a run starts is shown that run.
//
// Covers: RAO-74
func TestRunStartsWhileConnecting(t *testing.T) {
	s := scene(t, "strict/c3_answered")
	var r *rig
	start := sync.OnceFunc(func() {
		_, err := r.Engine.Start(context.Background(), "early", rein.Task{
			Flow: "strict", Household: "home", User: "owner", Session: "s1", Tools: []string{"read", "request_input"},
			Messages: []rein.Message{{Role: rein.User, Text: "Read the file."}},
		})
		check(t, err)
	})
	s.options = func(o *strict.Options) { o.Store = &between{o.Store, start} }
	r = newRig(t, s)
	c := r.dial("conversation_id", "s1")
	if m := c.until("agent_request_input"); m.Run != "early" {
		t.Errorf("it is shown %+v", m)
	}
}
