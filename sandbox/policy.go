package sandbox

import (
	"fmt"
	"slices"
	"time"
)

// A Mechanism is one means of the system that contains a command.
type Mechanism string

// The mechanisms, in the order in which a report lists them.
const (
	Identity Mechanism = "identity" // a user that is not root, no capabilities, no way to gain any
	Mount    Mechanism = "mount"    // a file system with only what the policy shows
	PID      Mechanism = "pid"      // its own processes; all end with the first
	Net      Mechanism = "net"      // a network that is only its own loopback
	IPC      Mechanism = "ipc"      // its own host name, shared memory and queues
	Landlock Mechanism = "landlock" // rules for files, TCP, signals and abstract sockets
	Seccomp  Mechanism = "seccomp"  // dangerous system calls fail
	Rlimits  Mechanism = "rlimits"  // limits of each process
	Watch    Mechanism = "watch"    // limits of all processes together, sampled
	Cgroup   Mechanism = "cgroup"   // limits of all processes together, exact
)

// All lists every mechanism.
var All = []Mechanism{Identity, Mount, PID, Net, IPC, Landlock, Seccomp, Rlimits, Watch, Cgroup}

// Standard lists the mechanisms that a command needs if its policy requires nothing else. Landlock and
// cgroups come on top where the system has them.
var Standard = []Mechanism{Identity, Mount, PID, Net, IPC, Seccomp, Rlimits, Watch}

// A Policy says what a command can reach. Everything that it does not name is hidden, apart from the
// programs and libraries of the system, which can be read and run.
type Policy struct {
	Workspace string   // the folder in which the command works: it can write there
	Still     bool     // it can only read there
	Temp      string   // the folder that it sees as /tmp; empty: a new one in memory, gone afterwards
	ReadOnly  []string // files and folders that it can also read and run
	Writable  []string // files and folders that it can also write
	Hidden    []string // files and folders that it cannot see, though they lie in one of the others
	Network   bool     // it has the network of the machine
	Git       string   // settings for its git, beside those of the system
	Limits    Limits

	Require []Mechanism // Start fails if one of these is missing; nil: Standard
	Off     []Mechanism // not used even if available: tests show with it what the others contain
}

// Limits bound what a command uses. A zero takes the default, a negative number is no limit.
type Limits struct {
	Time      time.Duration // from start to end; no default
	CPU       time.Duration // of one process: 30 minutes
	Processes int           // processes and threads: 512
	Files     int           // open in one process: 4,096
	Memory    int64         // of one process, and of all together: 4 GiB
	Temp      int64         // in /tmp, if it is in memory: 1 GiB
	FileSize  int64         // of one file: 2 GiB
	Written   int64         // to disks, by all together: 16 GiB
	KeepFree  int64         // on the disk of the workspace: 256 MiB
	Output    int64         // standard output and error together: 64 MiB
}

// limits fills in the defaults.
func (l Limits) filled() Limits {
	fill(&l.CPU, 30*time.Minute)
	fill(&l.Processes, 512)
	fill(&l.Files, 4096)
	fill(&l.Memory, 4<<30)
	fill(&l.Temp, 1<<30)
	fill(&l.FileSize, 2<<30)
	fill(&l.Written, 16<<30)
	fill(&l.KeepFree, 256<<20)
	fill(&l.Output, 64<<20)
	return l
}

func fill[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

// A Status says whether this machine has a mechanism.
type Status struct {
	Mechanism Mechanism `json:"mechanism"`
	Available bool      `json:"available"`
	Says      string    `json:"says"`          // what it contains, or why it is missing
	Fix       string    `json:"fix,omitempty"` // what to do about it, if it is missing
}

// A Report says which mechanisms this machine has. Start needs one; it stays true while the process runs.
type Report struct {
	Mechanisms []Status
	machine    machine
}

// Has reports whether a mechanism is available.
func (r Report) Has(m Mechanism) bool {
	return slices.ContainsFunc(r.Mechanisms, func(s Status) bool { return s.Mechanism == m && s.Available })
}

// A MissingError says that this machine lacks a mechanism that the policy requires.
type MissingError struct {
	Mechanism Mechanism
	Why       string
	Fix       string
}

func (e *MissingError) Error() string {
	text := fmt.Sprintf("the sandbox lacks %s: %s", e.Mechanism, e.Why)
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// chosen returns the mechanisms that a command gets, or which one it needs and cannot have.
func (r Report) chosen(p Policy) ([]Mechanism, error) {
	need := p.Require
	if need == nil {
		need = Standard
	}
	var use []Mechanism
	for _, s := range r.Mechanisms {
		switch {
		case slices.Contains(p.Off, s.Mechanism), s.Mechanism == Net && p.Network:
		case s.Available:
			use = append(use, s.Mechanism)
		case slices.Contains(need, s.Mechanism):
			return nil, &MissingError{s.Mechanism, s.Says, s.Fix}
		}
	}
	return use, nil
}

// contains says what each mechanism is for.
var contains = map[Mechanism]string{
	Identity: "commands are never root and have no capabilities",
	Mount:    "commands see the workspace, a temporary folder and the system's programs",
	PID:      "commands see only their own processes, and all of them end together",
	Net:      "commands have no network unless it is granted",
	IPC:      "commands have their own shared memory and host name",
	Landlock: "the rules for files and signals hold a second time",
	Seccomp:  "commands cannot make dangerous system calls",
	Rlimits:  "each process of a command is limited",
	Watch:    "all processes of a command together are limited",
	Cgroup:   "processes and memory of a command are limited exactly",
}
