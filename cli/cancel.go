package cli

import (
	"rein"
)

func cancelCommand() command {
	return endCommand(rein.CommandCancel, "end a run now", `The call in progress is cut off. Its work is kept.`)
}
