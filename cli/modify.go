package cli

import (
	"rein"
)

func modifyCommand() command {
	return command{
		name: "modify", args: "RUN TEXT", does: "interrupt a run and give it another task", least: 2, most: anyNumber,
		more:  `What the run is doing is cut off, and it continues with TEXT as its task.`,
		flags: lookFlags, run: runMail(rein.CommandModify),
	}
}
