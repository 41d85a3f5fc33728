package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rein"
)

// A prompt is an ask that the person at this terminal has before them.
type prompt struct {
	ask     rein.Ask
	editing bool // the next line is the arguments
}

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

// allowed reports whether --yes-to has answered already: when a run goes on that was started without
// it. What was guessed from a broken call is for eyes, not for flags.
func (w *watcher) allowed(ask rein.Ask) bool {
	start, known := w.timeline.steps[stepOf{ask.Run, ask.Step}]
	return ask.Kind == rein.AskApproval && ask.Call != nil && slices.Contains(w.yesTo, ask.Call.Name) && known && start.Mended == ""
}

func (w *watcher) allow(ctx context.Context, ask rein.Ask) error {
	if !w.json {
		w.timeline.say(ask.Run, colourAsk, w.screen.signs.ask+" "+short(ask.Text, 160))
		w.timeline.say(ask.Run, colourAsk, "  allowed by --yes-to "+safe(ask.Call.Name))
	}
	return w.sendOrLeave(ctx, ask, rein.Answer{State: rein.AskApproved})
}

// sendOrLeave answers an ask that no person is shown; if that is not for us to do it stays open.
func (w *watcher) sendOrLeave(ctx context.Context, ask rein.Ask, answer rein.Answer) error {
	refused, err := w.send(ctx, ask, answer)
	if refused != nil {
		w.timeline.say(ask.Run, colourBad, "  "+safe(refused.Error()))
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
		if ask.Call != nil {
			hint = "refused: " + reasonNobody + "; --yes-to " + safe(ask.Call.Name) + " allows it, --park leaves it open"
		}
	}
	if !w.json {
		w.timeline.say(ask.Run, colourAsk, w.screen.signs.ask+" "+short(ask.Text, 160))
		w.timeline.say(ask.Run, colourAsk, "  "+hint)
	}
	return w.sendOrLeave(ctx, ask, answer)
}

// send answers an ask. That someone was quicker is no error: the log tells who.
func (w *watcher) send(ctx context.Context, ask rein.Ask, answer rein.Answer) (refused error, err error) {
	reply := ask.Reply(answer)
	reply.Key = newKey()
	_, err = w.link.Command(ctx, reply)
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed, rein.CodeFinished:
		return nil, nil
	case rein.CodeInvalid, rein.CodeForbidden:
		return err, nil
	}
	return nil, err
}

// typed is where lines come from while there is a prompt.
func (w *watcher) typed() <-chan typed {
	if w.prompt == nil {
		return nil
	}
	return w.keyboard.lines
}

// ask puts the first question that is open, if it is not there already.
func (w *watcher) ask() {
	if w.prompt != nil {
		if !w.timeline.prompted { // something was shown meanwhile
			w.hint(short(w.prompt.ask.Text, 160))
		}
		return
	}
	w.prompt = &prompt{ask: w.asks[0]}
	ask := w.prompt.ask
	w.timeline.say(ask.Run, colourAsk, w.screen.signs.ask+" "+strings.ReplaceAll(safeLines(ask.Text), "\n", "\n  "))
	for i, choice := range ask.Choices {
		w.timeline.say("", "", fmt.Sprintf("  %d) %s", i+1, safe(choice)))
	}
	w.hint(hints[ask.Kind])
}

var hints = map[rein.AskKind]string{
	rein.AskApproval:     "[y]es, once; [n]o; [e]dit the arguments; any other text refuses and says why",
	rein.AskConfirmation: "[y]es; [n]o; any other text refuses and says why",
	rein.AskQuestion:     "your answer, or the number of a choice; an empty line declines",
	rein.AskUnknown:      "did it happen? one of the above, or its number",
}

func (w *watcher) hint(text string) {
	w.timeline.say("", colourQuiet, "  "+text)
	fmt.Fprint(w.stderr, "> ")
	w.timeline.prompted = true
	w.keyboard.want()
}

// entered is a line that was typed.
func (w *watcher) entered(ctx context.Context, t typed) error {
	w.keyboard.busy = false
	// A terminal has echoed the line with its end; the end of the input it has not.
	if errors.Is(t.err, io.EOF) || !terminal(w.stderr) {
		fmt.Fprintln(w.stderr)
	}
	w.timeline.prompted = false
	switch {
	case errors.Is(t.err, io.EOF):
		return w.leave(exitWaits)
	case errors.Is(t.err, errLongLine):
		w.hint(t.err.Error() + "; try again")
		return nil
	case t.err != nil:
		return fmt.Errorf("read the answer: %w", t.err)
	}
	p := w.prompt
	if !p.editing && p.ask.Kind == rein.AskApproval && (t.text == "e" || t.text == "edit") && p.ask.Call != nil {
		p.editing = true
		w.hint("the arguments as a line of JSON; an empty line goes back. Now: " + safe(string(p.ask.Call.Args)))
		return nil
	}
	answer, again := p.read(t.text)
	if again != "" {
		w.hint(again)
		return nil
	}
	refused, err := w.send(ctx, p.ask, answer)
	if err != nil {
		return err
	}
	if rein.CodeOf(refused) == rein.CodeForbidden {
		w.timeline.say("", colourBad, "  "+safe(refused.Error()))
		w.left = append(w.left, p.ask)
	} else if refused != nil {
		w.hint(safe(refused.Error()) + "; try again")
		return nil
	}
	w.prompt, w.asks = nil, w.asks[1:]
	if answer.State == rein.AskDeclined {
		w.timeline.say("", colourQuiet, "  declined")
	}
	return nil
}

// read makes an answer of a line, or says what would be one.
func (p *prompt) read(line string) (answer rein.Answer, again string) {
	text := strings.TrimSpace(line)
	switch {
	case p.editing && text == "":
		p.editing = false
		return answer, hints[p.ask.Kind]
	case p.editing && !json.Valid([]byte(text)):
		return answer, "that is not JSON; the arguments as a line of JSON, or an empty line to go back"
	case p.editing:
		return rein.Answer{State: rein.AskEdited, Args: json.RawMessage(text)}, ""
	}
	switch p.ask.Kind {
	case rein.AskQuestion:
		if text == "" {
			return rein.Answer{State: rein.AskDeclined}, ""
		}
		return rein.Answer{State: rein.AskAnswered, Text: chosen(p.ask, text)}, ""
	case rein.AskUnknown:
		if choice, ok := oneOf(p.ask, text); ok {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, ""
		}
		return answer, "one of: " + safe(strings.Join(p.ask.Choices, ", "))
	}
	switch strings.ToLower(text) {
	case "y", "yes":
		return rein.Answer{State: rein.AskApproved}, ""
	case "n", "no":
		return rein.Answer{State: rein.AskRejected}, ""
	case "":
		return answer, hints[p.ask.Kind]
	}
	return rein.Answer{State: rein.AskRejected, Text: text}, ""
}
