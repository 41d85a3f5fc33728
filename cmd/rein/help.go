package main

import (
	"context"
	"flag"
	"strings"
)

func runHelp(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.helpAll()
	}
	cmd, _, err := find(c.args)
	if err != nil {
		return err
	}
	return c.helpOne(cmd)
}

// welcome is what rein says when it is called without a word.
func (c *call) welcome() error {
	c.print(`rein runs LLM agents that a person can bound, watch, pause, steer, stop, resume and audit.

Today there is the engine, for programs that embed it, and these commands, which look at
the data folder of such a program. The server and the clients come next.

`)
	c.table()
	if p, err := c.place(); err == nil {
		c.print("\nYour data is in %s (choose another with --data DIR or $REIN_DATA).\n", safe(p.folder))
	}
	c.print("Try `rein doctor`, or `rein help show`.\n")
	return nil
}

func (c *call) helpAll() error {
	c.print("usage: rein COMMAND [FLAGS] [ARGUMENTS]\n\n")
	c.table()
	c.print(`
The data folder is --data DIR, else $REIN_DATA, else $XDG_DATA_HOME/rein, else ~/.local/share/rein.
Exit codes: 0 all is well, 1 something is wrong or failed, 2 wrong usage.
`)
	return nil
}

func (c *call) table() {
	for _, cmd := range commands() {
		c.print("  rein %-24s %s\n", strings.TrimSpace(cmd.name+" "+cmd.args), cmd.does)
	}
}

func (c *call) helpOne(cmd *command) error {
	c.print("usage: %s\n\n%s%s.\n", cmd.usage(), strings.ToUpper(cmd.does[:1]), cmd.does[1:])
	if cmd.more != "" {
		c.print("\n%s\n", cmd.more)
	}
	if len(cmd.flags) == 0 {
		return nil
	}
	c.print("\n")
	set := flagSet(&options{}, cmd.flags)
	for _, name := range cmd.flags {
		_, usage := flag.UnquoteUsage(set.Lookup(name))
		c.print("  %-14s %s\n", spelled(name), usage)
	}
	return nil
}
