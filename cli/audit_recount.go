package cli

import (
	"context"
)

func auditRecountCommand() command {
	return command{
		name: "audit recount", does: "recount what users use, from the logs",
		more:  `Counts what users and households use again, from the logs and files. You need it only if rein doctor or rein audit verify says that an account is wrong, for example because another program changed the file. No other process may have the data open.`,
		flags: placeFlags, run: runRecount,
	}
}

func runRecount(ctx context.Context, c *call) error {
	if err := c.setup().Recount(ctx); err != nil {
		return c.nothing(err)
	}
	c.note("rein: counted the accounts again")
	return nil
}
