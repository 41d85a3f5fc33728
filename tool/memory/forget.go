package memory

import (
	"context"
	_ "embed"
	"strings"

	"rein"
	kept "rein/household/memory"
	"rein/household/recall"
	"rein/tool"
)

//go:embed forget.md
var forgetText string

type forgetArgs struct {
	Memory string `json:"memory" jsonschema:"its ID, or words that fit one memory only" min:"1" max:"400"`
	Shown  string `json:"shown" pinned:"true"`
}

// forget is memory.forget. A person agrees to each call, to the memory as it was when they were asked.
func (s Source) forget() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: forgetName, Text: forgetText, Effect: rein.Pure, Writes: true, Approval: true},
		func(ctx context.Context, inv rein.Invocation, args forgetArgs) (rein.Done, error) {
			owner, m, _, err := s.named(ctx, inv, args.Memory)
			if err != nil {
				return rein.Done{}, err
			}
			if m.Version() != args.Shown {
				return rein.Done{}, changedMeanwhile(forgetName)
			}
			return rein.Done{Text: "Forgotten: " + m.ID, Commit: func(ctx context.Context, tx rein.Tx) error {
				_, err := recall.Forget(ctx, tx, owner, m.ID, args.Shown, inv.Run, s.Now())
				return err
			}}, nil
		})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, args forgetArgs) (rein.Shown, error) {
		_, m, before, err := s.named(ctx, inv, args.Memory)
		if err != nil {
			return rein.Shown{}, err
		}
		t := teller{inv.Task, s.Now()}
		shown := rein.Shown{Say: t.say("forget", m.Text), Text: t.say("since", t.day(m.Since())), Pin: map[string]string{"shown": m.Version()}, Hazard: t.say("forgets")}
		if len(before) > 0 {
			shown.Text += "\n" + t.say("and before", t.lines(before))
		}
		return shown, nil
	})
	return t, err
}

// named returns the memory that a model means, with what it replaced.
func (s Source) named(ctx context.Context, inv rein.Invocation, name string) (owner kept.Owner, m kept.Memory, before []kept.Memory, err error) {
	if owner, err = kept.OwnerOf(inv.Task); err != nil {
		return owner, m, nil, err
	}
	own, err := s.own(ctx, owner)
	if err != nil {
		return owner, m, nil, err
	}
	name = strings.TrimSpace(name)
	for _, m := range own {
		if m.ID == name {
			return owner, m, kept.Before(own, m.ID), nil
		}
	}
	var current []kept.Memory
	for _, m := range own {
		if m.ReplacedBy == "" {
			current = append(current, m)
		}
	}
	hits, err := s.Find.Search(ctx, current, name)
	if err != nil {
		return owner, m, nil, err
	}
	if m, err = onlyOne(hits, name); err != nil {
		return owner, m, nil, err
	}
	return owner, m, kept.Before(own, m.ID), nil
}

// clearly is how much better the best hit must be than the next to be the one that is meant.
const clearly = 1.5

func onlyOne(hits []recall.Hit, name string) (kept.Memory, error) {
	switch {
	case len(hits) == 0:
		return kept.Memory{}, rein.Errorf(rein.CodeNotFound, "%s: nothing that is remembered of the user fits %.80q: search for it with %s", forgetName, name, searchName)
	case len(hits) == 1 || hits[0].Score >= clearly*hits[1].Score:
		return hits[0].Memory, nil
	}
	var fit []string
	for _, h := range hits[:min(len(hits), 5)] {
		fit = append(fit, h.ID+": "+h.Text)
	}
	return kept.Memory{}, rein.Errorf(rein.CodeInvalid, "%s: several memories fit %.80q: name the ID of one. %s", forgetName, name, strings.Join(fit, "; "))
}
