package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rein/app"
)

func mcpLoginCommand() command {
	return command{
		name: "mcp login", args: "NAME", does: "log in to an MCP server", least: 1, most: 1,
		more:  `Prints an address to open in a browser on this machine, and waits until you have logged in there. rein keeps the tokens sealed, for you alone. Your runs then use the server as you.`,
		flags: lookFlags, run: runMCPLogin,
	}
}

// loginLimit is how long a person may take.
const loginLimit = 10 * time.Minute

// loginLook is how often rein looks whether a person has logged in.
const loginLook = 500 * time.Millisecond

func runMCPLogin(ctx context.Context, c *call) error {
	name := c.args[0]
	return c.linked(ctx, func(l *app.App) error {
		login, err := l.LoginMCPServer(ctx, name)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeoutCause(ctx, loginLimit, fmt.Errorf("nobody has logged in within %s: begin again with `rein mcp login %s`", loginLimit, safe(name)))
		defer cancel()
		if login.URL != "" {
			if c.json {
				err = c.printJSON(login)
			} else {
				c.print("open this address in a browser:\n%s\n", safe(login.URL))
			}
			err = errors.Join(err, c.out.Stdout.Flush()) // the person needs it now
		}
		for err == nil && login.URL != "" {
			all, wrong := l.MCPServers(ctx)
			for _, s := range all {
				if s.Name == name && s.LoggedIn {
					login.URL = ""
				}
			}
			if err = wrong; err == nil && login.URL != "" {
				err = pausing(ctx, loginLook)
			}
		}
		if err == nil && !c.json {
			c.print("you are logged in to MCP server %s\n", safe(name))
		}
		return err
	})
}

// pausing waits a while.
func pausing(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func mcpLogoutCommand() command {
	return command{
		name: "mcp logout", args: "NAME", does: "forget your login to an MCP server", least: 1, most: 1,
		more:  `Removes your tokens for the server. Those of other people stay.`,
		flags: lookFlags, run: runMCPLogout,
	}
}

func runMCPLogout(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.LogoutMCPServer(ctx, c.args[0]); err != nil {
			return err
		}
		if !c.json {
			c.print("you are logged out of MCP server %s\n", safe(c.args[0]))
		}
		return nil
	})
}
