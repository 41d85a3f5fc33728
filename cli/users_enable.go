package cli

func usersEnableCommand() command {
	return command{
		name: "users enable", args: "NAME", does: "let a user in again", least: 1, most: 1,
		more:  `Tokens and browsers from before stay revoked: the user needs new ones.`,
		flags: lookFlags, run: runUserDisabled(false),
	}
}
