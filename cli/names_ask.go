package cli

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
)

// An askName is what a person typed to name an ask, and what it means.
type askName struct {
	ask rein.Ask
	// one says that it names this ask and no other. The only ask of a run, and the last one, may be another one soon.
	one bool
	by  string // what was named otherwise
}

// askNamed finds an ask by its ID or an end of that, by the run in whose tree it is the only one, or the last one.
func (c *call) askNamed(ctx context.Context, l *app.App, name string) (askName, error) {
	if name == lastName {
		ask, err := c.lastAsk(ctx, l)
		return askName{ask: ask, by: "the last one"}, err
	}
	ask, err := c.askOf(ctx, l, name)
	if code := rein.CodeOf(err); code != rein.CodeNotFound && code != rein.CodeInvalid {
		return askName{ask, !strings.HasPrefix(name, lastName+":"), "one of the last run"}, err
	}
	if strings.Contains(name, ":") {
		return askName{}, fmt.Errorf("%w: %s lists what is open", err, c.tip("asks"))
	}
	ask, err = c.onlyAsk(ctx, l, name)
	return askName{ask: ask, by: "the run"}, err
}

// lastAsk is the newest ask that is open and that this person can answer.
func (c *call) lastAsk(ctx context.Context, l *app.App) (last rein.Ask, err error) {
	asks, err := l.Asks(ctx, api.AskQuery{State: rein.AskPending, For: rein.Host().User})
	for _, ask := range asks {
		if !ask.Opened.Before(last.Opened) {
			last = ask
		}
	}
	if err == nil && last.ID == "" {
		err = rein.Errorf(rein.CodeNotFound, "nothing waits for you: %s lists what is open", c.tip("asks"))
	}
	return last, err
}

// askOf returns the ask with this ID, or the open one whose ID ends like this. A part of the ID of its run stands for the
// run.
func (c *call) askOf(ctx context.Context, l *app.App, name string) (rein.Ask, error) {
	run, sub, isAsk := strings.Cut(name, ":")
	var unknown error = rein.Errorf(rein.CodeNotFound, "there is no ask %.80q", name)
	if isAsk {
		ask, err := l.Ask(ctx, rein.AskID(name))
		if code := rein.CodeOf(err); code != rein.CodeNotFound && code != rein.CodeInvalid {
			return ask, err
		}
		unknown = err
	}
	open, err := l.Asks(ctx, api.AskQuery{State: rein.AskPending})
	if err != nil {
		return rein.Ask{}, err
	}
	unclear := &unclearError{noun: "ask", name: name}
	var found rein.Ask
	for _, ask := range open {
		if isEnd(string(ask.ID), name) {
			found = ask
			unclear.fits = append(unclear.fits, fit{string(ask.ID), string(ask.Kind), ask.Text})
		}
	}
	switch {
	case len(unclear.fits) == 1:
		return found, nil
	case len(unclear.fits) > 1:
		return rein.Ask{}, unclear
	case !isAsk:
		return rein.Ask{}, unknown
	}
	id, err := c.runNamed(ctx, l.Client, run)
	if code := rein.CodeOf(err); code == rein.CodeNotFound || code == rein.CodeInvalid || id == rein.RunID(run) {
		return rein.Ask{}, unknown
	}
	if err != nil {
		return rein.Ask{}, err
	}
	return l.Ask(ctx, rein.AskID(string(id)+":"+sub))
}

// onlyAsk is the only ask that is open in the tree of a run.
func (c *call) onlyAsk(ctx context.Context, l *app.App, name string) (rein.Ask, error) {
	id, err := c.theRun(ctx, l, name)
	if err != nil {
		return rein.Ask{}, err
	}
	info, err := l.Run(ctx, id)
	if err != nil {
		return rein.Ask{}, c.noRun(err)
	}
	asks, err := l.Asks(ctx, api.AskQuery{Tree: info.ID, State: rein.AskPending})
	switch {
	case err != nil:
		return rein.Ask{}, err
	case len(asks) == 0 && info.Status.Ended():
		return rein.Ask{}, c.finished(info)
	case len(asks) == 0:
		return rein.Ask{}, rein.Errorf(rein.CodeNotFound, "run %s asks nothing now: %s lists what waits", id, c.tip("asks"))
	case len(asks) > 1:
		ids := []string{}
		for _, ask := range asks {
			ids = append(ids, string(ask.ID))
		}
		return rein.Ask{}, usagef("run %s asks more than one thing; say which: %s", id, strings.Join(ids, ", "))
	}
	return asks[0], nil
}
