package sandbox

import (
	"slices"
	"time"
)

// A spec is what the first process of a box gets from rein, on its control pipe.
type spec struct {
	Probe   bool // build everything, run nothing
	Argv    []string
	Env     []string
	Dir     string
	Use     []Mechanism
	Root    bool // it starts as the system's root: it mounts as such and becomes UID afterwards
	UID     int
	GID     int
	Grants  []grant
	Temp    string // on the host; empty: in memory
	OwnTemp bool   // it was made for this box, and goes with it
	Network bool
	Git     string
	Limits  Limits
	ABI     int // of Landlock
	// Files is how many descriptors the command gets beside its streams, and FirstFile the first of them in the first
	// process.
	Files, FirstFile int
}

// A grant is one path that the box can see, or that it must not see.
type grant struct {
	Path   string
	Write  bool
	Hide   bool
	IDMap  int // the descriptor of the user namespace that maps its owner; 0: none
	IsTemp bool
}

func (s *spec) uses(m Mechanism) bool { return slices.Contains(s.Use, m) }

// A report is a line that the first process of a box sends to rein.
type report struct {
	Started   bool      `json:",omitempty"`
	Error     string    `json:",omitempty"`
	Mechanism Mechanism `json:",omitempty"` // the one that failed
	Exit      int
	Signal    int
	Ended     string
	User      time.Duration
	System    time.Duration
	MaxRSS    int64
}

// failure is a mechanism that did not work.
type failure struct {
	mechanism Mechanism
	err       error
}

func (f *failure) Error() string { return string(f.mechanism) + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// initName is the name under which rein starts itself as the first process of a box.
const initName = "rein-sandbox-init"

// The descriptors of the first process.
const (
	controlFD = 3 // from rein: the spec, then signals; when it closes, the box ends
	reportFD  = 4 // to rein
	firstMap  = 5 // user namespaces that map owners
)
