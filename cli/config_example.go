package cli

import (
	"context"

	"rein/app/config"
)

func configExampleCommand() command {
	return command{
		name: "config example", does: "print an example of a settings file", run: runConfigExample,
		more: `Prints a file with every setting, its default and what it is for, commented out. rein config init writes it to where rein reads it.`,
	}
}

func runConfigExample(_ context.Context, c *call) error {
	c.verbatim(config.Example())
	return nil
}
