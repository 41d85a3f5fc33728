package cli

import (
	"context"
	"fmt"

	"rein/app"
)

func doctorCommand() command {
	return command{
		name: "doctor", does: "check the settings and the data",
		more:  `Prints one line for each check: ok, warn (look at it some time) or wrong (act now), with what to do. It changes nothing and works beside a running rein.`,
		flags: lookFlags, run: runDoctor,
	}
}

func runDoctor(ctx context.Context, c *call) error {
	findings, err := c.setup().Examine(ctx, c.tip)
	if err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == app.Wrong {
			err = errWrong
		}
		if !c.json {
			text := fmt.Sprintf("%-5s  %-11s  %s", f.State, f.Check, safe(f.Says))
			if f.Do != "" {
				text += ": " + safe(f.Do)
			}
			c.print("%s\n", text)
		} else if err := c.printJSON(f); err != nil {
			return err
		}
	}
	return err
}
