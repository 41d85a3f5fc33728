//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package terminal

// Discard cannot drop what was typed on this system. Whoever reads lines must still ignore those that
// were complete before the prompt.
func (k *Keyboard) Discard() {}
