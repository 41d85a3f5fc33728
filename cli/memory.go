package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func memoryCommand() command {
	return command{
		name: "memory", does: "list what rein remembers of you",
		more:  `Lists what rein remembers of you, the newest first, with what you said before about the same, and then what others said for everyone at home. Prompts get the newest only. Nobody else sees your memories; an admin sees how many there are. rein preferences lists how you want things.`,
		flags: lookFlags, run: func(ctx context.Context, c *call) error { return c.showMemories(ctx, "") },
	}
}

func memorySearchCommand() command {
	return command{
		name: "memory search", args: "WORDS...", does: "search what rein remembers of you", least: 1, most: 100,
		more:  `Finds memories by words and by meaning, the best first.`,
		flags: lookFlags, run: func(ctx context.Context, c *call) error { return c.showMemories(ctx, strings.Join(c.args, " ")) },
	}
}

func (c *call) showMemories(ctx context.Context, query string) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.Memories(ctx, query)
		if err != nil {
			return err
		}
		if c.json {
			for _, m := range all {
				if err := c.printJSON(m); err != nil {
					return err
				}
			}
			return nil
		}
		switch {
		case len(all) == 0 && query != "":
			c.print("nothing that rein remembers fits\n")
			return nil
		case len(all) == 0:
			c.print("rein remembers nothing of you; %s adds something\n", c.tip("memory add TEXT"))
			return nil
		}
		rows := [][]string{{"ID", "SINCE", "FROM", "TEXT"}}
		for _, m := range all {
			rows = append(rows, memoryRow(m))
			for _, before := range m.Before {
				rows = append(rows, []string{"", units.Day(memorySince(before)), "before", before.Text})
			}
		}
		c.columns(rows)
		return nil
	})
}

// memoryRow is a memory in a line of a table.
func memoryRow(m api.Memory) []string {
	from := m.SaidBy
	if from == "" {
		from = "rein, from " + m.User
	}
	if m.Household {
		from += ", for all"
	}
	return []string{m.ID, units.Day(memorySince(m)), from, m.Text}
}

func memorySince(m api.Memory) time.Time {
	if m.Edited.After(m.At) {
		return m.Edited
	}
	return m.At
}

func memoryShowCommand() command {
	return command{
		name: "memory show", args: "ID", does: "show a memory: who said it, where and when, and what you said before", least: 1, most: 1,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.onMemory(ctx, func(l *app.App) (api.Memory, error) { return l.Memory(ctx, c.args[0]) })
		},
	}
}

// onMemory does something with a memory, and shows it as it is then.
func (c *call) onMemory(ctx context.Context, do func(*app.App) (api.Memory, error)) error {
	return c.linked(ctx, func(l *app.App) error {
		m, err := do(l)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(m)
		}
		rows := [][]string{{"text", m.Text}}
		if m.About != "" {
			rows = append(rows, []string{"about", m.About})
		}
		rows = append(rows, []string{"kind", m.Kind}, []string{"read by", readBy(m.Household)})
		who := m.SaidBy
		if who == "" {
			who = "rein noted it from what " + m.User + " said"
		}
		rows = append(rows, []string{"said by", who}, []string{"said on", units.Day(m.At)})
		if !m.Edited.IsZero() {
			rows = append(rows, []string{"changed", units.Day(m.Edited)})
		}
		if m.Source != "" {
			rows = append(rows, []string{"in run", string(m.Source)})
		}
		if m.ReplacedBy != "" {
			rows = append(rows, []string{"replaced by", m.ReplacedBy})
		}
		for _, before := range m.Before {
			rows = append(rows, []string{"before", before.Text + " (" + units.Day(memorySince(before)) + ", " + before.ID + ")"})
		}
		c.print("%s\n", safe(m.ID))
		c.columns(rows)
		return nil
	})
}

func readBy(household bool) string {
	if household {
		return "everyone at home"
	}
	return "you alone"
}

// memoryFlags are the flags of what adds and changes a memory.
type memoryFlags struct {
	about, kind string
	household   bool
	own         bool
}

func (f *memoryFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&f.about, "about WORDS", "the subject, such as \"favourite drink\": of two memories with one subject the newer holds"),
		text(&f.kind, "kind KIND", "fact, preference, person or plan"),
		on(&f.household, "household", "everyone at home reads it"),
	}, lookFlags(c)...)
}

func memoryAddCommand() command {
	f := &memoryFlags{}
	return command{
		name: "memory add", args: "TEXT", does: "have rein remember something about you", least: 1, most: 1,
		more:  `The TEXT is one short sentence, such as "Likes tea in the morning". It takes the place of what you said before about the same; rein memory shows both.`,
		flags: f.flags,
		run: func(ctx context.Context, c *call) error {
			return c.onMemory(ctx, func(l *app.App) (api.Memory, error) {
				return l.AddMemory(ctx, api.NewMemory{Text: c.args[0], Kind: f.kind, About: f.about, Household: f.household})
			})
		},
	}
}

func memoryEditCommand() command {
	f := &memoryFlags{}
	return command{
		name: "memory edit", args: "ID [TEXT]", does: "change a memory", least: 1, most: 2,
		more: `Give a new TEXT, or change only what a flag names. It counts as said by you now.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&f.own, "own", "only you read it")}, f.flags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			change, err := f.change(c.args[1:])
			if err != nil {
				return err
			}
			return c.onMemory(ctx, func(l *app.App) (api.Memory, error) { return l.ChangeMemory(ctx, c.args[0], change) })
		},
	}
}

func (f *memoryFlags) change(texts []string) (change api.ChangedMemory, err error) {
	if f.household && f.own {
		return change, usagef("give --household or --own, not both")
	}
	if len(texts) > 0 {
		change.Text = &texts[0]
	}
	if f.about != "" {
		change.About = &f.about
	}
	if f.kind != "" {
		change.Kind = &f.kind
	}
	if f.household || f.own {
		change.Household = &f.household
	}
	if change == (api.ChangedMemory{}) {
		return change, usagef("say what to change: a new text, or a flag")
	}
	return change, nil
}

func memoryForgetCommand() command {
	return command{
		name: "memory forget", args: "ID", does: "forget a memory, with what you said before about the same", least: 1, most: 1,
		more:  `Takes the summaries of conversations along that quote it. What was said stays in the conversation itself, where only you see it; rein erase removes that, too.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				f, err := l.ForgetMemory(ctx, c.args[0], "")
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(f)
				}
				c.print("memory %s is forgotten%s\n", safe(f.ID), alsoForgotten(f))
				return nil
			})
		},
	}
}

// alsoForgotten says what went along.
func alsoForgotten(f api.ForgottenMemory) string {
	var all []string
	for _, part := range []struct {
		n    int
		noun string
	}{{f.Before, "older statement"}, {f.Summaries, "summary part"}, {f.Snapshots, "note"}} {
		if part.n > 0 {
			all = append(all, units.Count(int64(part.n), part.noun))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ", with " + strings.Join(all, ", ")
}

func memoryExportCommand() command {
	file, force := "", false
	return command{
		name: "memory export", does: "export all that rein knows about you, as JSON",
		more: `Writes your memories with those that were replaced, your preferences, notes of how things are now, and the summaries of your conversations.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{
				text(&file, "output FILE", "write to this file; default: the terminal"),
				on(&force, "force", "replace the file if it exists"),
			}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				e, err := l.ExportMemory(ctx)
				if err != nil {
					return err
				}
				data, err := json.MarshalIndent(e, "", "  ")
				if err != nil {
					return err
				}
				if file == "" {
					c.print("%s\n", data)
					return nil
				}
				return writeWhole(file, force, func(f io.Writer) error {
					_, err := f.Write(append(data, '\n'))
					return err
				})
			})
		},
	}
}

func memoryCountsCommand() command {
	return command{
		name: "memory counts", does: "count what rein knows about each user, without showing it",
		more:  `An admin sees every user of the household, everyone else themselves.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				all, err := l.MemoryCounts(ctx)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(all)
				}
				rows := [][]string{{"USER", "MEMORIES", "PREFERENCES", "NOTES", "SUMMARIES"}}
				for _, u := range all {
					rows = append(rows, []string{u.User, fmt.Sprint(u.Memories), fmt.Sprint(u.Preferences), fmt.Sprint(u.Snapshots), fmt.Sprint(u.Summaries)})
				}
				c.columns(rows)
				return nil
			})
		},
	}
}

func preferencesCommand() command {
	return command{
		name: "preferences", does: "list how you want things: allergies, diet, language, units and others",
		more:  `Lists your preferences and those of your household. rein preferences set NAME VALUE sets one.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				all, err := l.Preferences(ctx)
				if err != nil {
					return err
				}
				if c.json {
					for _, p := range all {
						if err := c.printJSON(p); err != nil {
							return err
						}
					}
					return nil
				}
				if len(all) == 0 {
					c.print("there are no preferences; %s sets one\n", c.tip("preferences set allergies peanuts"))
					return nil
				}
				rows := [][]string{{"NAME", "FOR", "SET BY", "SINCE", "VALUE"}}
				for _, p := range all {
					rows = append(rows, preferenceRow(p))
				}
				c.columns(rows)
				return nil
			})
		},
	}
}

func preferenceRow(p api.Preference) []string {
	whose, by := "you", p.By
	if p.Household {
		whose = "household"
	}
	if by == "" {
		by = "rein"
	}
	return []string{p.Name, whose, by, units.Day(p.At), p.Value}
}

func preferencesSetCommand() command {
	household := false
	return command{
		name: "preferences set", args: "NAME VALUE", does: "set a preference", least: 2, most: 2,
		more: `allergies is a list with commas, such as "peanuts, kiwi"; diet is one or several of vegetarian, vegan, pescatarian, halal, kosher, gluten-free, lactose-free, low-carb, low-salt and none; language is such as nl; units is metric or imperial. Any other NAME takes any short VALUE.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&household, "household", "it is for everyone at home")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				p, err := l.SetPreference(ctx, c.args[0], api.NewPreference{Value: c.args[1], Household: household})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(p)
				}
				c.print("%s is set to %s\n", safe(p.Name), safe(p.Value))
				return nil
			})
		},
	}
}

func preferencesUnsetCommand() command {
	household := false
	return command{
		name: "preferences unset", args: "NAME", does: "remove a preference", least: 1, most: 1,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&household, "household", "remove the one of the household, not yours")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if err := l.RemovePreference(ctx, c.args[0], household); err != nil {
					return err
				}
				if c.json {
					return c.printJSON(map[string]string{"removed": c.args[0]})
				}
				c.print("%s is removed\n", safe(c.args[0]))
				return nil
			})
		},
	}
}
