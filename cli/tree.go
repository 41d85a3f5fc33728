package cli

import (
	"context"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

func treeCommand() command {
	return command{
		name: "tree", args: "[RUN]", does: "show what runs are doing, as a tree", most: 1,
		more:  `Prints each run with what it is doing and what it asks, children below their parents. Without RUN it prints every tree that has not ended.`,
		flags: func(c *call) []flagDef { return append([]flagDef{longFlag(c)}, lookFlags(c)...) }, run: runTree,
	}
}

func runTree(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		if len(c.args) > 0 {
			return err
		}
		return c.nothing(err)
	}
	defer v.Close()
	ids, err := c.trees(ctx, v)
	if err != nil {
		return err
	}
	names, err := c.shortener(ctx, v.Client, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		node, err := v.Tree(ctx, id)
		if err != nil {
			return c.unknownRun(err, v.Place)
		}
		if !c.json {
			c.printNode(node, 0, names)
		} else if err := c.printJSON(node); err != nil {
			return err
		}
	}
	if len(ids) == 0 && !c.json {
		c.print("no runs are in progress\n")
	}
	return nil
}

// trees returns the run that was named, or the roots of all trees that have not ended.
func (c *call) trees(ctx context.Context, v *app.View) (ids []rein.RunID, err error) {
	if len(c.args) > 0 {
		id, err := c.seenRun(ctx, v, c.args[0])
		return []rein.RunID{id}, err
	}
	roots, err := allRuns(ctx, v, api.RunQuery{Roots: true, Status: api.Unfinished})
	for _, info := range roots {
		ids = append(ids, info.ID)
	}
	return ids, err
}

func (c *call) printNode(n api.Node, depth int, names shortener) {
	indent := strings.Repeat("  ", depth)
	c.print("%s%s  %s  %s  %s\n", indent, safe(names.run(n.Run.ID)), terminal.StatusWord(n.Run), safe(n.Run.Flow), short(n.Run.Title, 80))
	for _, d := range n.Doing {
		c.print("%s    %s for %s\n", indent, terminal.Doing(d), units.Span(time.Since(d.Since)))
	}
	for _, ask := range n.Asks {
		c.print("%s    asks: %s (%s)\n", indent, short(ask.Text, 100), safe(names.ask(ask.ID)))
	}
	for _, child := range n.Children {
		c.printNode(child, depth+1, names)
	}
}
