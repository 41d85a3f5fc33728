package work

import (
	"context"

	"rein"
)

// Grants are the rules that people make when they approve a call for longer than once.
type Grants interface {
	// Held returns what people allowed of the tool, as it is now, for calls of the invocation's run.
	Held(ctx context.Context, t rein.Tool, inv rein.Invocation) (rein.Granted, error)
	// Keep keeps what the answer to an ask about the call allows beyond it. To keep the same again changes nothing,
	// also if it was revoked meanwhile.
	Keep(ctx context.Context, t rein.Tool, inv rein.Invocation, ask rein.Ask, answer rein.Answer) error
}

// granted completes an invocation with what people allowed of the tool. Only tools that rule on their calls use it.
func (w *Worker) granted(ctx context.Context, t rein.Tool, inv rein.Invocation) (_ rein.Invocation, err error) {
	inv.Granted = rein.Granted{}
	if t.Rules && w.Grants != nil {
		inv.Granted, err = w.Grants.Held(ctx, t, inv)
	}
	return inv, err
}

// maxHeld is how much a person can allow of a tool in one place before nothing more is offered.
const maxHeld = 500

// bounded is what a tool shows of a call, without offers if so much is allowed already.
func bounded(shown rein.Shown, held rein.Granted) rein.Shown {
	if len(held.Session)+len(held.Always) >= maxHeld {
		shown.Ruling.Session, shown.Ruling.Always = nil, nil
	}
	return shown
}
