package schedule

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// A Desk is where people see and change their own jobs. Tables is needed; the zero value of the rest is useful.
type Desk struct {
	Tables store.Tables
	Now    func() time.Time // nil is time.Now
	Rules  func() Rules     // as the settings have them; nil: the default ones
	// Check refuses a job that could not run, and names what could make its run wait for a person; nil: nothing does.
	Check func(context.Context, Job) (waitsFor []string, err error)
	// Clean takes secrets out of the words of a job; nil: there are none.
	Clean func(o Owner, text string) string
	Poke  func() // is called after a change, for who fires jobs; nil: nobody does
	// Zone and Language are those of people who say nothing of them.
	Zone, Language func() string
}

// At is the time on the clock of the desk.
func (d *Desk) At() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

func (d *Desk) rules() Rules {
	if d.Rules == nil {
		return DefaultRules()
	}
	return d.Rules()
}

func said(f func() string) string {
	if f == nil {
		return ""
	}
	return f()
}

func (d *Desk) clean(o Owner, w Want) Want {
	if d.Clean != nil {
		w.Text, w.Label = d.Clean(o, w.Text), d.Clean(o, w.Label)
	}
	return w
}

// WaitsFor names what could make the run of a job wait for a person.
func (d *Desk) WaitsFor(ctx context.Context, j Job) ([]string, error) {
	if d.Check == nil {
		return nil, nil
	}
	return d.Check(ctx, j)
}

// write changes tables, and has the change noticed.
func (d *Desk) write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	err := d.Tables.Write(ctx, do)
	if err == nil && d.Poke != nil {
		d.Poke()
	}
	return err
}

// Add makes a job. The same ID makes one, however often.
func (d *Desk) Add(ctx context.Context, o Owner, id string, w Want) (Job, error) {
	j, err := Make(d.clean(o, w), said(d.Zone), d.At(), d.rules())
	if err != nil {
		return j, err
	}
	j.ID, j.Owner, j.Language = id, o, said(d.Language)
	if _, err := d.WaitsFor(ctx, j); err != nil {
		return j, err
	}
	err = d.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := Add(ctx, tx, j); err != nil {
			return err
		}
		j, err = Find(ctx, tx, o, id)
		return err
	})
	return j, err
}

// List returns the jobs of a user; see List.
func (d *Desk) List(ctx context.Context, o Owner, all bool) (found []Job, err error) {
	err = d.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = List(ctx, q, o, all)
		return err
	})
	return found, err
}

// Find returns a job of a user.
func (d *Desk) Find(ctx context.Context, o Owner, id string) (j Job, err error) {
	err = d.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		j, err = Find(ctx, q, o, id)
		return err
	})
	return j, err
}

// Slots returns the newest slots of a job of a user, the newest first.
func (d *Desk) Slots(ctx context.Context, o Owner, id string, limit int) (found []Slot, err error) {
	err = d.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		if _, err := Find(ctx, q, o, id); err != nil {
			return err
		}
		found, err = SlotsOf(ctx, q, id, limit)
		return err
	})
	return found, err
}

// Change changes parts of a job, and whether it is enabled. A version that is not zero must be that of the job.
func (d *Desk) Change(ctx context.Context, o Owner, id string, part Want, enabled *bool, version int64) (Job, error) {
	before, err := d.Find(ctx, o, id)
	if err != nil {
		return before, err
	}
	if version != 0 && version != before.Version {
		return before, moved(id)
	}
	j := before
	if part = d.clean(o, part); part != (Want{}) {
		if j, err = Edit(before, part, d.At(), d.rules()); err != nil {
			return before, err
		}
		if _, err := d.WaitsFor(ctx, j); err != nil {
			return before, err
		}
	}
	if enabled != nil {
		j = Enabled(j, *enabled, d.At())
	}
	err = d.write(ctx, func(ctx context.Context, tx rein.Tx) error { return Change(ctx, tx, j, before.Version) })
	if err != nil {
		return before, err
	}
	return d.Find(ctx, o, id)
}

// Remove removes a job of a user.
func (d *Desk) Remove(ctx context.Context, o Owner, id string) error {
	j, err := d.Find(ctx, o, id)
	if err != nil {
		return err
	}
	return d.write(ctx, func(ctx context.Context, tx rein.Tx) error { return Remove(ctx, tx, o, j.ID, 0) })
}

// Fire fires a job of a user now.
func (d *Desk) Fire(ctx context.Context, o Owner, id string) (s Slot, err error) {
	err = d.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		j, err := Find(ctx, tx, o, id)
		if err == nil {
			s, err = FireNow(ctx, tx, j, d.At())
		}
		return err
	})
	return s, err
}
