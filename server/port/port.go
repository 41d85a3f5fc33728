// Package port defines what the API and the dialects work with: an engine that takes commands,
// views to read, a feed to follow, and who sent the request. It knows nothing about connections.
package port

import (
	"context"
	"net/http"
	"strings"

	"rein"
	"rein/store"
)

// A Commander carries out what people want: an engine.
type Commander interface {
	// Start starts a run; starting it again with the same task is the same run.
	Start(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error)
	Command(context.Context, rein.Command) (rein.Receipt, error)
	Resume(ctx context.Context, run rein.RunID, by string) error
	// Say brings a text into the session of the task: it steers the run that is under way there, or
	// starts the task as a run of that ID with the text as its last message.
	Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error)
}

type callerKey struct{}

// WithCaller returns the request as one of this sender. Only who has checked a credential calls it.
func WithCaller(r *http.Request, who rein.Identity) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, who))
}

// Caller returns who sends the request. Behind the server's checks there always is someone; the zero
// Identity may do nothing.
func Caller(ctx context.Context) rein.Identity {
	who, _ := ctx.Value(callerKey{}).(rein.Identity)
	return who
}

// Run returns a run that the caller may see. Another's does not exist for them.
func Run(ctx context.Context, views store.Views, id rein.RunID, who rein.Identity) (rein.RunInfo, error) {
	if err := id.Check(); err != nil {
		return rein.RunInfo{}, err
	}
	info, err := views.Run(ctx, id)
	if err == nil && !who.Sees(info.Household, info.User) || rein.CodeOf(err) == rein.CodeNotFound {
		return rein.RunInfo{}, rein.Errorf(rein.CodeNotFound, "there is no run %q", string(id))
	}
	return info, err
}

// Changeable is Run for who wants to change it.
func Changeable(ctx context.Context, views store.Views, id rein.RunID, who rein.Identity) (rein.RunInfo, error) {
	info, err := Run(ctx, views, id, who)
	if err == nil && !who.Changes(info.Household, info.User) {
		err = rein.Errorf(rein.CodeForbidden, "run %s belongs to %s: as %s you may read it, but not change it", id, info.User, who.Role)
	}
	return info, err
}

// SeesAsk reports whether an ask is the caller's business: they may see its run, or a run of their
// household put it to them.
func SeesAsk(who rein.Identity, ask rein.Ask, of rein.RunInfo) bool {
	return who.Sees(of.Household, of.User) || who.Household != "" && who.Household == of.Household && ask.For != "" && who.May(rein.ScopeRead) && ask.IsFor(who.User, who.Role, of.User)
}

// Ask returns an ask that the caller may see, and its run. Another's does not exist for them.
func Ask(ctx context.Context, views store.Views, id rein.AskID, who rein.Identity) (rein.Ask, rein.RunInfo, error) {
	none := func(err error) (rein.Ask, rein.RunInfo, error) { return rein.Ask{}, rein.RunInfo{}, err }
	if run, _, ok := strings.Cut(string(id), ":"); !ok || rein.RunID(run).Check() != nil {
		return none(rein.Errorf(rein.CodeInvalid, "%.100q is not the ID of an ask: such an ID is the ID of a run, a colon and a step", string(id)))
	}
	unknown := rein.Errorf(rein.CodeNotFound, "there is no ask %.600q", string(id))
	ask, err := views.Ask(ctx, id)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return none(unknown)
	}
	if err != nil {
		return none(err)
	}
	of, err := views.Run(ctx, ask.Run)
	if err != nil {
		return none(err)
	}
	if !SeesAsk(who, ask, of) {
		return none(unknown)
	}
	return ask, of, nil
}

// Answerable is Ask for who wants to answer it. Seeing an ask is not enough: an owner may stop the run
// of another, but not say yes in their name.
func Answerable(ctx context.Context, views store.Views, id rein.AskID, who rein.Identity) (rein.Ask, error) {
	ask, _, err := answerable(ctx, views, id, who)
	return ask, err
}

func answerable(ctx context.Context, views store.Views, id rein.AskID, who rein.Identity) (rein.Ask, rein.RunInfo, error) {
	ask, of, err := Ask(ctx, views, id, who)
	switch {
	case err != nil:
	case !who.May(rein.ScopeAnswer):
		err = rein.Errorf(rein.CodeForbidden, "this needs the scope %q, which the credential of %s does not have", rein.ScopeAnswer, who.User)
	case !ask.IsFor(who.User, who.Role, of.User) && of.User != who.User:
		err = ask.Permits(rein.Answer{}, who.User, rein.Rights{Role: who.Role}, of.User)
	}
	return ask, of, err
}

// Answering completes an answer that its sender may give, and refuses any other. It goes by the role that the sender was
// recognised with; the store looks again, at the one that they have when it records the answer.
func Answering(ctx context.Context, views store.Views, c *rein.Command, who rein.Identity) error {
	ask, of, err := answerable(ctx, views, c.Ask, who)
	if err != nil {
		return err
	}
	if c.Run == "" {
		c.Run = ask.Run
	}
	if c.Run != ask.Run {
		return rein.Errorf(rein.CodeInvalid, "ask %s belongs to run %s, not to %.100q: leave the run out", ask.ID, ask.Run, string(c.Run))
	}
	return ask.Permits(c.Answer, who.User, rein.DefaultRoles().Of(who.Role), of.User)
}

// AnswerAsk answers an ask in the name of somebody who does not send a request: they said it in a channel.
func AnswerAsk(ctx context.Context, views store.Views, engine Commander, who rein.Identity, id rein.AskID, answer rein.Answer) (rein.Receipt, error) {
	answer.By = who.User
	c := rein.Command{Kind: rein.CommandAnswer, Ask: id, By: who.User, Answer: answer}
	if err := Answering(ctx, views, &c, who); err != nil {
		return rein.Receipt{}, err
	}
	return engine.Command(ctx, c)
}
