package lists

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"rein"
	"rein/household/lists"
	"rein/internal/speech"
	"rein/tool"
)

var (
	//go:embed show.md
	showText string
	//go:embed add.md
	addText string
	//go:embed check.md
	checkText string
	//go:embed remove.md
	removeText string
	//go:embed create.md
	createText string
)

type addArgs struct {
	List  string   `json:"list,omitempty" jsonschema:"the name or the ID of the list; default: the list of groceries" max:"100"`
	Items []adding `json:"items" jsonschema:"what to add" min:"1" max:"100"`
	Seen  string   `json:"seen" pinned:"true"`
}

type adding struct {
	Text     string  `json:"text" jsonschema:"what it is, without the amount" min:"1" max:"200"`
	Amount   float64 `json:"amount,omitempty" jsonschema:"how much, as a number" min:"0" max:"1000000"`
	Unit     string  `json:"unit,omitempty" jsonschema:"the unit of the amount, such as g, kg, ml or l; leave it out for pieces" max:"20"`
	Category string  `json:"category,omitempty" jsonschema:"where it belongs on the list, such as vegetables" max:"40"`
}

// additions are what a call adds.
func (a addArgs) additions() (all []lists.Addition, err error) {
	for _, it := range a.Items {
		amount, err := lists.AmountOf(it.Amount)
		if err != nil {
			return nil, err
		}
		all = append(all, lists.Addition{Text: it.Text, Amount: amount, Unit: it.Unit, Category: it.Category})
	}
	return lists.Fit(all)
}

// target returns the list that is added to. The list of groceries is made if there is none, and then has no ID yet.
func (d desk) target(ctx context.Context, v voice, name string) (lists.List, error) {
	l, err := d.Book.Find(ctx, v.Who, name)
	if rein.CodeOf(err) == rein.CodeNotFound && lists.IsGroceries(name) {
		return lists.List{Name: words.Say(v.language, "groceries"), Kind: lists.Groceries}, nil
	}
	return l, err
}

func (d desk) add() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "lists.add", Text: addText, Effect: rein.Pure, Writes: true, Rules: true}, func(ctx context.Context, inv rein.Invocation, a addArgs) (rein.Done, error) {
		v, err := voiceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		all, err := a.additions()
		if err != nil {
			return rein.Done{}, err
		}
		l, err := d.target(ctx, v, a.List)
		if err == nil {
			err = same(a.Seen, l, nil)
		}
		if err != nil {
			return rein.Done{}, err
		}
		say := func(now lists.List) string {
			return words.Say(v.language, "added", now.Name, v.few(namesOf(v.language, all)))
		}
		return d.commit(ctx, say, d.adding(v, l, all, d.Book.Time()))
	})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, v voice, a addArgs) (rein.Shown, error) {
		all, err := a.additions()
		if err != nil {
			return rein.Shown{}, err
		}
		return d.shownAdding(ctx, inv, v, a.List, all)
	})
	return t, err
}

// ownOrShared says why a call on a list asks.
func ownOrShared(l lists.List) string {
	if l.IsPrivate() {
		return "private"
	}
	return "change"
}

func namesOf(language string, all []lists.Addition) (names []string) {
	for _, a := range all {
		names = append(names, strings.TrimSpace(lists.Say(language, a.Amount, a.Unit)+" "+a.Text))
	}
	return names
}

// seen pins the very list and items that are shown: others may look like them.
func seen(l lists.List, items []lists.Item) map[string]string {
	return map[string]string{"seen": strings.Join(append([]string{l.ID}, idsOf(items)...), " ")}
}

// same refuses a call on another list, or on other items, than were shown.
func same(shown string, l lists.List, items []lists.Item) error {
	if shown != seen(l, items)["seen"] {
		return rein.Errorf(rein.CodeConflict, "the list %q has changed since the call was shown: look at it again", l.Name)
	}
	return nil
}

// mostNamed is how many items a sentence names.
const mostNamed = 8

// few names some of many.
func (v voice) few(names []string) string {
	if len(names) > mostNamed {
		return words.Say(v.language, "more", strings.Join(names[:mostNamed], ", "), len(names)-mostNamed)
	}
	return speech.List(v.language, names)
}

// showing is a Show over arguments that are read already.
func showing[Args any](show func(context.Context, rein.Invocation, voice, Args) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		v, err := voiceOf(inv)
		if err != nil {
			return rein.Shown{}, err
		}
		var args Args
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, rein.Errorf(rein.CodeInvalid, "the arguments cannot be read: %w", err)
		}
		return show(ctx, inv, v, args)
	}
}

type checkArgs struct {
	List  string   `json:"list,omitempty" jsonschema:"the name or the ID of the list; default: the list of groceries" max:"100"`
	Items []string `json:"items" jsonschema:"the numbers or the texts of the items" min:"1" max:"100"`
	Done  *bool    `json:"done,omitempty" jsonschema:"false: they are not done after all; default: true"`
	Seen  string   `json:"seen" pinned:"true"`
}

func (a checkArgs) isDone() bool { return a.Done == nil || *a.Done }

func (d desk) check() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "lists.check", Text: checkText, Effect: rein.Pure, Writes: true, Rules: true}, func(ctx context.Context, inv rein.Invocation, a checkArgs) (rein.Done, error) {
		v, l, found, err := d.named(ctx, inv, a.List, a.Items)
		if err == nil {
			err = same(a.Seen, l, found)
		}
		if err != nil {
			return rein.Done{}, err
		}
		key, at := "checked", d.Book.Time()
		if !a.isDone() {
			key = "unchecked"
		}
		return d.commit(ctx, func(lists.List) string { return words.Say(v.language, key, l.Name, v.few(v.items(found))) }, func(ctx context.Context, tx rein.Tx) (lists.List, error) {
			return lists.Check(ctx, tx, v.Who, l.ID, idsOf(found), a.isDone(), at)
		})
	})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, v voice, a checkArgs) (rein.Shown, error) {
		_, l, found, err := d.named(ctx, inv, a.List, a.Items)
		if err != nil {
			return rein.Shown{}, err
		}
		key, verdict, why := "check?", rein.MustAsk, ownOrShared(l)
		if !a.isDone() {
			key = "uncheck?"
		}
		if l.Kind == lists.Groceries {
			verdict, why = rein.Allowed, "check groceries"
		}
		return rein.Shown{Say: words.Say(v.language, key, v.few(v.items(found)), l.Name), Pin: seen(l, found), Ruling: v.ruled(inv, verdict, why, "check", l)}, nil
	})
	return t, err
}

// named finds the items that a call is about.
func (d desk) named(ctx context.Context, inv rein.Invocation, list string, items []string) (v voice, l lists.List, found []lists.Item, err error) {
	if v, err = voiceOf(inv); err != nil {
		return v, l, nil, err
	}
	if l, err = d.Book.Find(ctx, v.Who, list); err == nil {
		found, err = l.Named(items)
	}
	return v, l, found, err
}

func (v voice) items(all []lists.Item) (names []string) {
	for _, it := range all {
		names = append(names, v.item(it))
	}
	return names
}

func idsOf(all []lists.Item) (ids []string) {
	for _, it := range all {
		ids = append(ids, it.ID)
	}
	return ids
}

type removeArgs struct {
	List    string   `json:"list,omitempty" jsonschema:"the name or the ID of the list; default: the list of groceries" max:"100"`
	Items   []string `json:"items,omitempty" jsonschema:"the numbers or the texts of the items" max:"100"`
	AllDone bool     `json:"all_done,omitempty" jsonschema:"remove all items that are done, in place of naming some"`
	Seen    string   `json:"seen" pinned:"true"`
}

// removed finds what a call removes.
func (d desk) removed(ctx context.Context, inv rein.Invocation, a removeArgs) (v voice, l lists.List, found []lists.Item, err error) {
	if a.AllDone == (len(a.Items) > 0) {
		return v, l, nil, rein.Errorf(rein.CodeInvalid, "give items, or all_done, and not both")
	}
	if !a.AllDone {
		return d.named(ctx, inv, a.List, a.Items)
	}
	if v, err = voiceOf(inv); err == nil {
		l, err = d.Book.Find(ctx, v.Who, a.List)
	}
	for _, it := range l.Items {
		if !it.Done.IsZero() {
			found = append(found, it)
		}
	}
	if err == nil && len(found) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "nothing on the list %q is done", l.Name)
	}
	return v, l, found, err
}

func (d desk) remove() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "lists.remove", Text: removeText, Effect: rein.Pure, Writes: true, Rules: true}, func(ctx context.Context, inv rein.Invocation, a removeArgs) (rein.Done, error) {
		v, l, found, err := d.removed(ctx, inv, a)
		if err == nil {
			err = same(a.Seen, l, found)
		}
		if err != nil {
			return rein.Done{}, err
		}
		at := d.Book.Time()
		return d.commit(ctx, func(lists.List) string { return words.Say(v.language, "removed", l.Name, v.few(v.items(found))) }, func(ctx context.Context, tx rein.Tx) (lists.List, error) {
			return lists.Remove(ctx, tx, v.Who, l.ID, idsOf(found), at)
		})
	})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, v voice, a removeArgs) (rein.Shown, error) {
		_, l, found, err := d.removed(ctx, inv, a)
		if err != nil {
			return rein.Shown{}, err
		}
		shown := rein.Shown{Say: words.Say(v.language, "remove?", v.few(v.items(found)), l.Name), Pin: seen(l, found), Ruling: v.ruled(inv, rein.MustAsk, ownOrShared(l), "remove", l)}
		var others []lists.Item
		for _, it := range found {
			if it.By != v.User {
				others = append(others, it)
			}
		}
		if len(others) > 0 { // nothing that was allowed before is for what others want
			shown.Foreign, shown.Text = true, words.Say(v.language, "of others", v.few(v.items(others)))
			shown.Ruling = rein.Ruling{Verdict: rein.MustAsk, Contained: true, Why: words.Say(v.language, "why others")}
			shown.Hazard = shown.Ruling.Why
		}
		return shown, nil
	})
	return t, err
}

type createArgs struct {
	Name    string `json:"name" jsonschema:"what the list is called, in the user's language" min:"1" max:"60"`
	Private bool   `json:"private,omitempty" jsonschema:"nobody but the user sees the list"`
}

func (d desk) create() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "lists.create", Text: createText, Effect: rein.Pure, Writes: true, Rules: true}, func(ctx context.Context, inv rein.Invocation, a createArgs) (rein.Done, error) {
		v, err := voiceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		at := d.Book.Time()
		return d.commit(ctx, func(l lists.List) string { return words.Say(v.language, "created", l.Name) }, func(ctx context.Context, tx rein.Tx) (lists.List, error) {
			return lists.Create(ctx, tx, v.Who, v.by, lists.New{Name: a.Name, Private: a.Private}, at)
		})
	})
	t.Show = showing(func(_ context.Context, inv rein.Invocation, v voice, a createArgs) (rein.Shown, error) {
		key := "create?"
		if a.Private {
			key = "create private?"
		}
		shown := rein.Shown{Say: words.Say(v.language, key, strings.Join(strings.Fields(a.Name), " "))}
		shown.Ruling = v.ruled(inv, rein.MustAsk, "create", "create", lists.List{})
		return shown, nil
	})
	return t, err
}
