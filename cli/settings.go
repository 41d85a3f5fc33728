package cli

import (
	"context"
	"maps"
	"regexp"
	"strings"

	"rein"
	"rein/app/config"
	"rein/flow"
	"rein/guard"
)

const (
	checkHelp = `Every setting with its value and where that comes from: a flag, a variable, a line of the
file, or the default. Flags come before variables, variables before the file. Secrets are
never printed: the file names the variables that hold them. Everything that is wrong is
listed with its place.`
	exampleHelp = `A file with every setting, its default and what it is for, commented out.
rein config init writes it to where rein reads it.`
)

// settings reads the config, once.
func (c *call) settings() (*config.Config, error) {
	if c.config != nil {
		return c.config, nil
	}
	settings, err := config.Load(config.Options{File: c.configFile, Env: c.env, Flags: c.given()})
	if err != nil {
		return nil, err
	}
	for _, w := range settings.Warnings {
		c.note("rein: warning: %s", safe(w))
	}
	c.config = settings
	return settings, nil
}

// given is what flags say of settings.
func (c *call) given() map[string]string {
	flags := map[string]string{
		"default_flow": c.flow, "model": c.model, "data": c.data, "tools.root": c.root, "tools.allow": c.yesTo.String(),
		"server.listen": c.listen, "vault": c.vault,
	}
	if c.force {
		flags["tools.force_root"] = "true"
	}
	maps.DeleteFunc(flags, func(_, value string) bool { return value == "" })
	return flags
}

// checked reads the config, wants every name in it to mean something, and decides what a command may
// see.
func (c *call) checked() (*config.Config, error) { return c.checkedFor(false) }

func (c *call) checkedFor(service bool) (*config.Config, error) {
	settings, err := c.settings()
	if err != nil {
		return nil, err
	}
	if err := settings.Check(known()); err != nil {
		return nil, err
	}
	return c.settled(settings, service)
}

// again reads the settings of a process that owns data, as they are now. Those of one run, which flags
// name, are not its own: others may start runs through it too.
func (c *call) again() (*config.Config, error) {
	flags := c.given()
	if !c.serves {
		for _, key := range []string{"default_flow", "model", "tools.allow", "tools.root", "tools.force_root"} {
			delete(flags, key)
		}
		if c.runs {
			delete(flags, "vault")
		}
	}
	settings, err := config.Load(config.Options{File: c.configFile, Env: c.env, Flags: flags})
	if err == nil {
		err = settings.Check(known())
	}
	if err != nil {
		return nil, err
	}
	root, err := c.chooseRoot(settings, true)
	if err != nil {
		return nil, err
	}
	copied := *settings
	copied.Tools.Root = root.dir
	return &copied, nil
}

// known is what settings can name.
func known() config.Known {
	return config.Known{Flows: flow.Names(), Tools: toolNames()}
}

func runConfigCheck(_ context.Context, c *call) error {
	if len(c.args) > 0 {
		if c.configFile != "" {
			return usagef("name one file, %s or --config %s", c.args[0], c.configFile)
		}
		c.configFile = c.args[0]
	}
	settings, wrong := config.Load(config.Options{File: c.configFile, Env: c.env, Flags: c.given()})
	if wrong == nil {
		wrong = settings.Check(known())
	}
	if wrong == nil {
		wrong = checkParts(settings, c.env)
	}
	if err := c.printSettings(settings); err != nil {
		return err
	}
	for _, w := range settings.Warnings {
		c.note("warning: %s", safe(w))
	}
	if wrong == nil {
		return nil
	}
	return c.printProblems(wrong)
}

// printProblems tells all that is wrong; in JSON, programs read it where they read the rest.
func (c *call) printProblems(wrong error) error {
	if !c.json {
		c.note("wrong:")
	}
	for line := range strings.SplitSeq(wrong.Error(), "\n") {
		line = withoutSecrets(line)
		if !c.json {
			c.note("%s", safe(line))
		} else if err := c.printJSON(map[string]string{"problem": line}); err != nil {
			return err
		}
	}
	return errWrong
}

func (c *call) printSettings(settings *config.Config) error {
	file := "no file (there is none at " + safe(c.env.DefaultFile()) + ")"
	if settings.File != "" {
		file = safe(settings.File)
	}
	if !c.json {
		c.print("settings of %s\n\n", file)
	}
	width := 0
	for _, v := range settings.Values() {
		width = max(width, len(v.Key))
	}
	for _, v := range settings.Values() {
		v.Value = withoutSecrets(v.Value)
		if !c.json {
			c.print("%-*s  %s  (%s)\n", width, v.Key, safe(v.Value), safe(v.Source))
		} else if err := c.printJSON(v); err != nil {
			return err
		}
	}
	return nil
}

// addresses finds addresses in a text, with the parts of them that can hold a secret: who signs in,
// and the values of a query.
var (
	signIns = regexp.MustCompile(`(://)[^\s/?#"'@]+@`)
	queries = regexp.MustCompile(`(://[^\s"'?#]*[?][^\s"'=&#]*=|[&][^\s"'=&#]*=)[^\s"'&#,\]]+`)
)

// withoutSecrets returns the value of a setting as it can be shown.
func withoutSecrets(text string) string {
	text, _, _ = (*guard.Redactor)(nil).Text(text)
	if !strings.Contains(text, "://") {
		return text
	}
	text = signIns.ReplaceAllString(text, "${1}"+rein.Mask+"credentials]@")
	return queries.ReplaceAllString(text, "${1}"+rein.Mask+"secret value]")
}

func runConfigExample(_ context.Context, c *call) error {
	c.print("%s", config.Example())
	return nil
}
