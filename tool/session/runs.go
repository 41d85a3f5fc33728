package session

import (
	"context"
	"encoding/json"

	"rein"
)

// Tools returns History, Run, Runs and Now, and those of the flow compact.
func Tools(r Reader) []rein.Tool {
	return []rein.Tool{History(r), Run(r), Runs(r), Now(), Talk(r), Fold(r)}
}

// Run is the internal read of one ended root run of the same user, as a Past.
func Run(r Reader) rein.Tool {
	return reading("session.run", "What was said in one run.", func(ctx context.Context, inv rein.Invocation) (any, error) {
		var args struct {
			Run rein.RunID `json:"run"`
		}
		if err := json.Unmarshal(inv.Args, &args); err != nil || inv.Task == nil {
			return nil, rein.Errorf(rein.CodeInvalid, `session.run: it wants {"run": ID}`)
		}
		unread, err := unreadOf(ctx, r, inv.Task)
		if err != nil {
			return nil, err
		}
		info, err := r.Run(ctx, args.Run)
		switch {
		case err != nil && rein.CodeOf(err) != rein.CodeNotFound:
			return nil, err
		case err != nil, info.ID.Depth() > 0, unread[info.ID], !mayTell(info, inv.Task):
			return nil, rein.Errorf(rein.CodeNotFound, "session.run: there is no ended run %.100q of this user", string(args.Run))
		}
		return tell(ctx, r, zoneOf(inv.Task.Zone), info)
	})
}

// Runs is the internal read of the ended root runs of a session of the same user: the newest of
// them, and when the first began and the last ended.
func Runs(r Reader) rein.Tool {
	return reading("session.runs", "What was said in a session.", func(ctx context.Context, inv rein.Invocation) (any, error) {
		var args struct {
			Session string `json:"session"`
		}
		if err := json.Unmarshal(inv.Args, &args); err != nil || args.Session == "" || inv.Task == nil {
			return nil, rein.Errorf(rein.CodeInvalid, `session.runs: it wants {"session": ID}`)
		}
		infos, err := ended(ctx, r, inv.Task, args.Session, func(rein.RunInfo) bool { return true })
		if err != nil {
			return nil, err
		}
		past, err := tellAll(ctx, r, zoneOf(inv.Task.Zone), infos)
		found := map[string]any{"runs": past}
		if len(infos) > 0 {
			found["from"], found["to"] = infos[0].Started, infos[len(infos)-1].Changed
		}
		return found, err
	})
}
