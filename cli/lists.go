package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func listsCommand() command {
	return command{
		name: "lists", does: "list the lists of the household, such as groceries",
		more:  `Lists the lists that your household shares, and those that are yours alone. rein lists show NAME shows what is on one. Wherever a command takes a LIST, give its name or its ID; groceries means the household's list of groceries, whatever its name.`,
		flags: lookFlags, run: runLists,
	}
}

func runLists(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.Lists(ctx)
		if err != nil {
			return err
		}
		if c.json {
			for _, one := range all {
				if err := c.printJSON(one); err != nil {
					return err
				}
			}
			return nil
		}
		if len(all) == 0 {
			c.print("there are no lists; %s adds to the groceries\n", c.tip("lists add groceries ITEM"))
			return nil
		}
		rows := [][]string{{"ID", "LEFT", "CHANGED", "SEEN BY", "NAME"}}
		for _, one := range all {
			seen := "household"
			if one.Private {
				seen = "you"
			}
			rows = append(rows, []string{one.ID, fmt.Sprintf("%d of %d", one.Left, one.Total), units.Day(one.Changed), seen, one.Name})
		}
		c.columns(rows)
		return nil
	})
}

func listsShowCommand() command {
	return command{
		name: "lists show", args: "[LIST]", does: "show what is on a list", most: 1,
		more:  `Shows the items of a list with who added each, and who did it. Without a LIST it is that of groceries. The number in front of an item is its own: no other item of the list ever has it.`,
		flags: lookFlags, run: runListsShow,
	}
}

// groceries is the list that is meant where none is named.
const groceries = "groceries"

func runListsShow(ctx context.Context, c *call) error {
	name := groceries
	if len(c.args) > 0 {
		name = c.args[0]
	}
	return c.linked(ctx, func(l *app.App) error {
		one, err := l.List(ctx, name)
		if err != nil {
			return err
		}
		return c.printList(one)
	})
}

// printList shows a list as it is now.
func (c *call) printList(l api.List) error {
	if c.json {
		return c.printJSON(l)
	}
	c.print("%s (%s), %d of %d left\n", safe(l.Name), safe(l.ID), l.Left, l.Total)
	rows := [][]string{}
	for _, it := range l.Items {
		mark, by := "[ ]", it.By
		if !it.Done.IsZero() {
			mark, by = "[x]", it.By+", done by "+it.DoneBy
		}
		rows = append(rows, []string{strconv.Itoa(it.Number), mark, by, itemText(it)})
	}
	c.columns(rows)
	return nil
}

// itemText is an item in a line.
func itemText(it api.ListItem) string {
	words := []string{}
	if it.Amount > 0 {
		words = append(words, strconv.FormatFloat(it.Amount, 'f', -1, 64))
	}
	for _, word := range []string{it.Unit, it.Text} {
		if word != "" {
			words = append(words, word)
		}
	}
	if it.Category != "" {
		words = append(words, "("+it.Category+")")
	}
	return strings.Join(words, " ")
}

func listsAddCommand() command {
	category := ""
	return command{
		name: "lists add", args: "LIST ITEM...", does: "add items to a list", least: 2, most: 100,
		more: `Each ITEM can begin with an amount: "2 kg potatoes". What is on the list already, and not done, becomes more of it.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&category, "category TEXT", "the category of the items")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			items := api.NewListItems{Key: onceKey()}
			for _, arg := range c.args[1:] {
				it := readItem(arg)
				it.Category = category
				items.Items = append(items.Items, it)
			}
			return c.onList(ctx, func(l *app.App) (api.List, error) { return l.AddListItems(ctx, c.args[0], items) })
		},
	}
}

// itemUnits are the units that may stand behind the amount of an item.
var itemUnits = []string{"mg", "g", "gram", "kg", "kilo", "ml", "cl", "dl", "l", "liter", "litre", "x"}

// readItem reads "2 kg potatoes" and "2kg potatoes".
func readItem(text string) api.NewListItem {
	number := text[:len(text)-len(strings.TrimLeft(text, "0123456789.,"))]
	amount, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", "."), 64)
	rest := strings.TrimSpace(text[len(number):])
	if err != nil || amount <= 0 || rest == "" {
		return api.NewListItem{Text: text}
	}
	word, what, more := strings.Cut(rest, " ")
	for _, unit := range itemUnits {
		if more && strings.EqualFold(word, unit) {
			return api.NewListItem{Text: strings.TrimSpace(what), Amount: amount, Unit: unit}
		}
	}
	if text[len(number)] != ' ' { // "7up" has no amount
		return api.NewListItem{Text: text}
	}
	return api.NewListItem{Text: rest, Amount: amount}
}

// onceKey lets a request be sent again, to another owner of the data.
func onceKey() string { return string(api.NewRunID(time.Now())) }

// onList changes a list, and shows it as it is then.
func (c *call) onList(ctx context.Context, change func(*app.App) (api.List, error)) error {
	return c.linked(ctx, func(l *app.App) error {
		one, err := change(l)
		if err != nil {
			return err
		}
		return c.printList(one)
	})
}

// listsItemsCommand is a command for items of a list.
func listsItemsCommand(name, does, more string, change func(ctx context.Context, l *app.App, list, item string) (api.List, error)) command {
	return command{
		name: name, args: "LIST ITEM...", does: does, least: 2, most: 100, more: more, flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.onList(ctx, func(l *app.App) (one api.List, err error) {
				for _, item := range c.args[1:] {
					if one, err = change(ctx, l, c.args[0], item); err != nil {
						return one, err
					}
				}
				return one, nil
			})
		},
	}
}

func setDone(done bool) func(context.Context, *app.App, string, string) (api.List, error) {
	return func(ctx context.Context, l *app.App, list, item string) (api.List, error) {
		return l.ChangeListItem(ctx, list, item, api.ChangedListItem{Done: &done})
	}
}

const namesItems = `An ITEM is named by its number, its ID or its text.`

func listsDoneCommand() command {
	return listsItemsCommand("lists done", "say that items of a list are done", namesItems, setDone(true))
}

func listsUndoCommand() command {
	return listsItemsCommand("lists undo", "say that items of a list are not done after all", namesItems, setDone(false))
}

func listsRemoveCommand() command {
	isDone := false
	cmd := listsItemsCommand("lists remove", "remove items from a list", namesItems+` With --done all items that are done are removed.`, func(ctx context.Context, l *app.App, list, item string) (api.List, error) {
		return l.RemoveListItem(ctx, list, item)
	})
	one := cmd.run
	cmd.args, cmd.least = "LIST [ITEM...]", 1
	cmd.flags = func(c *call) []flagDef {
		return append([]flagDef{on(&isDone, "done", "remove all items that are done")}, lookFlags(c)...)
	}
	cmd.run = func(ctx context.Context, c *call) error {
		switch {
		case isDone && len(c.args) > 1:
			return usagef("name items, or give --done, not both")
		case isDone:
			return c.onList(ctx, func(l *app.App) (api.List, error) { return l.RemoveDoneItems(ctx, c.args[0]) })
		case len(c.args) < 2:
			return usagef("name the items to remove, or give --done")
		}
		return one(ctx, c)
	}
	return cmd
}

func listsCreateCommand() command {
	private := false
	return command{
		name: "lists create", args: "NAME", does: "create a list", least: 1, most: 1,
		more: `Everyone of the household sees the list, unless it is --private.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&private, "private", "only you see the list")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			wanted := api.NewList{Name: c.args[0], Private: private, Key: onceKey()}
			return c.onList(ctx, func(l *app.App) (api.List, error) {
				return l.CreateList(ctx, wanted)
			})
		},
	}
}

func listsDeleteCommand() command {
	return command{
		name: "lists delete", args: "LIST", does: "delete a list with all its items", least: 1, most: 1,
		more:  `You can delete the lists that you made. An owner of the household can delete every list that it shares.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if err := l.DeleteList(ctx, c.args[0]); err != nil {
					return err
				}
				if c.json {
					return c.printJSON(map[string]string{"deleted": c.args[0]})
				}
				c.print("list %s is deleted\n", safe(c.args[0]))
				return nil
			})
		},
	}
}
