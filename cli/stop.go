package cli

import (
	"rein"
)

func stopCommand() command {
	return endCommand(rein.CommandStop, "end a run at its next step",
		`The run ends at its next step, or after a short grace period. Its work is kept, and the next run of the session knows what was done.`)
}
