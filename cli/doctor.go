package cli

import (
	"context"

	"rein/app"
)

func doctorCommand() command {
	return command{
		name: "doctor", does: "check the settings and the data",
		more:  `Prints one line for each check: ok, warn (look at it some time) or wrong (act now), with a command or a setting that fixes it. It changes nothing and works beside a running rein.`,
		flags: lookFlags, run: runDoctor,
	}
}

func runDoctor(ctx context.Context, c *call) error {
	findings, err := c.setup().Examine(ctx, c.tip)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, f := range findings {
		if f.State == app.Wrong {
			err = errWrong
		}
		if !c.json {
			rows = append(rows, []string{pad(string(f.State), len(app.Wrong)), pad(f.Check, 11), f.Says + after(": ", f.Do)})
		} else if err := c.printJSON(f); err != nil {
			return err
		}
	}
	c.advice(rows)
	return err
}
