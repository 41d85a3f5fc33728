package cli

import (
	"context"
	"fmt"

	"rein/api"
	"rein/app"
	"rein/internal/visible"
)

func mcpListCommand() command {
	return command{
		name: "mcp list", does: "list the MCP servers and their tools",
		more:  `Lists the servers of rein.toml and those that were added, how they are, and what their tools can do. rein mcp test NAME connects to one.`,
		flags: lookFlags, run: runMCPList,
	}
}

func runMCPList(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.MCPServers(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.json {
			c.print("there are no MCP servers; %s adds one\n", c.tip("mcp add"))
		}
		for _, s := range all {
			if c.json {
				if err := c.printJSON(s); err != nil {
					return err
				}
				continue
			}
			c.print("%s (%s, %s): %s%s\n", safe(s.Name), s.Kind, mcpFrom(s), s.State, loginWords(s))
			c.printMCP(s)
		}
		return nil
	})
}

// mcpFrom says who brought a server.
func mcpFrom(s api.MCPServer) string {
	switch s.From {
	case "settings":
		return "from rein.toml"
	case "workspace":
		return "from its folder"
	}
	return "added by rein mcp add"
}

func loginWords(s api.MCPServer) string {
	switch {
	case s.Login && s.LoggedIn:
		return ", logged in"
	case s.Login:
		return ", not logged in: rein mcp login " + safe(s.Name)
	}
	return ""
}

// printMCP prints what is known of a server below its name.
func (c *call) printMCP(s api.MCPServer) {
	if s.Error != "" {
		c.print("  %s\n", safe(visible.Short(s.Error, 500)))
	}
	if len(s.Tools) == 0 {
		return
	}
	rows := [][]string{{"  TOOL", "EFFECT", "ASKS", "ABOUT"}}
	for _, t := range s.Tools {
		rows = append(rows, []string{"  " + t.Name, string(t.Effect), mcpAsks(t), visible.Short(t.About, 200)})
	}
	c.columns(rows)
}

func mcpAsks(t api.MCPTool) string {
	switch {
	case t.Denied:
		return "denied"
	case t.Gone:
		return "gone"
	case t.Changed:
		return "changed"
	case t.Asks:
		return "each call"
	}
	return "never"
}

func mcpTestCommand() command {
	return command{
		name: "mcp test", args: "NAME", does: "connect to an MCP server and list what it has", least: 1, most: 1,
		more:  `Connects to the server in a connection of its own, and lists its tools, resources and prompts, and what rein cannot use. It exits with 1 if the server cannot be used.`,
		flags: lookFlags, run: runMCPTest,
	}
}

func runMCPTest(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		r, err := l.TestMCPServer(ctx, c.args[0])
		if err != nil {
			return err
		}
		if c.json {
			err = c.printJSON(r)
		} else {
			c.printReport(r)
		}
		if err == nil && r.Error != "" {
			err = fmt.Errorf("MCP server %s cannot be used", r.Name)
		}
		return err
	})
}

func (c *call) printReport(r api.MCPReport) {
	if r.Title != "" {
		c.print("%s: %s, MCP %s\n", safe(r.Name), safe(r.Title), safe(r.Protocol))
	}
	c.printMCP(r.MCPServer)
	for _, w := range r.Wrong {
		c.print("  not used: %s\n", safe(visible.Short(w, 300)))
	}
	for _, uri := range r.Resources {
		c.print("  resource %s\n", safe(uri))
	}
	for _, name := range r.Prompts {
		c.print("  prompt %s\n", safe(name))
	}
}

func mcpRemoveCommand() command {
	return command{
		name: "mcp remove", args: "NAME", does: "remove an MCP server that was added", least: 1, most: 1,
		more:  `Removes the server and what rein knows about its tools. Runs in progress continue without them.`,
		flags: lookFlags, run: runMCPRemove,
	}
}

func runMCPRemove(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RemoveMCPServer(ctx, c.args[0]); err != nil {
			return err
		}
		if !c.json {
			c.print("MCP server %s is removed\n", safe(c.args[0]))
		}
		return nil
	})
}

func mcpAcceptCommand() command {
	return command{
		name: "mcp accept", args: "NAME", does: "accept the changed tools of an MCP server", least: 1, most: 1,
		more:  `What the settings say about a tool holds for the definition it had when rein first saw it. If the server changes the definition, calls ask again until you accept it. rein mcp list shows what has changed.`,
		flags: lookFlags, run: runMCPAccept,
	}
}

func runMCPAccept(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.AcceptMCPServer(ctx, c.args[0]); err != nil {
			return err
		}
		if !c.json {
			c.print("the tools of MCP server %s are accepted as they are now\n", safe(c.args[0]))
		}
		return nil
	})
}
