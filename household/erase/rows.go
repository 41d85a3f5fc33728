package erase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/follow/hook"
	"rein/follow/notify"
	"rein/follow/telegram"
	"rein/household/agenda"
	"rein/household/branches"
	"rein/household/changes"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/memory"
	"rein/household/page"
	"rein/household/past"
	"rein/household/people"
	"rein/household/presets"
	"rein/household/schedule"
	"rein/household/secrets"
	"rein/household/shelf"
	"rein/household/trust"
	"rein/store"
	"rein/vault/stage"
)

// rows are what tables of our own hold of a household, and then what of it goes.
type rows struct {
	known      []memory.Row
	files      []shelf.Kept
	notes      []stage.Kept
	changes    []changes.Kept
	deliveries []rein.Delivery
	chats      []telegram.Kept
	hooks      []hook.Hook
	folds      []int64
	badges     []people.Credential
	rules      []rein.Rule
	secrets    []secrets.Kept
	trusts     []trust.Decision
	presets    []presets.Preset
	marks      []page.Mark
	branches   []branches.Row
	pages      []string // the users whose page keeps something
	feedback   []feedback.Feedback
	told       told
	events     []agenda.Event
	lists      []lists.Kept
	jobs       []schedule.Kept
}

func readRows(ctx context.Context, q store.Query, household string) (r rows, err error) {
	if r.known, err = memory.Rows(ctx, q, household); err != nil {
		return r, err
	}
	if r.branches, err = branches.Of(ctx, q, household); err != nil {
		return r, err
	}
	if r.files, err = shelf.FilesOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.notes, err = stage.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.changes, err = changes.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.deliveries, err = notify.DeliveriesOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.hooks, err = hook.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.chats, err = telegram.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.rules, err = people.RulesOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.trusts, err = trust.Kept(ctx, q, household); err != nil {
		return r, err
	}
	if r.secrets, err = secrets.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.presets, err = presets.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.marks, err = page.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.pages, err = page.UsersOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.events, err = agenda.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.lists, err = lists.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.jobs, err = schedule.KeptOf(ctx, q, household); err != nil {
		return r, err
	}
	if r.told, err = readTold(ctx, q, household); err != nil {
		return r, err
	}
	r.feedback, err = feedback.KeptOf(ctx, q, household)
	return r, err
}

// readFolds finds the folds that quote runs which go.
func (p *plan) readFolds(ctx context.Context, q store.Query) error {
	seen := map[int64]bool{}
	for _, run := range p.members() {
		found, err := past.Quotes(ctx, q, run)
		if err != nil {
			return err
		}
		for _, n := range found {
			if !seen[n] {
				seen[n] = true
				p.goes.folds = append(p.goes.folds, n)
			}
		}
	}
	return nil
}

// chooseRows keeps of all rows those that go.
func (p *plan) chooseRows() error {
	for _, r := range p.all.known {
		if p.hasKnown(r) {
			p.goes.known = append(p.goes.known, r)
		}
	}
	for _, f := range p.all.files {
		if p.has(f.Run) || p.isTarget(f.User, f.Session) {
			p.goes.files = append(p.goes.files, f)
		}
	}
	since := p.since()
	for _, n := range p.all.notes {
		if !p.has(n.Run) && !p.isTarget(n.User, n.Session) && !isLater(since, n) {
			continue
		}
		if n.IsOpen {
			return rein.Errorf(rein.CodeBusy, "notes of session %s are being written to the vault: try again", n.Session)
		}
		p.goes.notes = append(p.goes.notes, n)
	}
	for _, c := range p.all.changes {
		if p.has(c.Run) || p.isTarget(c.User, c.Session) {
			p.goes.changes = append(p.goes.changes, c)
		}
	}
	for _, d := range p.all.deliveries {
		if p.has(d.Run) || p.Target.User != "" && d.User == p.Target.User {
			p.goes.deliveries = append(p.goes.deliveries, d)
		}
	}
	for _, k := range p.all.hooks {
		if p.Target.User != "" && k.User == p.Target.User {
			p.goes.hooks = append(p.goes.hooks, k)
		}
	}
	for _, c := range p.all.chats {
		if p.has(c.Run) || p.isTarget(c.User, c.Session) {
			p.goes.chats = append(p.goes.chats, c)
		}
	}
	for _, r := range p.all.rules {
		if p.has(r.Ask.Run()) || p.isTarget(r.User, r.Session) {
			p.goes.rules = append(p.goes.rules, r)
		}
	}
	for _, s := range p.all.presets {
		if p.has(s.Run) || p.Target.User != "" && s.User == p.Target.User {
			p.goes.presets = append(p.goes.presets, s)
		}
	}
	p.chooseMarks()
	for _, user := range p.all.pages {
		if user == p.Target.User {
			p.goes.pages = append(p.goes.pages, user)
		}
	}
	for _, f := range p.all.feedback {
		if p.has(f.Run) || p.Target.User != "" && f.User == p.Target.User {
			p.goes.feedback = append(p.goes.feedback, f)
		}
	}
	for _, e := range p.all.events {
		if slices.ContainsFunc(e.Runs, p.has) || p.Target.User != "" && e.User == p.Target.User {
			p.goes.events = append(p.goes.events, e)
		}
	}
	for _, k := range p.all.lists {
		if p.has(k.Run) || k.IsOf(p.Target.User) {
			p.goes.lists = append(p.goes.lists, k)
		}
	}
	p.chooseTold()
	for _, j := range p.all.jobs {
		if p.has(j.Run) || p.isTarget(j.User, j.Session) {
			p.goes.jobs = append(p.goes.jobs, j)
		}
	}
	for _, s := range p.all.secrets {
		if p.Target.User != "" && s.User == p.Target.User {
			p.goes.secrets = append(p.goes.secrets, s)
		}
	}
	for _, d := range p.all.trusts {
		if p.Target.User != "" && d.By == p.Target.User {
			p.goes.trusts = append(p.goes.trusts, d)
		}
	}
	return nil
}

// chooseMarks keeps those of sessions of which a run goes: a title that somebody gave such a session may quote it.
func (p *plan) chooseMarks() {
	of := map[string]bool{}
	for _, info := range p.runs {
		if p.has(info.ID) {
			of[info.Session] = true
		}
	}
	for _, m := range p.all.marks {
		if of[m.Session] || p.isTarget(m.User, m.Session) {
			p.goes.marks = append(p.goes.marks, m)
		}
	}
}

// isLater reports whether a person committed notes of a session, without a run, after a run of it began that
// goes: what they committed is what runs had staged.
func isLater(since map[string]time.Time, n stage.Kept) bool {
	first, ok := since[n.Session]
	return ok && n.Run == "" && !n.At.Before(first)
}

// isTarget reports whether all of a session of a user is what was named.
func (p *plan) isTarget(user, session string) bool {
	return p.Target.User != "" && user == p.Target.User || p.Target.Session != "" && session == p.Target.Session && user == p.owner
}

// hasKnown reports whether something that is known comes from what goes.
func (p *plan) hasKnown(r memory.Row) bool {
	of := p.Target.Session != "" && r.Kind == "summary" && r.About == p.Target.Session && r.User == p.owner
	return of || p.has(r.Run) || p.has(r.Source) || p.Target.User != "" && r.User == p.Target.User
}

// takeAway erases all that goes but the logs, and records who did it.
func (e *Eraser) takeAway(ctx context.Context, m store.Moment, who rein.Identity, p *plan) error {
	for _, run := range p.members() {
		if _, err := past.Forget(ctx, m, run); err != nil {
			return err
		}
	}
	if err := memory.Erase(ctx, m, who.Household, p.goes.known); err != nil {
		return err
	}
	if err := shelf.Erase(ctx, m, p.goes.files); err != nil {
		return err
	}
	if err := stage.Erase(ctx, m, p.goes.notes, now()); err != nil {
		return err
	}
	if err := changes.Erase(ctx, m, p.goes.changes); err != nil {
		return err
	}
	if err := notify.Erase(ctx, m, p.goes.deliveries); err != nil {
		return err
	}
	if err := p.goes.told.erase(ctx, m); err != nil {
		return err
	}
	if err := hook.Erase(ctx, m, p.goes.hooks); err != nil {
		return err
	}
	if err := telegram.Erase(ctx, m, p.goes.chats); err != nil {
		return err
	}
	if err := trust.Erase(ctx, m, p.goes.trusts); err != nil {
		return err
	}
	if err := e.People.EraseRules(ctx, m, p.goes.rules); err != nil {
		return err
	}
	if err := secrets.Erase(ctx, m, p.goes.secrets); err != nil {
		return err
	}
	if err := presets.Erase(ctx, m, p.goes.presets); err != nil {
		return err
	}
	if err := page.Erase(ctx, m, p.goes.marks); err != nil {
		return err
	}
	if err := feedback.Erase(ctx, m, p.goes.feedback); err != nil {
		return err
	}
	if err := agenda.Erase(ctx, m, p.goes.events); err != nil {
		return err
	}
	if err := lists.Erase(ctx, m, p.goes.lists); err != nil {
		return err
	}
	if err := schedule.Erase(ctx, m, p.goes.jobs); err != nil {
		return err
	}
	for _, run := range p.members() {
		if err := schedule.EraseErrors(ctx, m, run); err != nil {
			return err
		}
	}
	for _, user := range p.goes.pages {
		if err := page.EraseUser(ctx, m, who.Household, user); err != nil {
			return err
		}
	}
	if p.Target.User != "" {
		if err := agenda.EraseUser(ctx, m, who.Household, p.Target.User); err != nil {
			return err
		}
		if err := changes.EraseUser(ctx, m, who.Household, p.Target.User); err != nil {
			return err
		}
		if err := schedule.EraseUser(ctx, m, who.Household, p.Target.User); err != nil {
			return err
		}
		if err := lists.EraseUser(ctx, m, who.Household, p.Target.User); err != nil {
			return err
		}
		if err := e.People.EraseUser(ctx, m, who, p.Target.User); err != nil {
			return err
		}
	}
	return e.People.NoteErased(ctx, m, who, p.owner, fmt.Sprintf("%s, with %d things in all", p.Target, len(p.Items)))
}
