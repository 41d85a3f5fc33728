package cli

import (
	"context"

	"rein/app/config"
)

func configInitCommand() command {
	return command{
		name: "config init", args: "[FILE]", does: "write a settings file to start with", most: 1,
		more:  `Writes a file with every setting, its default and what it is for, commented out, and makes its folder. Without FILE it is the file that rein reads: $REIN_CONFIG, or rein.toml in the config folder. A file that exists stays as it is.`,
		flags: func(c *call) []flagDef { return []flagDef{configFlag(c)} }, run: runConfigInit,
	}
}

func runConfigInit(_ context.Context, c *call) error {
	file, err := c.initFile()
	if err != nil {
		return err
	}
	fresh, err := makeFile(file)
	if err != nil {
		return err
	}
	if err := fresh.fill(config.Example()); err != nil {
		fresh.drop()
		return err
	}
	c.print("wrote %s; edit it, then %s shows the settings\n", safe(file), c.tip("config check"))
	return nil
}

// initFile is where the settings are to be written.
func (c *call) initFile() (string, error) {
	named := c.configFile
	if len(c.args) > 0 {
		if named != "" {
			return "", usagef("name one file, %s or --config %s", c.args[0], named)
		}
		named = c.args[0]
		c.configFile = named
	}
	for _, file := range []string{named, c.env.Get("REIN_CONFIG"), c.env.DefaultFile()} {
		if file != "" {
			return file, nil
		}
	}
	return "", usagef("there is no home folder here: name the file, as in rein config init rein.toml")
}
