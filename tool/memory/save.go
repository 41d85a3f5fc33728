package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"rein"
	kept "rein/household/memory"
	"rein/store"
)

// maxSaved is how many memories, and how many snapshots, one call may bring.
const maxSaved = 20

const (
	defaultDays = 7
	oneDay      = 24 * time.Hour
)

type saveArgs struct {
	Source    rein.RunID    `json:"source"`        // the run in which it was said
	Said      time.Time     `json:"said,omitzero"` // when; zero: now
	Memories  []newMemory   `json:"memories"`
	Snapshots []newSnapshot `json:"snapshots"`
}

type newMemory struct {
	Text  string `json:"text"`
	Kind  string `json:"kind"`
	About string `json:"about"`
}

type newSnapshot struct {
	Text  string     `json:"text"`
	Scope kept.Scope `json:"scope"`
	Days  int        `json:"days"` // how long it holds; 0: a week
}

// saveMemories is memory.save. What it writes is written in the transaction that records its result.
func (s Source) saveMemories() rein.Tool {
	return writing("memory.save", "Remembers what was learnt of the user.", func(ctx context.Context, o kept.Owner, by kept.Origin, raw json.RawMessage) (rein.Done, error) {
		var args saveArgs
		if err := decode("memory.save", raw, &args); err != nil {
			return rein.Done{}, err
		}
		if len(args.Memories) > maxSaved || len(args.Snapshots) > maxSaved {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "memory.save: at most %d memories and %d snapshots at once", maxSaved, maxSaved)
		}
		at := s.Now()
		memories, err := s.memoriesOf(ctx, o, args, at)
		if err != nil {
			return rein.Done{}, err
		}
		var snapshots []kept.Snapshot
		for _, n := range args.Snapshots {
			snapshots = append(snapshots, kept.Snapshot{Text: n.Text, Scope: n.Scope, Source: args.Source, At: at, Expires: at.Add(n.life())})
		}
		return rein.Done{
			Text: fmt.Sprintf("%d memories, %d snapshots", len(memories), len(snapshots)),
			Commit: func(ctx context.Context, tx rein.Tx) error {
				if err := kept.SaveMemories(ctx, tx, o, by, memories); err != nil {
					return err
				}
				return kept.SaveSnapshots(ctx, tx, o, by, snapshots)
			},
		}, nil
	})
}

// memoriesOf makes memories of what was learnt, each with what it replaces by its meaning. What they are worth is a matter
// of when it was said, not of when somebody had the time to note it.
func (s Source) memoriesOf(ctx context.Context, o kept.Owner, args saveArgs, now time.Time) (memories []kept.Memory, err error) {
	own, err := s.own(ctx, o)
	if err != nil {
		return nil, err
	}
	if args.Said.IsZero() || args.Said.After(now) {
		args.Said = now
	}
	for _, m := range args.Memories {
		learnt, err := kept.Memory{Text: m.Text, Kind: m.Kind, About: m.About, Source: args.Source, At: args.Said}.Fit()
		if err != nil {
			return nil, err
		}
		for _, r := range s.Find.Replaced(ctx, own, learnt) {
			learnt.Replaces = append(learnt.Replaces, r.ID)
		}
		memories = append(memories, learnt)
	}
	return memories, nil
}

// own returns all that is remembered of somebody.
func (s Source) own(ctx context.Context, o kept.Owner) (own []kept.Memory, err error) {
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		own, err = kept.Own(ctx, q, o)
		return err
	})
	return own, err
}

func (s newSnapshot) life() time.Duration {
	if s.Days <= 0 {
		return defaultDays * oneDay
	}
	return time.Duration(min(s.Days, int(kept.MaxLife/oneDay))) * oneDay
}

// saveSummary is summary.save.
func saveSummary(now func() time.Time) rein.Tool {
	return writing("summary.save", "Keeps what a session or a day was about.", func(_ context.Context, o kept.Owner, by kept.Origin, raw json.RawMessage) (rein.Done, error) {
		var s kept.Summary
		if err := decode("summary.save", raw, &s); err != nil {
			return rein.Done{}, err
		}
		at := now()
		return rein.Done{Text: "kept", Commit: func(ctx context.Context, tx rein.Tx) error {
			return kept.SaveSummary(ctx, tx, o, by, s, at)
		}}, nil
	})
}

// writing makes an internal tool whose effect is its Commit.
func writing(name, text string, do func(context.Context, kept.Owner, kept.Origin, json.RawMessage) (rein.Done, error)) rein.Tool {
	return rein.Tool{
		Name: name, Description: text, Effect: rein.Pure, Internal: true, Family: "memory",
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			owner, err := kept.OwnerOf(inv.Task)
			if err != nil {
				return rein.Done{}, err
			}
			return do(ctx, owner, kept.Origin{Run: inv.Run, Step: inv.Step}, inv.Args)
		},
	}
}
