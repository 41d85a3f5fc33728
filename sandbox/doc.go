// Package sandbox runs a command in a box: the command can work in its workspace and cannot harm
// anything else. It is pure Go, for Linux; on other systems it builds and reports that everything is
// missing.
//
//	rein ── control pipe ──▶ first process of the box (this program again, by Init)
//	  ▲                        │  builds the box, gives up every right, supervises
//	  └── report pipe ─────────┤
//	                           ▼
//	┌ cgroup ────────────────────────────────── memory and processes of all, exactly
//	│ ┌ PID, network, IPC, UTS namespaces ───── nobody else to see, signal or call
//	│ │ ┌ mount namespace ───────────────────── workspace and /tmp writable, system read-only,
//	│ │ │                                       the rest is not there
//	│ │ │ ┌ identity ────────────────────────── never root, no capabilities, no new privileges
//	│ │ │ │ ┌ Landlock ──────────────────────── the rules for files and signals, a second time
//	│ │ │ │ │ ┌ seccomp ─────────────────────── no dangerous system calls
//	│ │ │ │ │ │ ┌ rlimits, watch ────────────── limits of each process, and of all together
//	│ │ │ │ │ │ │  the command
//
// A program calls Init first in main, Detect once, and Start for every command. A Policy says what the
// command can reach. Each mechanism holds alone: Policy.Off switches one off, and the tests show what the
// others still contain.
//
// # How a box ends
//
// The first process holds one end of a pipe and rein the other. However rein dies, the pipe closes, the
// first process exits, and the kernel kills every process of its PID namespace: double forks, new
// sessions and ignored signals do not help. Without a PID namespace the first process is the parent of
// all orphans of the box; it stops and kills its descendants until none is left.
//
// # Who the command is
//
// Started by a normal user, a box has a user namespace in which the user is themselves. Started by root,
// it needs none: its first process mounts as root and then becomes, for good, a user that exists nowhere
// else. The workspace is an idmapped mount, in which its owner on the disk is that user.
//
// # What it does not contain
//
// Bugs of the kernel; what the command does to the workspace, which it may change as it likes; what a
// grant allows, such as sending the workspace away over the network; side channels. Nobody can drop the
// supplementary groups of a normal user, so the files that they open have to be hidden, and they are.
package sandbox
