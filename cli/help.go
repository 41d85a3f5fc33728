package cli

import (
	"context"
	"fmt"
	"strings"
)

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND]", does: "explain a command", most: 2, run: runHelp,
		more: `Without COMMAND it lists all commands. For a word that several commands begin with, such as config, it lists those.`,
	}
}

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
	c.print("\n`rein help %s COMMAND` explains one of them.\n", safe(name))
	return nil
}

// welcome is what rein says when it is called without a word.
func (c *call) welcome() error {
	c.print(`rein runs LLM agents that you can bound, watch, pause, steer, stop, resume and
audit.

Try it here. Until you connect a model, the built-in offline model answers: it
follows rules, uses the tools and quotes what they return.

  rein run "What is in this folder?"
  rein run "read README.md: what is rein?"
  rein runs

`)
	settings, err := c.settings()
	if err != nil {
		c.print("Your settings have mistakes: rein config check lists them.\n")
	} else {
		c.print("model     %s\n", safe(usualAnswer(settings)))
		if settings.File != "" {
			c.print("settings  %s\n", safe(settings.File))
		} else {
			c.print("settings  none; rein init connects a model and writes %s\n", safe(c.env.DefaultFile()))
		}
	}
	if p, err := c.setup().Place(); err == nil {
		c.print("data      %s\n", safe(p.Folder))
	}
	c.print("\nrein help lists the commands.\n")
	return nil
}

func (c *call) helpAll() error {
	c.print("usage: rein COMMAND [FLAGS] [ARGUMENTS]\n\n%s\n", c.wrapped("New here? rein demo shows what there is, rein init connects a model, and rein alone opens a session.", 0))
	for _, g := range groups() {
		c.print("\n%s\n", g.title)
		c.table(g.commands)
	}
	c.print("\n%s\n", c.wrapped(`The data folder is --data DIR, else $REIN_DATA, else data in rein.toml, else $XDG_DATA_HOME/rein, else ~/.local/share/rein. The settings are in --config FILE, else $REIN_CONFIG, else $XDG_CONFIG_HOME/rein/rein.toml, else ~/.config/rein/rein.toml.`, 0))
	c.print("\nExit codes:\n")
	for _, e := range exits {
		c.print("%s\n", c.wrapped(fmt.Sprintf("  %3d  %s", e.code, e.means), len("       ")))
	}
	return nil
}

func (c *call) table(list []command) {
	for _, cmd := range list {
		typed := strings.TrimSpace(cmd.name + " " + cmd.args)
		if len(typed) > typedWidth {
			c.print("  rein %s\n", typed)
			c.print("%s%s\n", strings.Repeat(" ", len("  rein ")+typedWidth+1), cmd.does)
			continue
		}
		c.print("%s\n", c.wrapped(fmt.Sprintf("  rein %-*s %s", typedWidth, typed, cmd.does), len("      ")))
	}
}

func (c *call) helpOne(cmd *command) error {
	c.print("%s\n\n%s%s.\n", c.wrapped("usage: "+cmd.usage(), 2), strings.ToUpper(cmd.does[:1]), cmd.does[1:])
	for paragraph := range strings.SplitSeq(cmd.more, "\n\n") {
		if paragraph != "" {
			c.print("\n%s\n", c.wrapped(paragraph, 0))
		}
	}
	defs := cmd.flagsOf(&call{})
	if len(defs) == 0 {
		return nil
	}
	c.print("\n")
	for _, f := range defs {
		c.print("%s\n", c.wrapped("  "+f.spelled()+strings.Repeat(" ", max(1, flagColumn-len(f.spelled())-2))+f.does, flagColumn))
	}
	return nil
}

const (
	typedWidth = 24 // of a command and its arguments in the list of commands
	helpWidth  = 79 // of a terminal that nobody made wider, which has one column more
	flagColumn = 18 // where the help of a flag begins
)

// wrapped folds a text at its spaces into lines that fit; those after the first are indented. What stands
// in brackets stays on one line. Where nobody reads along lines are as long as in a usual terminal.
func (c *call) wrapped(text string, indent int) string {
	most := helpWidth
	if room := c.room(); room > 0 {
		most = min(most, room)
	}
	return wrappedTo(text, indent, most)
}

func wrappedTo(text string, indent, most int) string {
	var b strings.Builder
	column, open := 0, false
	for i, word := range strings.Split(strings.ReplaceAll(text, "\n", " "), " ") {
		if i > 0 {
			if !open && column+1+len(word)+bracketRest(text, word) > most {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				column = indent
			} else {
				b.WriteByte(' ')
				column++
			}
		}
		b.WriteString(word)
		column += len(word)
		open = (open || strings.HasPrefix(word, "[--")) && !strings.Contains(word, "]")
	}
	return b.String()
}

// bracketRest is how much comes after a word that opens a bracket, up to its end and the dots behind it.
func bracketRest(text, word string) int {
	if !strings.HasPrefix(word, "[--") || strings.Contains(word, "]") {
		return 0
	}
	_, rest, _ := strings.Cut(text, word)
	inside, after, _ := strings.Cut(rest, "]")
	dots, _, _ := strings.Cut(after, " ")
	return len(inside) + 1 + len(dots)
}
