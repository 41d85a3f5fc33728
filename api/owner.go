package api

import "time"

// An Owner is what a background owner of a data folder says of itself, on the folder's socket only: it is no
// part of /v1.
type Owner struct {
	PID      int           `json:"pid"`
	Version  string        `json:"version"`
	Started  time.Time     `json:"started"`
	Busy     bool          `json:"busy"`     // a run that it drives has something to do
	Commands int           `json:"commands"` // that runs have started in the background, and that have not ended
	Clients  int           `json:"clients"`  // who is connected, besides whoever asks this
	Idle     time.Duration `json:"idle"`     // it ends after so long without work
	Log      string        `json:"log"`
	Fits     bool          `json:"fits"`    // it has the settings and the version of whoever asks
	Leaving  bool          `json:"leaving"` // it takes no more requests
	Missing  int           `json:"missing"` // passages of notes without vectors
}

// A Dismissal asks a background owner to end.
type Dismissal struct {
	// Now ends it also if it has work or clients. The runs are kept.
	Now bool `json:"now,omitempty"`
	// Done says that whoever asks needs it no more. It ends as soon as its clients have gone, unless they left a
	// run that has not ended: then it stays for the usual time.
	Done bool `json:"done,omitempty"`
	// Unless is the setup of whoever asks, as a digest: an owner with the same one stays. Empty: it does not.
	Unless string `json:"unless,omitempty"`
}

// A Quit asks rein serve to shut down, on the folder's socket only: it is no part of /v1.
type Quit struct {
	// Seconds is how long it may take until its process ends, whatever its calls do. The runs are kept.
	Seconds int `json:"seconds"`
}
