package cli

import (
	"context"
	"strings"

	"rein/app"
	"rein/app/config"
)

const (
	checkHelp = `Every setting with its value and where that comes from: a flag, a variable, a line of the
file, or the default. Flags come before variables, variables before the file. Secrets are
never printed: the file names the variables that hold them. Everything that is wrong is
listed with its place.`
	exampleHelp = `A file with every setting, its default and what it is for, commented out.
rein config init writes it to where rein reads it.`
)

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

// printProblems tells all that is wrong; in JSON, programs read it where they read the rest.
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

func runConfigExample(_ context.Context, c *call) error {
	c.print("%s", config.Example())
	return nil
}
