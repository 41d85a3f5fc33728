package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rein/api"
	"rein/app"
)

// presetFlags are the flags of the commands that change presets.
type presetFlags struct {
	shared bool
	about  string
}

func (p *presetFlags) sharedFlag() flagDef {
	return on(&p.shared, "shared", "the preset belongs to the household; only for admins")
}

func presetSaveCommand() command {
	var p presetFlags
	return command{
		name: "preset save", args: "RUN NAME", does: "save how a run works, for other runs", least: 2, most: 2,
		more: `Saves the flow, the model, the tools, the settings, the budget and the instructions of RUN under NAME, in place of your preset of that name. What the run was asked, its folder and its approvals are not part of it. rein run --preset NAME starts from it.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&p.about, "about TEXT", "what it is for, in one line"), p.sharedFlag()}, lookFlags(c)...)
		}, run: p.save,
	}
}

func (p *presetFlags) save(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		run, err := c.theRun(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		saved, err := l.SavePreset(ctx, c.args[1], api.NewPreset{Run: run, About: p.about}, p.shared)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(saved)
		}
		c.print("preset %s is saved: %s starts from it\n", safe(saved.Name), c.tip("run --preset "+saved.Name+" TASK"))
		return nil
	})
}

func presetListCommand() command {
	return command{
		name: "preset list", does: "list the presets, which are prepared tasks",
		more:  `Lists what rein run --preset can start from: the presets of the settings, those that you saved, and those that an admin shared.`,
		flags: lookFlags, run: runPresetList,
	}
}

func runPresetList(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.Presets(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.json {
			c.print("there are no presets; %s saves one\n", c.tip("preset save RUN NAME"))
			return nil
		}
		rows := [][]string{{"NAME", "FLOW", "FROM", "ABOUT"}}
		for _, p := range all {
			if c.json {
				if err := c.printJSON(p); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{p.Name, p.Task.Flow, string(p.From), short(p.About, 60)})
		}
		if !c.json {
			c.columns(rows)
		}
		return nil
	})
}

func presetShowCommand() command {
	return command{
		name: "preset show", args: "NAME", does: "show a preset", least: 1, most: 1,
		more:  `Shows what a run starts with that names the preset.`,
		flags: lookFlags, run: runPresetShow,
	}
}

func runPresetShow(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		p, err := l.Preset(ctx, c.args[0])
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(p)
		}
		var rows [][]string
		for _, row := range presetRows(p) {
			if row[1] != "" {
				rows = append(rows, row[:])
			}
		}
		c.advice(rows)
		return nil
	})
}

// presetRows is what is shown of a preset, a line each.
func presetRows(p api.Preset) [][2]string {
	rows := [][2]string{
		{"preset", safe(p.Name)},
		{"about", safe(p.About)},
		{"from", safe(string(p.From))},
		{"flow", safe(p.Task.Flow)},
		{"model", safe(p.Task.Model)},
		{"tools", safe(strings.Join(p.Task.Tools, ", "))},
		{"settings", safe(string(p.Task.Settings))},
	}
	if b := p.Task.Budget; b != nil {
		rows = append(rows, [2]string{"budget", fmt.Sprintf("%d rounds, %d tool calls, %d tokens", b.Rounds, b.ToolCalls, b.Tokens)})
	}
	for _, m := range p.Task.Messages {
		rows = append(rows, [2]string{string(m.Role), short(m.Text, 200)})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Task.Texts)) {
		rows = append(rows, [2]string{"text " + safe(name), short(p.Task.Texts[name], 200)})
	}
	return rows
}

func presetRemoveCommand() command {
	var p presetFlags
	return command{
		name: "preset remove", args: "NAME", does: "remove a saved preset", least: 1, most: 1,
		more:  `Removes your own preset or, with --shared, the household's. Presets of the settings are removed there.`,
		flags: func(c *call) []flagDef { return append([]flagDef{p.sharedFlag()}, lookFlags(c)...) },
		run:   p.remove,
	}
}

func (p *presetFlags) remove(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		if err := l.RemovePreset(ctx, c.args[0], p.shared); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"removed": c.args[0]})
		}
		c.print("preset %s is removed\n", safe(c.args[0]))
		return nil
	})
}
