package cli

import (
	"context"
	"errors"
	"fmt"

	"rein/app/config"
)

const doctorHelp = `One line a check: ok, warn (look at it some time) or wrong (act now), and what to do.
It changes nothing and works beside a running rein.`

// How much a finding matters.
const (
	fine  = "ok"
	warn  = "warn"
	wrong = "wrong"
)

// A finding is what one check found.
type finding struct {
	State string `json:"state"`
	Check string `json:"check"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"`
}

// A doctor looks at one data folder.
type doctor struct {
	place
	tip      func(string) string
	findings []finding
	settings *config.Config // nil: they are wrong
	owned    bool           // a process has it open, so what is under way is being taken care of
}

func (d *doctor) find(state, check, do, format string, args ...any) {
	d.findings = append(d.findings, finding{state, check, fmt.Sprintf(format, args...), do})
}

func runDoctor(ctx context.Context, c *call) error {
	p, err := c.place()
	if _, ok := errors.AsType[config.Problems](err); ok {
		d := &doctor{tip: c.tip}
		d.checkSettings(c)
		return c.printFindings(d.findings)
	}
	if err != nil {
		return err
	}
	d := &doctor{place: p, tip: c.tip}
	d.checkSettings(c)
	if err := d.examine(ctx, c); err != nil {
		return err
	}
	return c.printFindings(d.findings)
}

// examine makes the checks, as far as each leaves something to check. Its error is for being
// interrupted.
func (d *doctor) examine(ctx context.Context, c *call) error {
	if !d.checkFolder() {
		return nil
	}
	d.checkPermissions()
	d.checkDisk()
	d.checkOwner()
	d.checkSocket(ctx)
	d.checkNotes(d.settings)
	s, err := openData(ctx, d.place)
	if _, ok := errors.AsType[*noData](err); ok {
		d.find(warn, "database", "it is made when something is first run there", "there is no %s in the folder yet", database)
		return nil
	}
	if err != nil {
		d.find(wrong, "database", "", "%v", err)
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
	return d.checkLimits(ctx, c, s)
}

func (c *call) printFindings(findings []finding) error {
	var err error
	for _, f := range findings {
		if f.State == wrong {
			err = errWrong
		}
		if !c.json {
			text := fmt.Sprintf("%-5s  %-11s  %s", f.State, f.Check, safe(f.Says))
			if f.Do != "" {
				text += ": " + safe(f.Do)
			}
			c.print("%s\n", text)
		} else if err := c.printJSON(f); err != nil {
			return err
		}
	}
	return err
}
