package lists

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"rein"
	"rein/household/food"
	"rein/household/lists"
	"rein/tool"
)

//go:embed create_grocery_list.md
var groceriesText string

type groceryArgs struct {
	List   string    `json:"list,omitempty" jsonschema:"the name or the ID of the list; default: the list of groceries" max:"100"`
	Dishes []cooking `json:"dishes" jsonschema:"what is cooked" min:"1" max:"30"`
	Seen   string    `json:"seen" pinned:"true"`
}

type cooking struct {
	Title       string   `json:"title,omitempty" jsonschema:"what the dish is called" max:"200"`
	Ingredients []needed `json:"ingredients" jsonschema:"what goes into it, for all who eat" max:"40"`
}

type needed struct {
	Item   string  `json:"item" jsonschema:"what it is, without the amount" min:"1" max:"200"`
	Amount float64 `json:"amount,omitempty" jsonschema:"how much, as a number" min:"0" max:"100000"`
	Unit   string  `json:"unit,omitempty" jsonschema:"the unit of the amount, such as g or ml; leave it out for pieces" max:"20"`
}

// Groceries is the Data of create_grocery_list.
type Groceries struct {
	Data
	Added   []Grocery `json:"added"`
	LeftOut []LeftOut `json:"left_out,omitempty"`
}

// A Grocery is one thing that was added.
type Grocery struct {
	Item   string  `json:"item"`
	Amount float64 `json:"amount,omitempty"`
	Unit   string  `json:"unit,omitempty"`
}

// LeftOut is an ingredient that was not added.
type LeftOut struct {
	Item string `json:"item"`
	Why  string `json:"why"` // avoided: somebody must not eat it; unclear: it may have anything in it
}

// basket is what a call adds, with what it leaves out.
func (d desk) basket(ctx context.Context, v voice, a groceryArgs) (all []lists.Addition, out []LeftOut, err error) {
	var needs food.Needs
	if d.Needs != nil {
		if needs, err = d.Needs(ctx, v.Household); err != nil {
			return nil, nil, err
		}
	}
	for _, dish := range a.Dishes {
		for _, it := range dish.Ingredients {
			part := food.Ingredient{Item: it.Item, Unit: it.Unit}
			switch needs.JudgeDish(food.Dish{Title: it.Item, Ingredients: []food.Ingredient{part}}) {
			case food.Contains:
				out = append(out, LeftOut{it.Item, "avoided"})
				continue
			case food.Unclear:
				out = append(out, LeftOut{it.Item, "unclear"})
				continue
			}
			amount, err := lists.AmountOf(it.Amount)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, lists.Addition{Text: it.Item, Amount: amount, Unit: it.Unit})
		}
	}
	if len(all) == 0 {
		return nil, nil, rein.Errorf(rein.CodeInvalid, "none of the %d ingredients can be added: each is something that somebody must not eat, or that is not known", len(out))
	}
	all, err = lists.Merge(all)
	return all, out, err
}

func (d desk) groceries() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "create_grocery_list", Family: "lists", Text: groceriesText, Effect: rein.Pure, Writes: true, Rules: true}, func(ctx context.Context, inv rein.Invocation, a groceryArgs) (rein.Done, error) {
		v, err := voiceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		all, out, err := d.basket(ctx, v, a)
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
		done, err := d.commit(ctx, func(now lists.List) string {
			return words.Say(v.language, "added", now.Name, v.few(namesOf(v.language, all))) + v.leftOut(out)
		}, d.adding(v, l, all, d.Book.Time()))
		if err != nil {
			return done, err
		}
		return withGroceries(done, all, out)
	})
	t.Show = showing(func(ctx context.Context, inv rein.Invocation, v voice, a groceryArgs) (rein.Shown, error) {
		all, out, err := d.basket(ctx, v, a)
		if err != nil {
			return rein.Shown{}, err
		}
		shown, err := d.shownAdding(ctx, inv, v, a.List, all)
		shown.Text = v.leftOut(out)
		return shown, err
	})
	return t, err
}

// withGroceries adds to a result what was added and what was not.
func withGroceries(done rein.Done, all []lists.Addition, out []LeftOut) (rein.Done, error) {
	data := Groceries{Added: []Grocery{}, LeftOut: out}
	if err := json.Unmarshal(done.Data, &data.Data); err != nil {
		return done, err
	}
	for _, a := range all {
		data.Added = append(data.Added, Grocery{a.Text, a.Amount.Float(), a.Unit})
	}
	raw, err := json.Marshal(data)
	done.Data = raw
	return done, err
}

// leftOut says what was left out, in a sentence that follows another.
func (v voice) leftOut(out []LeftOut) string {
	var avoided, unclear []string
	for _, o := range out {
		if o.Why == "avoided" {
			avoided = append(avoided, o.Item)
		} else {
			unclear = append(unclear, o.Item)
		}
	}
	text := ""
	if len(avoided) > 0 {
		text += " " + words.Say(v.language, "avoided", v.few(avoided))
	}
	if len(unclear) > 0 {
		text += " " + words.Say(v.language, "unclear", v.few(unclear))
	}
	return text
}

// adding is the write that adds items to a list, which is made first if it has no ID yet.
func (d desk) adding(v voice, l lists.List, all []lists.Addition, at time.Time) write {
	return func(ctx context.Context, tx rein.Tx) (lists.List, error) {
		id := l.ID
		if id == "" {
			made, err := lists.OpenGroceries(ctx, tx, v.Who, v.by, l.Name, at)
			if err != nil {
				return made, err
			}
			id = made.ID
		}
		return lists.Add(ctx, tx, v.Who, v.by, id, all, at)
	}
}

// shownAdding is what a person is shown of a call that adds items.
func (d desk) shownAdding(ctx context.Context, inv rein.Invocation, v voice, list string, all []lists.Addition) (rein.Shown, error) {
	l, err := d.target(ctx, v, list)
	if err != nil {
		return rein.Shown{}, err
	}
	verdict, why := rein.MustAsk, ownOrShared(l)
	if l.Kind == lists.Groceries {
		verdict, why = rein.Allowed, "add groceries"
	}
	return rein.Shown{Say: words.Say(v.language, "add?", v.few(namesOf(v.language, all)), l.Name), Pin: seen(l, nil), Ruling: v.ruled(inv, verdict, why, "add", l)}, nil
}
