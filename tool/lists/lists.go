// Package lists has the tools with which models read and change the lists of a household. What each call would change is shown
// to people in one sentence, and they can allow it for good, list by list.
package lists

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/household/food"
	"rein/household/lists"
	"rein/tool"
)

// Options are what the tools work with.
type Options struct {
	Book lists.Book
	// Needs returns what nobody of a household may get to eat; nil: nobody knows.
	Needs func(ctx context.Context, household string, more ...string) (food.Needs, error)
}

// Tools returns lists.show, lists.add, lists.check, lists.remove, lists.create and create_grocery_list.
func Tools(o Options) ([]rein.Tool, error) {
	d := desk{o}
	var all []rein.Tool
	for _, made := range []func() (rein.Tool, error){d.show, d.add, d.check, d.remove, d.create, d.groceries} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Names lists the tools.
func Names() []string {
	return []string{"create_grocery_list", "lists.add", "lists.check", "lists.create", "lists.remove", "lists.show"}
}

// Reading lists the tools that change nothing.
func Reading() []string { return []string{"lists.show"} }

type desk struct{ Options }

// A listed is a list in the data of a result.
type listed struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Private bool   `json:"private,omitempty"`
	Left    int    `json:"left"`
	Total   int    `json:"total"`
	Version int64  `json:"version"`
	Items   []item `json:"items,omitempty"`
}

type item struct {
	Number   int     `json:"number"`
	Text     string  `json:"text"`
	Amount   float64 `json:"amount,omitempty"`
	Unit     string  `json:"unit,omitempty"`
	Category string  `json:"category,omitempty"`
	By       string  `json:"by"`
	Done     bool    `json:"done,omitempty"`
	DoneBy   string  `json:"done_by,omitempty"`
}

// Data is the Data of every tool here.
type Data struct {
	Private bool     `json:"private,omitempty"` // of what was changed: nobody else sees it
	Lists   []listed `json:"lists"`
}

func dataOf(l lists.List) listed {
	out := listed{ID: l.ID, Name: l.Name, Private: l.IsPrivate(), Left: l.Left(), Total: len(l.Items), Version: l.Version}
	for _, it := range l.Items {
		out.Items = append(out.Items, item{it.Number, it.Text, it.Amount.Float(), it.Unit, it.Category, it.By, !it.Done.IsZero(), it.DoneBy})
	}
	return out
}

// A voice is who a call is for, and how rein speaks to them.
type voice struct {
	lists.Who
	language string
	by       lists.Origin
}

// voiceOf says who a call is for. Nothing of it comes from the arguments.
func voiceOf(inv rein.Invocation) (voice, error) {
	if inv.Task == nil || inv.Task.Household == "" || inv.Task.User == "" {
		return voice{}, rein.Errorf(rein.CodeInvalid, "the run belongs to no user of a household, so it has no lists")
	}
	return voice{lists.Who{Household: inv.Task.Household, User: inv.Task.User}, inv.Task.Language, lists.Origin{Run: inv.Run, Step: string(inv.Step)}}, nil
}

type showArgs struct {
	List string `json:"list,omitempty" jsonschema:"the name or the ID of a list; default: name all lists" max:"100"`
}

func (d desk) show() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "lists.show", Text: showText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, a showArgs) (rein.Done, error) {
		v, err := voiceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		var found []lists.List
		if a.List == "" {
			found, err = d.Book.All(ctx, v.Who)
		} else {
			found = make([]lists.List, 1)
			found[0], err = d.Book.Find(ctx, v.Who, a.List)
		}
		if err != nil {
			return rein.Done{}, err
		}
		text, data := words.Say(v.language, "no lists"), Data{Lists: []listed{}}
		if len(found) > 0 {
			text = ""
		}
		for _, l := range found {
			one := dataOf(l)
			if a.List == "" {
				one.Items = nil
			}
			data.Lists = append(data.Lists, one)
			text += v.text(l, a.List != "")
		}
		return result(text, data)
	})
}

func result(text string, data any) (rein.Done, error) {
	raw, err := json.Marshal(data)
	return rein.Done{Text: text, Data: raw}, err
}

// text is a list for a model: a line, and if wanted its items.
func (v voice) text(l lists.List, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", l.Name, words.Say(v.language, "left", l.Left(), len(l.Items)))
	for _, it := range l.Items {
		if !whole {
			break
		}
		mark := " "
		if !it.Done.IsZero() {
			mark = "x"
		}
		fmt.Fprintf(&b, "%d. [%s] %s (%s)\n", it.Number, mark, v.item(it), it.By)
	}
	return b.String()
}

func (v voice) item(it lists.Item) string {
	return strings.TrimSpace(lists.Say(v.language, it.Amount, it.Unit) + " " + it.Text)
}

// A write changes a list in a transaction.
type write func(ctx context.Context, tx rein.Tx) (lists.List, error)

// commit returns what a write would do, and does it in the transaction of the step's end. It is tried first and taken back, so
// that what is wrong with it is told to the model, and the result says what the list has then.
func (d desk) commit(ctx context.Context, say func(lists.List) string, do write) (rein.Done, error) {
	l, err := d.Book.Try(ctx, do)
	if err != nil {
		return rein.Done{}, err
	}
	done, err := result(say(l), Data{Private: l.IsPrivate(), Lists: []listed{dataOf(l)}})
	done.Commit = func(ctx context.Context, tx rein.Tx) error {
		_, err := do(ctx, tx)
		return err
	}
	return done, err
}
