//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"runtime"
)

type machine struct{}

// Init does nothing on this system.
func Init() {}

// Detect reports that this system has none of the mechanisms.
func Detect(context.Context) Report {
	var r Report
	for _, m := range All {
		r.Mechanisms = append(r.Mechanisms, Status{Mechanism: m, Says: runtime.GOOS + " does not have it", Fix: "run rein on Linux, or in a virtual machine or container with Linux"})
	}
	return r
}

// A Process is a command in its box. There are none on this system.
type Process struct{}

// Start fails on this system: there is nothing to contain the command with.
func Start(_ context.Context, r Report, p Policy, c Command) (*Process, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if _, err := p.resolved(); err != nil {
		return nil, err
	}
	if _, err := r.chosen(p); err != nil {
		return nil, err
	}
	return nil, errors.New("sandbox: boxes need Linux")
}

// Wait fails on this system.
func (*Process) Wait() (Result, error) { return Result{}, errors.New("sandbox: boxes need Linux") }

// Signal fails on this system.
func (*Process) Signal(os.Signal) error { return os.ErrProcessDone }
