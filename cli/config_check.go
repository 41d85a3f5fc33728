package cli

import (
	"context"
	"strings"

	"rein/app"
	"rein/app/config"
)

func configCheckCommand() command {
	return command{
		name: "config check", args: "[FILE]", does: "show every setting and where it comes from", most: 1,
		more:  `Prints each setting with its value and its source: a flag, a variable, a line of the file, or the default. Flags come before variables, variables before the file. Everything that is wrong is listed with its place. Secrets are never printed: the file names the variables that hold them.`,
		flags: func(c *call) []flagDef { return []flagDef{jsonFlag(c), configFlag(c)} }, run: runConfigCheck,
	}
}

func runConfigCheck(_ context.Context, c *call) error {
	if len(c.args) > 0 {
		if c.configFile != "" {
			return usagef("name one file, %s or --config %s", c.args[0], c.configFile)
		}
		c.configFile = c.args[0]
	}
	settings, wrong := c.setup().Load()
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

// printProblems lists all that is wrong; in JSON, programs read it where they read the rest.
func (c *call) printProblems(wrong error) error {
	if !c.json {
		c.note("wrong:")
	}
	for line := range strings.SplitSeq(wrong.Error(), "\n") {
		line = app.WithoutSecrets(line)
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
		v.Value = app.WithoutSecrets(v.Value)
		if !c.json {
			c.print("%-*s  %s  (%s)\n", width, v.Key, safe(v.Value), safe(v.Source))
		} else if err := c.printJSON(v); err != nil {
			return err
		}
	}
	return nil
}
