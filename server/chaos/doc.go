// Package chaos is a lab: the real server in a process of its own, behind a proxy that cuts, slows and
// slices connections, killed and started again while a model writes. Its clients must all see the same
// log, each event once, and the same texts. It has tests only.
package chaos
