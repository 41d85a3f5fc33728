package cli

import (
	"rein"
)

func deleteCommand() command {
	return endCommand(rein.CommandDelete, "end a run and everything below it now",
		`The run and everything below it end now. The log stays, for the audit; rein erase removes its texts.`)
}
