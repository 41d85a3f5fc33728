package cli

import (
	"rein"
)

func steerCommand() command {
	return command{
		name: "steer", args: "RUN TEXT", does: "send a run a message while it works", least: 2, most: anyNumber,
		more:  `The run reads the message before its next step. If the message comes too late, it starts the next run of the session.`,
		flags: lookFlags, run: runMail(rein.CommandMessage),
	}
}
