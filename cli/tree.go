package cli

import (
	"context"
	"net/http"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/internal/units"
	"rein/server"
	"rein/store"
	"rein/terminal"
)

func treeCommand() command {
	return command{
		name: "tree", args: "[RUN]", does: "show what runs are doing, as a tree", most: 1,
		more:  `Prints each run with what it is doing and what it asks, children below their parents. Without RUN it prints every tree that has not ended.`,
		flags: lookFlags, run: runTree,
	}
}

func runTree(ctx context.Context, c *call) error {
	s, err := c.setup().Read(ctx)
	if err != nil {
		if len(c.args) > 0 {
			return err
		}
		return c.nothing(err)
	}
	defer s.Close()
	roots, err := c.treeRoots(ctx, s)
	if err != nil {
		return err
	}
	for _, info := range roots {
		node, err := treeOf(ctx, s, info)
		if err != nil {
			return err
		}
		if !c.json {
			c.printNode(node, 0)
		} else if err := c.printJSON(node); err != nil {
			return err
		}
	}
	if len(roots) == 0 && !c.json {
		c.print("no runs are in progress\n")
	}
	return nil
}

func (c *call) treeRoots(ctx context.Context, s *app.Data) (roots []rein.RunInfo, err error) {
	if len(c.args) > 0 {
		info, err := s.Run(ctx, rein.RunID(c.args[0]))
		if err != nil {
			return nil, c.unknownRun(err, s)
		}
		return []rein.RunInfo{info}, nil
	}
	for info, err := range s.Runs(ctx, store.Filter{Roots: true, Unfinished: true}) {
		if err != nil {
			return nil, err
		}
		roots = append(roots, info)
	}
	return roots, nil
}

// treeOf reads a tree as the API tells it to the run's own user.
func treeOf(ctx context.Context, s *app.Data, info rein.RunInfo) (api.Node, error) {
	views := client.Handler(server.New(server.Options{
		Store: s, Who: func(*http.Request) (rein.Identity, error) {
			return rein.Identity{Household: info.Household, User: info.User, Role: rein.Member, Scopes: rein.Scopes()}, nil
		},
	}))
	return views.Tree(ctx, info.ID)
}

func (c *call) printNode(n api.Node, depth int) {
	indent := strings.Repeat("  ", depth)
	c.print("%s%s  %s  %s  %s\n", indent, safe(string(n.Run.ID)), terminal.StatusWord(n.Run), safe(n.Run.Flow), short(n.Run.Title, 80))
	for _, d := range n.Doing {
		c.print("%s    %s for %s\n", indent, terminal.Doing(d), units.Span(time.Since(d.Since)))
	}
	for _, ask := range n.Asks {
		c.print("%s    asks: %s (%s)\n", indent, short(ask.Text, 100), safe(string(ask.ID)))
	}
	for _, child := range n.Children {
		c.printNode(child, depth+1)
	}
}
