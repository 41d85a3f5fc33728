package cli

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/terminal"
)

const (
	reasonNobody = "nobody is at a terminal to approve it"
	reasonAnswer = "nobody is at a terminal to answer it"
)

// opened sees to an ask. The log tells that it was opened; whether it still is, only the owner knows.
func (w *watcher) opened(ctx context.Context, ask rein.Ask) error {
	now, err := w.link.Ask(ctx, ask.ID)
	if err != nil {
		return err
	}
	if now.State != rein.AskPending {
		return nil
	}
	switch {
	case w.leaves != nil && w.leaves(now.ID):
		return nil
	case w.plays != nil:
		return w.play(ctx, now)
	case w.allowed(now):
		return w.allow(ctx, now)
	case w.asking == askHere:
		w.asks = append(w.asks, now)
		return nil
	case w.asking == askPark || now.Kind == rein.AskUnknown:
		w.left = append(w.left, now)
		return nil
	}
	return w.deny(ctx, now)
}

// play answers an ask of a demo, and shows both.
func (w *watcher) play(ctx context.Context, ask rein.Ask) error {
	answer := w.plays(ask)
	w.timeline.Ask(ask)
	w.timeline.Own("", terminal.Ask, "  answered by the demo: "+new(terminal.Teller).Answer(answer))
	return w.sendOrLeave(ctx, ask, answer)
}

// allowed reports whether --yes-to has answered already: when a run goes on that was started without
// it. What was guessed from a broken call or reaches out of its sandbox is for eyes, not for flags; an ask from before asks said so
// may be such a one.
func (w *watcher) allowed(ask rein.Ask) bool {
	tells := strings.HasPrefix(ask.Shown, rein.ShownMark)
	return ask.Kind == rein.AskApproval && ask.Call != nil && slices.Contains(w.yesTo, ask.Call.Name) && tells && ask.Guessed == "" && !ask.InPerson
}

func (w *watcher) allow(ctx context.Context, ask rein.Ask) error {
	if !w.json {
		w.timeline.Mention(ask)
		w.timeline.Say(ask.Run, terminal.Ask, "  allowed by --yes-to "+safe(ask.Call.Name))
	}
	return w.sendOrLeave(ctx, ask, rein.Answer{State: rein.AskApproved})
}

// sendOrLeave answers an ask that no person is shown; if that is not for us to do it stays open.
func (w *watcher) sendOrLeave(ctx context.Context, ask rein.Ask, answer rein.Answer) error {
	refused, err := w.send(ctx, ask, answer)
	if refused != nil {
		w.timeline.Say(ask.Run, terminal.Bad, "  "+safe(refused.Error()))
		w.left = append(w.left, ask)
	}
	return err
}

// deny answers for a person who is not there: no.
func (w *watcher) deny(ctx context.Context, ask rein.Ask) error {
	answer := rein.Answer{State: rein.AskDeclined, Text: reasonAnswer}
	hint := "declined: " + reasonAnswer + "; --park leaves it open"
	if ask.Kind != rein.AskQuestion {
		answer = rein.Answer{State: rein.AskRejected, Text: reasonNobody}
		hint = "refused: " + reasonNobody + "; --park leaves it open"
		switch {
		case ask.Guessed != "":
			hint = "refused: " + reasonNobody + "; it is a guess, which no flag allows; --park leaves it open"
		case ask.InPerson:
			hint = "refused: " + reasonNobody + "; no flag allows what reaches out of the sandbox; --park leaves it open"
		case ask.Call != nil:
			hint = "refused: " + reasonNobody + "; --yes-to " + safe(ask.Call.Name) + " allows it, --park leaves it open"
		}
	}
	if !w.json {
		w.timeline.Mention(ask)
		w.timeline.Say(ask.Run, terminal.Ask, "  "+hint)
	}
	return w.sendOrLeave(ctx, ask, answer)
}

// send answers an ask. That someone was quicker is no error: the log tells who.
func (w *watcher) send(ctx context.Context, ask rein.Ask, answer rein.Answer) (refused error, err error) {
	if w.decide != nil {
		w.decide(answer)
		return nil, nil
	}
	reply := ask.Reply(answer)
	reply.Key = newKey()
	w.receipt, err = w.link.Command(ctx, reply)
	switch rein.CodeOf(err) {
	case "":
		return nil, nil
	case rein.CodeClosed, rein.CodeFinished:
		w.lost = err
		return nil, nil
	case rein.CodeInvalid, rein.CodeForbidden:
		return err, nil
	}
	return nil, err
}
