package app

import (
	"context"
	"errors"
	"fmt"

	"rein/app/config"
)

// How much a finding matters.
const (
	Fine  = "ok"
	Warn  = "warn"
	Wrong = "wrong"
)

// A Finding is what one check found.
type Finding struct {
	State string `json:"state"` // Fine, Warn or Wrong
	Check string `json:"check"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // a command or a setting that fixes it; what is not fine always has one
}

// A doctor looks at one data folder.
type doctor struct {
	Place
	setup    *Setup
	tip      func(string) string
	findings []Finding
	settings *config.Config // nil: they are wrong
	holder   string         // the process that has it open
	owned    bool           // a process has it open, so what is under way is being taken care of
}

// try is the command that a first run is.
const try = `run "What is in this folder?"`

// restore is how a backup takes the place of data that is damaged.
const restore = "restore a backup into a new folder, as in `cp backup.db NEW/rein.db`, and use it with --data NEW"

func (d *doctor) find(state, check, do, format string, args ...any) {
	d.findings = append(d.findings, Finding{state, check, fmt.Sprintf(format, args...), do})
}

// Examine looks for what is wrong with the settings and the data. It changes nothing and works beside a
// process that has the data open. The function tip writes a command of rein that is worth trying.
func (s *Setup) Examine(ctx context.Context, tip func(command string) string) ([]Finding, error) {
	d := &doctor{setup: s, tip: tip}
	p, err := s.Place()
	if _, ok := errors.AsType[config.Problems](err); ok {
		d.checkSettings()
		return d.findings, nil
	}
	if err != nil {
		return nil, err
	}
	d.Place = p
	d.checkSettings()
	d.checkTexts()
	d.checkSandbox(ctx)
	d.checkPython()
	err = d.examine(ctx)
	return d.findings, err
}

// examine makes the checks, as far as each leaves something to check. Its error is for being
// interrupted.
func (d *doctor) examine(ctx context.Context) error {
	if !d.checkFolder() {
		return nil
	}
	d.checkPermissions()
	d.checkDisk()
	d.checkOwner(ctx)
	d.checkSocket(ctx)
	d.checkNotes(d.settings)
	d.checkMCP(ctx)
	s, err := openReader(ctx, d.Place)
	if _, ok := errors.AsType[*NoDataError](err); ok {
		d.find(Warn, "database", d.tip(try)+" creates it", "there is no %s in the folder yet", database)
		return nil
	}
	if err != nil {
		d.find(Wrong, "database", d.opens(), "%v", err)
		return ctx.Err()
	}
	defer s.Close()
	d.checkPages(ctx, s.file)
	if err := d.checkLogs(ctx, s); err != nil {
		return err
	}
	if err := d.checkHead(ctx, s); err != nil {
		return err
	}
	if err := d.checkRuns(ctx, s); err != nil {
		return err
	}
	if err := d.checkUndo(ctx, s); err != nil {
		return err
	}
	if err := d.checkJobs(ctx, s); err != nil {
		return err
	}
	if err := d.checkSecrets(ctx, s); err != nil {
		return err
	}
	return d.checkLimits(ctx, s)
}
