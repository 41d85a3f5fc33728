package assist

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"rein"
	"rein/api"
	"rein/internal/consent"
	"rein/journal/feed"
	"rein/server/wire"
)

// Executed is the answer of POST /chat/actions/execute.
type Executed struct {
	Success bool    `json:"success"`
	Result  *string `json:"result"` // the result of the tool, or null
	Error   *string `json:"error"`
}

// execute confirms an action and waits until it is done. Only one confirmation gets through: the ask
// leaves pending once.
func (d *dialect) execute(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body struct {
		ActionID string `json:"action_id"`
	}
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	done, err := d.confirm(r.Context(), who, body.ActionID)
	if err != nil {
		d.serve.Note(r, err)
		p := api.ProblemOf(err)
		answer(w, p.Status, Executed{Error: &p.Detail})
		return nil
	}
	answer(w, http.StatusOK, done)
	return nil
}

func (d *dialect) confirm(ctx context.Context, who rein.Identity, id string) (Executed, error) {
	lasts, cancel := wire.Lasting(ctx)
	defer cancel()
	unknown := rein.Errorf(rein.CodeNotFound, "you were shown no action %.100q: GET /chat/history shows the open actions and their IDs", id)
	slip, ok := d.clients.Of(who).Find(id)
	if !ok {
		return Executed{}, unknown
	}
	ask, info, err := d.action(lasts, who, slip.Ask)
	if rein.CodeOf(err) == rein.CodeNotFound {
		err = unknown
	}
	if err != nil {
		return Executed{}, err
	}
	if ask.State != rein.AskPending {
		return Executed{}, rein.Errorf(rein.CodeClosed, "action %s is already %s: it cannot be executed again", id, ask.State)
	}
	_, err = d.Engine.Command(lasts, slip.Reply(rein.Answer{State: rein.AskApproved, By: who.User}))
	if err != nil {
		return Executed{}, err
	}
	wait, stop := context.WithTimeout(ctx, d.Deadline)
	defer stop()
	return d.executed(wait, ask, info.Seq)
}

// action finds an action of the caller. Another's does not exist for them, whatever their role: agreeing
// is for the one who was asked.
func (d *dialect) action(ctx context.Context, who rein.Identity, id rein.AskID) (rein.Ask, rein.RunInfo, error) {
	ask, err := d.Store.Ask(ctx, id)
	if err != nil {
		return rein.Ask{}, rein.RunInfo{}, err
	}
	info, err := d.Store.Run(ctx, ask.Run)
	if err != nil {
		return rein.Ask{}, rein.RunInfo{}, err
	}
	if info.Household != who.Household || !ask.IsFor(who.User, who.Role, info.User) || !consent.IsFor(ask) {
		return rein.Ask{}, rein.RunInfo{}, rein.Errorf(rein.CodeNotFound, "ask %s is not an action of %s", id, who.User)
	}
	return ask, info, nil
}

// executed waits for the step that asked, and says what came of it.
func (d *dialect) executed(ctx context.Context, ask rein.Ask, after int64) (Executed, error) {
	for line, err := range d.Feed.Follow(ctx, ask.Run, feed.Options{After: strconv.FormatInt(after, 10)}) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return Executed{}, late(d.Deadline)
		case err != nil:
			return Executed{}, err
		}
		if e := line.Event; e != nil && e.Kind == rein.StepDone && e.Step == ask.Step {
			return outcomeOf(*e), nil
		}
	}
	why := "the turn ended before it was done"
	return Executed{Error: &why}, ctx.Err()
}

// outcomeOf reads what came of an action from the end of its step.
func outcomeOf(e rein.Event) Executed {
	end, _ := rein.Payload[rein.StepEnd](e)
	switch {
	case end.Result != nil && end.Result.Status.Failed():
		return Executed{Error: &end.Result.Text}
	case end.Failure != nil:
		return Executed{Error: &end.Failure.Msg}
	case end.Result != nil:
		return Executed{Success: true, Result: &end.Result.Text}
	}
	return Executed{Success: true}
}
