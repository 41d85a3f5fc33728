package stage

import (
	"errors"
	"os"
)

// OnPoint calls a function at each point of a commit where a crash, or an edit, matters.
func (d *Desk) OnPoint(f func(point string)) { d.at = f }

// NoSwap makes the disk one that cannot exchange two files.
func (d *Desk) NoSwap() {
	d.swap = func(*os.Root, string, string) error { return errors.ErrUnsupported }
}

// FailSwap makes the n-th exchange of two files fail, and those after it that are told to.
func (d *Desk) FailSwap(fails func(n int) bool, err error) {
	n := 0
	d.swap = func(root *os.Root, a, b string) error {
		if n++; fails(n) {
			return err
		}
		return exchange(root, a, b)
	}
}
