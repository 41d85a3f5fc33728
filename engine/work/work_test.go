package work_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/engine/work"
)

type model func(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error)

func (m model) Info() rein.ModelInfo { return rein.ModelInfo{} }

func (m model) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	return m(ctx, r, show)
}

func tool(do func(context.Context, rein.Invocation) (rein.Done, error)) rein.Tool {
	return rein.Tool{Name: "t", Effect: rein.Pure, Do: do}
}

func TestCallsThatDoNotEndProperly(t *testing.T) {
	w := &work.Worker{}
	_, err := w.Invoke(t.Context(), nil, tool(func(context.Context, rein.Invocation) (rein.Done, error) { panic("boom") }), rein.Invocation{})
	if !errors.Is(err, work.ErrPanic) || !strings.Contains(err.Error(), "boom") {
		t.Errorf("a panic: %v", err)
	}
	_, err = w.Invoke(t.Context(), nil, tool(func(context.Context, rein.Invocation) (rein.Done, error) { runtime.Goexit(); return rein.Done{}, nil }), rein.Invocation{})
	if !errors.Is(err, work.ErrPanic) {
		t.Errorf("a goroutine that ends: %v", err)
	}
}

func TestACallThatIgnoresItsContextIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &work.Worker{Abandon: time.Second}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		release := make(chan struct{})
		defer close(release)
		began := time.Now()
		_, err := w.Invoke(ctx, nil, tool(func(context.Context, rein.Invocation) (rein.Done, error) { <-release; return rein.Done{}, nil }), rein.Invocation{})
		if !errors.Is(err, work.ErrAbandoned) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took != time.Minute+time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// A model that was abandoned cannot go on talking to people.
func TestAnAbandonedModelIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &work.Worker{Abandon: time.Second}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		over := make(chan struct{})
		said, before, after := "", "", ""
		_, err := w.Generate(ctx, nil, model(func(_ context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
			show("before ")
			before = r.Said()
			<-over
			show("after")
			after = r.Said() // the engine uses it by now
			close(over)
			return rein.ModelReply{}, nil
		}), rein.ModelRequest{Said: func() string { return said }}, func(text string) { said += text })
		over <- struct{}{}
		<-over
		if before != "before " || after != "" {
			t.Errorf("Said returned %q to the model, and then %q", before, after)
		}
		if !errors.Is(err, work.ErrAbandoned) || said != "before " {
			t.Errorf("got %v and %q", err, said)
		}
	})
}

func TestCheckTools(t *testing.T) {
	do := func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{}, nil }
	check := func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
		return rein.CheckNot, rein.Done{}, nil
	}
	show := func(context.Context, rein.Invocation) (rein.Shown, error) { return rein.Shown{}, nil }
	for want, tool := range map[string]rein.Tool{
		"registered as":        {Name: "other", Effect: rein.Pure, Do: do},
		"must have a function": {Name: "t", Effect: rein.Pure},
		"must be pure":         {Name: "t", Effect: "harmless", Do: do},
		"a checkable tool":     {Name: "t", Effect: rein.Checkable, Do: do},
		"and no other has":     {Name: "t", Effect: rein.Unsafe, Do: do, Check: check},
		`"t": no Effect is`:    {Name: "t", Do: do},
		"must have a Show":     {Name: "t", Effect: rein.Unsafe, Do: do, Pinned: []string{"shown"}},
		"and an effect":        {Name: "t", Effect: rein.Pure, Do: do, Show: show, Pinned: []string{"shown"}},
		"trusted or pinned":    {Name: "t", Effect: rein.Unsafe, Do: do, Show: show, Pinned: []string{"user"}, Trusted: []string{"user"}},
	} {
		err := (&work.Worker{Tools: map[string]rein.Tool{"t": tool}}).Check()
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	for _, tool := range []rein.Tool{
		{Name: "t", Effect: rein.Checkable, Do: do, Check: check},
		{Name: "t", Effect: rein.Pure, Writes: true, Do: do, Show: show, Pinned: []string{"shown"}},
	} {
		if err := (&work.Worker{Tools: map[string]rein.Tool{"t": tool}}).Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestUnknownNamesSayWhatThereIs(t *testing.T) {
	w := &work.Worker{Models: map[string]rein.Model{"": nil, "big": nil}, Tools: map[string]rein.Tool{"echo": {}, "add": {}}}
	if _, err := w.Model("huge"); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), `"" (the default), big`) {
		t.Error(err)
	}
	if _, err := w.Offered(&rein.Task{}, []string{"add", "subtract"}); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), "add, echo") {
		t.Error(err)
	}
}
