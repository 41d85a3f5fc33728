package memory

import (
	"context"
	_ "embed"
	"slices"
	"strconv"

	"rein"
	kept "rein/household/memory"
	"rein/internal/digest"
	"rein/tool"
)

//go:embed preferences_set.md
var setText string

type setArgs struct {
	Name      string `json:"name" jsonschema:"allergies, diet, language, units, or another name" min:"1" max:"64"`
	Value     string `json:"value" jsonschema:"empty removes it" max:"500"`
	Household bool   `json:"household,omitempty" jsonschema:"it is for everyone at home"`
	Shown     string `json:"shown" pinned:"true"`
}

// setPreference is preferences.set. It decides by itself whether a person is asked.
func (s Source) setPreference() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: setName, Text: setText, Effect: rein.Pure, Writes: true, Rules: true},
		func(ctx context.Context, inv rein.Invocation, args setArgs) (rein.Done, error) {
			owner, w, err := s.wish(ctx, inv, args)
			if err != nil {
				return rein.Done{}, err
			}
			if w.pin() != args.Shown {
				return rein.Done{}, changedMeanwhile(setName)
			}
			w.At, w.Source = s.Now(), inv.Run
			if inv.Approved || w.Wide {
				w.By = owner.User
			}
			text := "Set: " + w.Text()
			if w.Value == "" {
				text = "Removed: " + w.Name
			}
			return rein.Done{Text: text, Commit: func(ctx context.Context, tx rein.Tx) error {
				_, err := kept.SetPreference(ctx, tx, owner, w.Preference)
				return err
			}}, nil
		})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, args setArgs) (rein.Shown, error) {
		_, w, err := s.wish(ctx, inv, args)
		if err != nil {
			return rein.Shown{}, err
		}
		return w.shown(teller{inv.Task, s.Now()}), nil
	})
	return t, err
}

// A wish is a preference that a model wants to set, with what is set now.
type wish struct {
	kept.Preference
	now    string
	theirs bool // somebody else set it
}

func (s Source) wish(ctx context.Context, inv rein.Invocation, args setArgs) (owner kept.Owner, w wish, err error) {
	if owner, err = kept.OwnerOf(inv.Task); err != nil {
		return owner, w, err
	}
	w.Preference, err = kept.Preference{Name: args.Name, Value: args.Value, Wide: args.Household}.Fit()
	if err != nil {
		return owner, w, err
	}
	list, err := s.preferencesOf(ctx, owner)
	i := slices.IndexFunc(list, func(p kept.Preference) bool { return p.Name == w.Name && p.Wide == w.Wide })
	if i >= 0 {
		w.now, w.theirs = list[i].Value, list[i].Wide && list[i].By != owner.User
	}
	return owner, w, err
}

func (w wish) pin() string {
	return digest.Listed(8, w.Name, w.Value, w.now, strconv.FormatBool(w.Wide))
}

// shown asks a person if the wish changes what was set before, concerns allergies, or is for others too.
func (w wish) shown(t teller) rein.Shown {
	shown := rein.Shown{Pin: map[string]string{"shown": w.pin()}, Foreign: w.theirs, Ruling: rein.Ruling{Contained: true, Why: t.say("new wish")}}
	key, args := "set", []any{t.name(w.Name), w.Value}
	switch {
	case w.Value == "":
		key, args = "unset", []any{t.name(w.Name), w.now}
	case w.now != "":
		key, args = "change", []any{t.name(w.Name), w.now, w.Value}
	}
	if w.Wide {
		key += " for all"
		shown.Hazard = t.say("for all")
	}
	shown.Say = t.say(key, args...)
	if w.now != "" && w.now != w.Value {
		shown.Hazard = t.say("replaces")
	}
	if w.Name == kept.Allergies {
		shown.Hazard = t.say("allergy")
	}
	if shown.Hazard != "" {
		shown.Ruling.Verdict, shown.Ruling.Why = rein.MustAsk, shown.Hazard
	}
	return shown
}

// name is what people call a known preference.
func (t teller) name(name string) string {
	if said := t.say("name " + name); said != "" {
		return said
	}
	return name
}
