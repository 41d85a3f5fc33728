package replay

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/engine"
	"rein/replay/cassette"
)

// stubs reports whether the tool is not run in the fork, because it may change something.
func (w *way) stubs(tool rein.Tool) bool {
	return tool.Effect != rein.Pure && !slices.Contains(w.Allow, tool.Name)
}

// shown returns what a person was shown of a call that had ended where the fork parts, and what pinned
// it. ended is false of any other call. Nobody is waited for: what people said to the call comes after
// it was shown.
func (w *way) shown(ctx context.Context, tool rein.Tool, inv rein.Invocation) (shown rein.Shown, ended bool, err error) {
	if w.past.Load() || inv.Run == w.root && top(inv.Step) > top(w.Step) {
		return shown, false, nil
	}
	score, err := w.read(ctx)
	if err != nil {
		return shown, false, cannotRead(err)
	}
	where, ended := score.Shown(inv.Run, inv.Step)
	if !ended {
		return shown, false, nil
	}
	var asks []rein.Ask
	for _, seq := range where.Asks {
		ask, err := payload[rein.Ask](ctx, w, inv.Run, seq)
		if err != nil {
			return shown, false, err
		}
		asks = append(asks, ask)
	}
	var sent rein.Intent
	if where.Sent > 0 {
		if sent, err = payload[rein.Intent](ctx, w, inv.Run, where.Sent); err != nil {
			return shown, false, err
		}
	}
	n, err := w.asked(ctx, inv)
	shown = cassette.ShownThen(tool, asks, sent.Args, n)
	if len(asks) == 0 && where.Sent == 0 {
		shown.Ruling.Verdict = rein.Denied // a call that nobody had to agree to, and that was not sent
	}
	if strings.HasPrefix(sent.Allowed, "mode ") {
		shown.Ruling = rein.Ruling{Verdict: rein.MustAsk, Contained: true}
	}
	if len(asks) == 0 {
		shown.Text = "It is not run: this run is a fork, and its result is known."
	}
	return shown, true, err
}

// precedent is what was known of equal calls when the run before made a call, if the fork does not make
// it itself.
func (w *way) precedent(ctx context.Context, tool rein.Tool, inv rein.Invocation) (p engine.Precedent, recorded bool, err error) {
	if w.past.Load() || inv.Run == w.root && top(inv.Step) > top(w.Step) {
		return p, w.stubs(tool), nil
	}
	score, err := w.read(ctx)
	if err != nil {
		return p, false, cannotRead(err)
	}
	where, ended := score.Shown(inv.Run, inv.Step)
	if !ended {
		return p, w.stubs(tool), nil
	}
	var ask *rein.Ask
	if where.Doubt > 0 {
		doubt, err := payload[rein.Ask](ctx, w, inv.Run, where.Doubt)
		if err != nil {
			return p, false, err
		}
		ask = &doubt
	}
	var sent rein.Intent
	if where.Sent > 0 {
		if sent, err = payload[rein.Intent](ctx, w, inv.Run, where.Sent); err != nil {
			return p, false, err
		}
	}
	return precedentOf(ask, sent.Key), true, nil
}

// payload reads an event of the run before.
func payload[T any](ctx context.Context, w *way, run rein.RunID, seq int64) (T, error) {
	e, err := w.event(ctx, run, seq)
	if err != nil {
		var none T
		return none, cannotRead(err)
	}
	return rein.Payload[T](e)
}

// asked counts the approvals that the fork itself has asked for, of one call.
func (w *way) asked(ctx context.Context, inv rein.Invocation) (n int, err error) {
	for {
		_, err := w.forks.Store.Ask(ctx, rein.NewAskID(inv.Run, inv.Step.Sub("ask", n+1)))
		if rein.CodeOf(err) == rein.CodeNotFound {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n++
	}
}
