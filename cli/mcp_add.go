package cli

import (
	"context"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
)

// mcpFlags are the flags of rein mcp add alone.
type mcpFlags struct {
	env, headers         []string
	allow, deny, effects []string
	noCode               []string
	read, write          []string
	login, hints, roots  bool
	private, sandbox     bool
	network              bool
	client               string
}

func mcpAddCommand() command {
	var f mcpFlags
	return command{
		name: "mcp add", args: "NAME URL|-- COMMAND...", does: "add an MCP server", least: 2, most: anyNumber,
		more: `Adds a server that is called over HTTP, or a program on this machine that speaks MCP. rein connects to it once and lists its tools. Runs use them as NAME.tool.

Each call asks for your approval, unless --allow names the tool. A server's own claim that a tool only reads counts only with --trust-hints. --effect TOOL=pure says so for one tool.

The program gets PATH, HOME, LANG and the variables that --env names, as NAME=VALUE or NAME; no shell reads its arguments. --sandbox runs it in a box. The value of a variable or a header can be env:NAME for a variable of rein, or secret:NAME for a secret of the person whose run makes the call. What you type instead is kept sealed, unless it is plainly not a secret.`,
		flags: f.flags, run: f.run,
	}
}

func (f *mcpFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		each(&f.env, "env NAME[=VALUE]", "a variable for the program; the value can be env:NAME or secret:NAME"),
		each(&f.headers, "header NAME=VALUE", "a header for each request; the value can be env:NAME or secret:NAME"),
		on(&f.login, "login", "each person logs in to the server, with OAuth"),
		text(&f.client, "client-id ID", "how the authorization server knows rein, if it registers no clients"),
		each(&f.allow, "allow TOOL", "let calls of TOOL run without approval"),
		each(&f.deny, "deny TOOL", "do not offer TOOL"),
		each(&f.effects, "effect TOOL=EFFECT", "what TOOL does: pure, idempotent or unsafe"),
		each(&f.noCode, "no-code TOOL", "TOOL cannot look into code, so the flow research may call it"),
		on(&f.hints, "trust-hints", "believe what the server says about the effects of its tools"),
		on(&f.roots, "roots", "tell the server the folder of the run's workspace"),
		on(&f.private, "private", "let the server redirect to private addresses"),
		on(&f.sandbox, "sandbox", "run the program in a box"),
		on(&f.network, "network", "let the program in the box use the network"),
		each(&f.read, "read PATH", "let the program in the box read PATH"),
		each(&f.write, "write PATH", "let the program in the box write PATH"),
	}, lookFlags(c)...)
}

func (f *mcpFlags) run(ctx context.Context, c *call) error {
	body := api.NewMCPServer{
		Name: c.args[0], Env: f.env, Login: f.login, ClientID: f.client, Allow: f.allow, Deny: f.deny, NoCode: f.noCode, TrustHints: f.hints, Roots: f.roots, Private: f.private,
		Sandbox: f.sandbox, Network: f.network, Read: f.read, Write: f.write,
	}
	if rest := c.args[1:]; len(rest) == 1 && (strings.HasPrefix(rest[0], "http://") || strings.HasPrefix(rest[0], "https://")) {
		body.URL = rest[0]
	} else {
		body.Command = rest
	}
	for _, pair := range f.headers {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return usagef("--header %s: write NAME=VALUE", name)
		}
		if body.Headers == nil {
			body.Headers = map[string]string{}
		}
		body.Headers[name] = value
	}
	for _, pair := range f.effects {
		tool, effect, _ := strings.Cut(pair, "=")
		if body.Effects == nil {
			body.Effects = map[string]rein.Effect{}
		}
		body.Effects[tool] = rein.Effect(effect)
	}
	return c.linked(ctx, func(l *app.App) error {
		added, err := l.AddMCPServer(ctx, body)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(added)
		}
		c.print("MCP server %s is added\n", safe(added.Name))
		c.printMCP(added)
		return nil
	})
}
