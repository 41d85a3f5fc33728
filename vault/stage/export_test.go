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
