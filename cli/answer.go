package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"rein"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// answerFlags are the flags of rein answer alone.
type answerFlags struct {
	yes, no, decline, reveal bool
	edit, shown, scope, mode string
}

func answerCommand() command {
	var a answerFlags
	return command{
		name: "answer", args: "ASK [TEXT]", does: "answer what a run asks", least: 1, most: anyNumber,
		more: `ASK is an ID that rein asks lists, or the end of one. Without an answer, rein shows the ask in full and takes your answer at the terminal; elsewhere it prints the ask with its digest and exits with 5. To look, ASK can also be a run that has only one open ask, or last: the newest open ask that you can answer. To answer on the command line, name the ask.

A question takes TEXT or the number of a choice. An approval takes --yes, --no with a reason, or --edit with other arguments. An unknown outcome takes happened, again or skip. With --scope session, --yes allows the same again in this session; with --scope always, it allows what fits the patterns shown, for you in this workspace. Both are there only if the ask offers them; rein rules lists and revokes them. An answer that lets something happen (--yes, --edit, again) must repeat the digest with --shown. Secrets are masked; --reveal shows them to the person who is asked.`,
		flags: a.flags, run: a.run,
	}
}

func (a *answerFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		on(&a.yes, "yes", "approve it"),
		on(&a.no, "no", "reject it; TEXT says why"),
		on(&a.decline, "decline", "do not answer the question"),
		text(&a.edit, "edit JSON", "approve it with these arguments instead"),
		text(&a.scope, "scope SCOPE", "with --yes: how far the approval goes: once, session or always; default: once"),
		text(&a.mode, "mode M", "with --yes to a plan: the mode in which it is carried out: ask, edits or sandbox; default: ask"),
		text(&a.shown, "shown DIGEST", "the digest that was printed with what you have seen"),
		on(&a.reveal, "reveal", "show the secrets in it, which are masked otherwise"),
	}, lookFlags(c)...)
}

func (a *answerFlags) run(ctx context.Context, c *call) error {
	text, key := strings.Join(c.args[1:], " "), newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		named, err := c.askNamed(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		ask := named.ask
		if ask.State != rein.AskPending {
			return closedAsk(ask)
		}
		if !a.yes && !a.no && !a.decline && a.edit == "" && text == "" {
			return a.show(ctx, c, l, ask)
		}
		if a.reveal {
			return usagef("--reveal shows ask %s; give the answer without it", ask.ID)
		}
		reply, err := a.replyTo(c, named, text)
		if err != nil {
			return err
		}
		reply.Key = key
		receipt, err := l.Command(ctx, reply)
		if err != nil {
			return c.refused(ctx, l, ask.Run, err)
		}
		return c.told(ctx, l, ask.Run, receipt)
	})
}

// replyTo makes a command of flags and a text. It names the ask, since a run may ask something else by
// now; and what lets something happen says what was seen.
func (a *answerFlags) replyTo(c *call, named askName, text string) (rein.Command, error) {
	ask := named.ask
	answer, err := a.answerOf(ask, text)
	how := c.tip("answer " + string(ask.ID))
	switch {
	case err != nil:
		return rein.Command{}, err
	case !named.one:
		return rein.Command{}, usagef("name the ask, not %s: run %s asks %s; %s shows it whole", named.by, ask.Run, ask.ID, how)
	case ask.Shown != "" && a.shown == "" && approves(answer):
		return rein.Command{}, usagef("ask %s: an answer that lets something happen must say what you have seen: %s shows it in full and takes your answer, or prints the --shown to give here", ask.ID, how)
	}
	reply := ask.Reply(answer)
	reply.Answer.Shown = cmp.Or(a.shown, ask.Shown)
	return reply, nil
}

// show shows an ask whole. At a terminal it takes the answer; elsewhere the answer is another command,
// which repeats what was shown.
func (a *answerFlags) show(ctx context.Context, c *call, l *app.App, ask rein.Ask) (err error) {
	if a.reveal {
		if ask, err = l.Reveal(ctx, ask.ID); err != nil {
			return err
		}
	}
	switch {
	case c.json:
		if err := c.printJSON(ask); err != nil {
			return err
		}
	case terminal.Is(c.stdin) && terminal.Is(c.out.Stderr):
		return c.askAlone(ctx, l, ask)
	default:
		c.printAsk(ask)
	}
	return quiet(exitWaits)
}

// approves reports whether something happens because of the answer.
func approves(answer rein.Answer) bool {
	return answer.State == rein.AskApproved || answer.State == rein.AskEdited || answer.Text == rein.RunAgain && answer.State == rein.AskAnswered
}

func closedAsk(ask rein.Ask) error {
	return rein.Errorf(rein.CodeClosed, "ask %s is closed: %s%s at %s", ask.ID, ask.State, terminal.By(ask.Answer.By), units.When(ask.Closed))
}

// wants says what an ask is about.
var wants = map[rein.AskKind]string{
	rein.AskQuestion:     "is a question",
	rein.AskApproval:     "wants an approval",
	rein.AskConfirmation: "wants a yes or a no",
	rein.AskUnknown:      "wants to know what happened",
}

// offered lists the scopes of an ask that go beyond one call.
func offered(ask rein.Ask) string {
	var names []string
	for _, s := range ask.Offers.Scopes() {
		if s.Lasts() {
			names = append(names, string(s))
		}
	}
	return strings.Join(names, "|")
}

// fits says what rein answer takes for an ask.
func fits(ask rein.Ask) string {
	switch ask.Kind {
	case rein.AskApproval:
		if !ask.Offers.IsZero() {
			return "--yes [--scope " + offered(ask) + "] | --no [TEXT] | --edit JSON"
		}
		return "--yes | --no [TEXT] | --edit JSON"
	case rein.AskConfirmation:
		if len(ask.Modes) > 0 {
			return "--yes [--mode M] | --no [TEXT]"
		}
		return "--yes | --no [TEXT]"
	case rein.AskUnknown:
		return strings.Join(ask.Choices, " | ")
	}
	if len(ask.Choices) > 0 {
		return "TEXT | NUMBER | --decline"
	}
	return "TEXT | --decline"
}

// answerOf makes an answer of flags and a text, if they fit the ask.
func (a *answerFlags) answerOf(ask rein.Ask, text string) (rein.Answer, error) {
	wrong := func() (rein.Answer, error) {
		return rein.Answer{}, usagef("ask %s %s; what fits it is: %s", ask.ID, wants[ask.Kind], fits(ask))
	}
	says := text != "" && !a.no // with --no the text is the reason
	ways := 0
	for _, given := range []bool{a.yes, a.no, a.decline, a.edit != "", says} {
		if given {
			ways++
		}
	}
	if ways != 1 || a.scope != "" && !a.yes {
		return wrong()
	}
	if a.mode != "" && (!a.yes || len(ask.Modes) == 0) {
		return rein.Answer{}, usagef("--mode is for accepting a plan with --yes, and ask %s %s", ask.ID, wants[ask.Kind])
	}
	decides := ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation
	switch {
	case a.decline:
		return rein.Answer{State: rein.AskDeclined}, nil
	case a.yes && decides:
		answer := rein.Answer{State: rein.AskApproved, Scope: rein.RuleScope(a.scope), Mode: rein.Mode(a.mode)}
		return answer, ask.Accepts(answer)
	case a.no && decides:
		return rein.Answer{State: rein.AskRejected, Text: text}, nil
	case a.edit != "" && ask.Kind == rein.AskApproval:
		if !json.Valid([]byte(a.edit)) {
			return rein.Answer{}, usagef("--edit %s is not JSON", a.edit)
		}
		return rein.Answer{State: rein.AskEdited, Args: json.RawMessage(a.edit)}, nil
	case says && ask.Kind == rein.AskQuestion:
		return rein.Answer{State: rein.AskAnswered, Text: terminal.Chosen(ask, text)}, nil
	case says && ask.Kind == rein.AskUnknown:
		if choice, ok := terminal.OneOf(ask, text); ok {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, nil
		}
	}
	return wrong()
}
