package cli

import (
	"context"
	"flag"
	"strings"
)

func runHelp(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.helpAll()
	}
	if len(c.args) == 1 && len(below(c.args[0])) > 0 {
		return c.helpGroup(c.args[0])
	}
	cmd, _, err := find(c.args)
	if err != nil {
		return err
	}
	return c.helpOne(cmd)
}

// helpGroup explains the command of this name, if there is one, and lists those that begin with it.
func (c *call) helpGroup(name string) error {
	if cmd, _, err := find([]string{name}); err == nil {
		if err := c.helpOne(cmd); err != nil {
			return err
		}
		c.print("\n")
	}
	c.table(below(name))
	c.print("\nrein help %s ... explains one of them.\n", safe(name))
	return nil
}

// welcome is what rein says when it is called without a word.
func (c *call) welcome() error {
	c.print(`rein runs LLM agents that a person can bound, watch, pause, steer, stop, resume and audit.

Try it here. Without a provider the built-in offline model answers: it follows rules, uses
the tools and quotes what they return.

  rein run "What is in this folder?"
  rein run "read README.md: what is rein?"
  rein runs

`)
	settings, err := c.settings()
	if err != nil {
		c.print("Your settings have mistakes: rein config check lists them.\n")
	} else {
		c.print("model     %s\n", safe(settings.Model))
		if settings.File != "" {
			c.print("settings  %s\n", safe(settings.File))
		} else {
			c.print("settings  none; rein config init writes %s\n", safe(c.env.DefaultFile()))
		}
	}
	if p, err := c.setup().Place(); err == nil {
		c.print("data      %s\n", safe(p.Folder))
	}
	c.print("\nrein help lists the commands.\n")
	return nil
}

func (c *call) helpAll() error {
	c.print("usage: rein COMMAND [FLAGS] [ARGUMENTS]\n\n")
	c.table(commands())
	c.print(`
The data folder is --data DIR, else $REIN_DATA, else data in rein.toml, else $XDG_DATA_HOME/rein,
else ~/.local/share/rein. The settings are in --config FILE, else $REIN_CONFIG, else
$XDG_CONFIG_HOME/rein/rein.toml, else ~/.config/rein/rein.toml.

Exit codes:
`)
	for _, e := range exits {
		c.print("  %3d  %s\n", e.code, e.means)
	}
	return nil
}

func (c *call) table(list []command) {
	for _, cmd := range list {
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
		_, usage := flag.UnquoteUsage(set.Lookup(flagName(name)))
		c.print("  %-15s %s\n", spelled(name), usage)
	}
	return nil
}
