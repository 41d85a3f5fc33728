//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package cli

// discard cannot drop what was typed on this system. Lines that were complete before the prompt are
// still taken for nothing: see watcher.entered.
func (k *keyboard) discard() {}
