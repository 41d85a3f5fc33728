package erase

import (
	"context"
	"time"

	"rein"
)

// close adds what quotes the set, and what quotes that, until nothing more does.
func (p *plan) close(ctx context.Context) error {
	for {
		before := len(p.order)
		if err := p.addNamed(ctx); err != nil {
			return err
		}
		if err := p.addReaders(ctx); err != nil {
			return err
		}
		if len(p.order) == before {
			return nil
		}
	}
}

// addNamed adds the runs that were told of one of the set by its name or that of its session: later runs of
// the session and of its branches, forks, and background runs.
func (p *plan) addNamed(ctx context.Context) error {
	since, first, lineage := p.since(), p.first(), p.lineage()
	for _, info := range p.runs {
		if info.ID.Depth() > 0 || p.has(info.ID) || info.Erased || info.Changed.Before(first) {
			continue
		}
		why, err := p.named(ctx, info, since)
		if err != nil {
			return err
		}
		if origin := lineage.quotes(info); why == "" && origin != "" && !p.facts.background(info.Flow) {
			why = "it is a run of session " + info.Session + ", a branch that knows what session " + origin + " said before it"
		}
		if why != "" {
			p.take(info, why)
		}
	}
	return nil
}

// since returns when the first run of the set began in each session. A run that was erased before is told
// to nobody.
func (p *plan) since() map[string]time.Time {
	since := map[string]time.Time{}
	for _, info := range p.runs {
		if !p.has(info.ID) || info.Erased || info.ID.Depth() > 0 || p.facts.isUnheard(info.Flow) {
			continue
		}
		if first, ok := since[info.Session]; !ok || info.Started.Before(first) {
			since[info.Session] = info.Started
		}
	}
	return since
}

func (p *plan) named(ctx context.Context, info rein.RunInfo, since map[string]time.Time) (why string, err error) {
	if first, ok := since[info.Session]; ok && !info.Started.Before(first) && !p.facts.background(info.Flow) {
		return "it is a later run of session " + info.Session, nil
	}
	began, err := p.facts.startOf(ctx, p.from, info.ID)
	first, ok := since[began.session]
	switch {
	case err != nil:
		return "", err
	case p.has(began.fork):
		return "it is a fork of run " + string(began.fork), nil
	case p.has(began.maker):
		return "it did a job that run " + string(began.maker) + " made", nil
	case p.has(began.run):
		return "it remembers run " + string(began.run), nil
	case ok && !info.Started.Before(first):
		return "it sums up session " + began.session, nil
	}
	return "", nil
}

// take adds a run that quotes the set; if the asker may not erase it, it is counted and stays.
func (p *plan) take(info rein.RunInfo, why string) {
	if !p.who.Changes(info.Household, info.User) {
		p.left[info.ID.Root()] = true
		return
	}
	p.add(info.ID.Root(), why)
}

// addReaders adds the runs that have read what is known because of the set: memories, snapshots and
// summaries, as they are now or as runs of the set once kept them.
func (p *plan) addReaders(ctx context.Context) error {
	own, wide, err := p.known(ctx)
	if err != nil || len(own) == 0 {
		return err
	}
	users := map[string]bool{p.owner: true}
	for _, info := range p.runs {
		users[info.User] = users[info.User] || p.has(info.ID)
	}
	first := p.first()
	for _, info := range p.runs {
		needles := wide
		if users[info.User] {
			needles = own
		}
		if p.has(info.ID) || info.Erased || len(needles) == 0 || info.Changed.Before(first) {
			continue
		}
		found, err := p.facts.textsOf(ctx, p.from, info)
		if err != nil {
			return err
		}
		if meets(found.read, needles) {
			p.take(info, "it has read what was remembered of what goes")
		}
	}
	return nil
}

// known returns the texts that are known because of the set: to its users, and to everyone of the household.
func (p *plan) known(ctx context.Context) (own, wide map[string]bool, err error) {
	own, wide = map[string]bool{}, map[string]bool{}
	for _, r := range p.all.known {
		if !p.hasKnown(r) || r.Text == "" { // it was forgotten: the logs have what it said
			continue
		}
		own[plain(r.Text)] = true
		if r.Kind == "summary" {
			own[summaryOf(r.About)] = true
		}
		if r.Wide {
			wide[plain(r.Text)] = true
		}
	}
	for _, info := range p.runs {
		if !p.has(info.ID) || info.Erased {
			continue
		}
		found, err := p.facts.textsOf(ctx, p.from, info)
		if err != nil {
			return nil, nil, err
		}
		for _, text := range found.kept {
			own[text] = true
		}
		for _, text := range found.wide {
			wide[text] = true
		}
	}
	return own, wide, nil
}

// first returns when the first run of the set began. What ended before quotes nothing of it.
func (p *plan) first() (first time.Time) {
	for _, info := range p.runs {
		if p.has(info.ID) && (first.IsZero() || info.Started.Before(first)) {
			first = info.Started
		}
	}
	return first
}

func meets(a, b map[string]bool) bool {
	for text := range a {
		if b[text] {
			return true
		}
	}
	return false
}
