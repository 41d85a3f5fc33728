package undo

import (
	"context"
	"encoding/json"

	"rein"
	"rein/household/changes"
)

// pinOf reads what a call was pinned to.
func pinOf(inv rein.Invocation) (all pin, err error) {
	var args undoArgs
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return all, err
	}
	if args.Shown == "" {
		return all, rein.Errorf(rein.CodeInvalid, "the call does not say what the user was shown")
	}
	err = json.Unmarshal([]byte(args.Shown), &all)
	return all, err
}

// changesOf returns changes by their IDs.
func (s Sources) changesOf(ctx context.Context, inv rein.Invocation, ids []string) ([]changes.Change, error) {
	var all []changes.Change
	for _, id := range ids {
		c, err := s.Book.Find(ctx, inv.Task.Household, inv.Task.User, id)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
