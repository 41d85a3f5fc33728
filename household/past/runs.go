package past

import (
	"context"

	"rein"
	"rein/household/branches"
	"rein/store"
)

// Origins returns what a session is a branch of; see branches.Origins.
func Origins(ctx context.Context, r store.Snapshots, p rein.Place) (origins []branches.Row, err error) {
	err = r.Read(ctx, func(ctx context.Context, q store.Query) error {
		origins, err = branches.Origins(ctx, q, p)
		return err
	})
	return origins, err
}

// Runs returns the root runs of a session in order, those that it inherits from its origins first.
func Runs(ctx context.Context, r store.Logs, p rein.Place, origins []branches.Row) (all []rein.RunInfo, err error) {
	for i := len(origins) - 1; i >= 0; i-- {
		if all, err = inherited(ctx, r, p, origins[i].From, all); err != nil {
			return nil, err
		}
	}
	for info, err := range r.Runs(ctx, rootsOf(p, p.Session)) {
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

// inherited adds the runs of a session before the one at which another leaves it.
func inherited(ctx context.Context, r store.Logs, p rein.Place, from rein.Branch, all []rein.RunInfo) ([]rein.RunInfo, error) {
	for info, err := range r.Runs(ctx, rootsOf(p, from.Session)) {
		if err != nil {
			return nil, err
		}
		if info.ID == from.Run {
			return all, nil
		}
		all = append(all, info)
	}
	return nil, rein.Errorf(rein.CodeDamaged, "session %q: the run %s at which a branch leaves it is not there", from.Session, from.Run)
}

func rootsOf(p rein.Place, session string) store.Filter {
	return store.Filter{Session: session, Household: p.Household, User: p.User, Roots: true}
}
