package memory

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"rein"
	kept "rein/household/memory"
	"rein/internal/digest"
	"rein/internal/speech"
	"rein/tool"
)

// The names of the tools of models.
const (
	rememberName = "memory.remember"
	forgetName   = "memory.forget"
	searchName   = "memory.search"
	setName      = "preferences.set"
	getName      = "preferences.get"
)

//go:embed remember.md
var rememberText string

// showLimit bounds how long a call may take to be shown.
const showLimit = 8 * time.Second

type rememberArgs struct {
	Text  string `json:"text" jsonschema:"what to remember, in one short sentence" min:"1" max:"400"`
	About string `json:"about,omitempty" jsonschema:"the subject in two to four words" max:"80"`
	Kind  string `json:"kind,omitempty" enum:"fact,preference,person,plan"`
	Scope string `json:"scope,omitempty" jsonschema:"who reads it" enum:"user,household" default:"user"`
	Shown string `json:"shown" pinned:"true"`
}

// remember is memory.remember. It decides by itself whether a person is asked: see ask.
func (s Source) remember() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: rememberName, Text: rememberText, Effect: rein.Pure, Writes: true, Rules: true},
		func(ctx context.Context, inv rein.Invocation, args rememberArgs) (rein.Done, error) {
			owner, n, err := s.newOf(ctx, inv, args)
			if err != nil {
				return rein.Done{}, err
			}
			if n.pin() != args.Shown {
				return rein.Done{}, changedMeanwhile(rememberName)
			}
			n.At, n.Source = s.Now(), inv.Run
			if inv.Approved {
				n.SaidBy = owner.User
			}
			by := kept.Origin{Run: inv.Run, Step: inv.Step}
			return rein.Done{Text: "Remembered: " + n.Text, Commit: func(ctx context.Context, tx rein.Tx) error {
				return kept.SaveMemories(ctx, tx, owner, by, []kept.Memory{n.Memory})
			}}, nil
		})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, args rememberArgs) (rein.Shown, error) {
		_, n, err := s.newOf(ctx, inv, args)
		if err != nil {
			return rein.Shown{}, err
		}
		return n.shown(teller{inv.Task, s.Now()}), nil
	})
	return t, err
}

// showing makes a Show of a function that takes the arguments.
func showing[Args any](show func(context.Context, rein.Invocation, Args) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		ctx, cancel := context.WithTimeout(ctx, showLimit)
		defer cancel()
		var args Args
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, rein.Errorf(rein.CodeInvalid, "the arguments cannot be read: %w", err)
		}
		return show(ctx, inv, args)
	}
}

func changedMeanwhile(name string) error {
	return rein.Errorf(rein.CodeConflict, "%s: nothing was changed, because what is known has changed since the call was shown: call again", name)
}

// A news is a memory that a model wants to keep, with what it would replace.
type news struct {
	kept.Memory
	replaced []kept.Memory
}

func (s Source) newOf(ctx context.Context, inv rein.Invocation, args rememberArgs) (owner kept.Owner, n news, err error) {
	if owner, err = kept.OwnerOf(inv.Task); err != nil {
		return owner, n, err
	}
	n.Memory, err = kept.Memory{Text: args.Text, About: args.About, Kind: args.Kind, Scope: kept.Scope(args.Scope), At: s.Now()}.Fit()
	if err != nil {
		return owner, n, err
	}
	if n.Text == "" {
		return owner, n, rein.Errorf(rein.CodeInvalid, "%s: text is empty: write one short sentence", rememberName)
	}
	own, err := s.own(ctx, owner)
	if err != nil {
		return owner, n, err
	}
	n.replaced = s.Find.Replaced(ctx, own, n.Memory)
	for _, r := range n.replaced {
		n.Replaces = append(n.Replaces, r.ID)
	}
	return owner, n, nil
}

// pin names what is kept and what it replaces, exactly as it was shown.
func (n news) pin() string {
	texts := []string{n.Text, n.About, string(n.Scope)}
	for _, r := range n.replaced {
		texts = append(texts, r.ID, r.Version())
	}
	return digest.Listed(8, texts...)
}

// shown asks a person if the memory changes what they said before, concerns what they must not eat, or would be read by
// others. A plain fact of their own is kept without a question: they can see and forget it.
func (n news) shown(t teller) rein.Shown {
	shown := rein.Shown{Pin: map[string]string{"shown": n.pin()}, Ruling: rein.Ruling{Contained: true, Why: t.say("new fact")}}
	key := "remember"
	if n.Scope == kept.ForHousehold {
		key = "remember for all"
		shown.Hazard = t.say("for all")
	}
	shown.Say = t.say(key, n.Text)
	if len(n.replaced) > 0 {
		old := n.replaced[0]
		shown.Say = t.say(key+" instead", n.Text, old.Text, t.day(old.Since()))
		shown.Hazard = t.say("replaces")
	}
	if len(n.replaced) > 1 {
		shown.Text = t.say("all replaced", t.lines(n.replaced))
	}
	if kept.IsAboutAllergies(n.Text) || kept.IsAboutAllergies(n.About) {
		shown.Hazard = t.say("allergy")
	}
	if shown.Hazard != "" {
		shown.Ruling.Verdict, shown.Ruling.Why = rein.MustAsk, shown.Hazard
	}
	return shown
}

// A teller says things to the user of a task in their language and zone.
type teller struct {
	task *rein.Task
	now  time.Time
}

func (t teller) say(key string, args ...any) string { return words.Say(t.task.Language, key, args...) }

func (t teller) day(at time.Time) string {
	return speech.Day(t.task.Language, at.In(zoneOf(t.task.Zone)), t.now)
}

// lines lists memories with their days, the newest first.
func (t teller) lines(list []kept.Memory) string {
	var all []string
	for _, m := range list {
		all = append(all, "- "+m.Text+" ("+t.day(m.Since())+")")
	}
	return strings.Join(all, "\n")
}
