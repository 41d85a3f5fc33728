package config

import "time"

// Owner says how the data folder is kept open for runs that are started at a terminal.
type Owner struct {
	Background bool          // a process of its own does it
	Idle       time.Duration // and ends when it had nothing to do for so long
}

const maxIdle = 24 * time.Hour

func ownerSections() []Key {
	return []Key{
		{"owner.background", "REIN_OWNER_BACKGROUND", "", "at a terminal, drive runs in a background process, so that they continue when you leave or the terminal closes; `--foreground` turns it off for one command", boolean(func(c *Config) *bool { return &c.Owner.Background })},
		{"owner.idle", "REIN_OWNER_IDLE", "", "how long that process stays when no run needs it and nobody is connected", duration(func(c *Config) *time.Duration { return &c.Owner.Idle }, time.Second, maxIdle)},
	}
}
