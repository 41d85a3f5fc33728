package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/terminal"
)

// asksFlags are the flags of rein asks alone.
type asksFlags struct{ all, full bool }

func asksCommand() command {
	var a asksFlags
	return command{
		name: "asks", does: "list what waits for a person",
		more:  `Lists the oldest first: questions, approvals, and calls that may or may not have happened. Long texts are cut: --full shows them in full, and rein answer ASK shows one.`,
		flags: a.flags, run: a.run,
	}
}

func (a *asksFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		on(&a.all, "all", "list closed asks too"),
		on(&a.full, "full", "print texts in full, on as many lines as they have"),
		longFlag(c),
	}, lookFlags(c)...)
}

func (a *asksFlags) run(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	query := api.AskQuery{State: rein.AskPending}
	if a.all {
		query.State = ""
	}
	asks, err := v.Asks(ctx, query)
	if err != nil {
		return err
	}
	if c.json {
		for _, ask := range asks {
			if err := c.printJSON(ask); err != nil {
				return err
			}
		}
		return nil
	}
	if len(asks) == 0 {
		c.print("nothing waits for a person\n")
		return nil
	}
	if a.full {
		for i, ask := range asks {
			if i > 0 {
				c.print("\n")
			}
			c.printAsk(ask)
		}
		return nil
	}
	ids := make([]rein.RunID, 0, len(asks))
	for _, ask := range asks {
		ids = append(ids, ask.Run)
	}
	names, err := c.shortener(ctx, v.Client, ids)
	if err != nil {
		return err
	}
	c.listAsks(asks, names)
	return nil
}

// maxAskLine is how much of an ask a list shows.
const maxAskLine = 100

func (c *call) listAsks(asks []rein.Ask, names shortener) {
	rows := [][]string{{"ASK", "KIND", "STATE", "SINCE", "TEXT"}}
	cut := false
	for _, ask := range asks {
		text := short(ask.Text, maxAskLine)
		if lines := strings.Count(strings.TrimSpace(ask.Text), "\n"); lines > 0 {
			text += " [" + units.Count(int64(lines+1), "line") + "]"
		}
		cut = cut || text != ask.Text
		for i, choice := range ask.Choices {
			text += fmt.Sprintf(" %d) %s", i+1, short(choice, 40))
		}
		rows = append(rows, []string{names.ask(ask.ID), string(ask.Kind), string(ask.State), units.Lately(ask.Opened, time.Now()), text})
	}
	c.columns(rows)
	if cut {
		c.note("some texts are cut: %s shows them whole", c.tip("asks --full"))
	}
	if slices.ContainsFunc(asks, func(ask rein.Ask) bool { return ask.State == rein.AskPending }) {
		c.note("%s shows one in full and takes your answer", c.tip("answer ASK"))
	}
}

// printAsk writes an ask to standard output, whole, with what an answer must repeat.
func (c *call) printAsk(ask rein.Ask) {
	if ask.State == rein.AskPending {
		c.print("ask %s has waited since %s\n", safe(string(ask.ID)), units.When(ask.Opened))
	} else {
		c.print("%s\n", safe(closedAsk(ask).Error()))
	}
	c.print("%s\n%s", terminal.Headline(ask), c.out.Screen.Whole(ask))
	if ask.State != rein.AskPending {
		return
	}
	if ask.Shown != "" {
		c.print("shown %s\n", safe(ask.Shown))
	}
	if terminal.Masked(ask) {
		c.note("%s shows what is masked", c.tip("answer "+string(ask.ID)+" --reveal"))
	}
	c.note("answer with %s", c.tip("answer "+string(ask.ID)+after(" --shown ", ask.Shown)+" "+fits(ask)))
}
