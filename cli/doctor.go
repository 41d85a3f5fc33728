package cli

import (
	"context"
	"fmt"

	"rein/app"
)

const doctorHelp = `One line a check: ok, warn (look at it some time) or wrong (act now), and what to do.
It changes nothing and works beside a running rein.`

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
