package erase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/household/people"
	"rein/store"
)

// A plan is an Erasure in the making.
type plan struct {
	Erasure
	who   rein.Identity
	mask  func(string) string
	from  source
	facts *facts
	owner string        // whose target it is
	user  rein.UserInfo // of a user

	runs  []rein.RunInfo // of the household, oldest first
	set   map[rein.RunID]string
	order []rein.RunID // of the set, as they were found
	left  map[rein.RunID]bool
	all   rows
	goes  rows

	outputs []Output // that go
}

func (e *Eraser) plan(ctx context.Context, from source, who rein.Identity, t Target, f *facts) (*plan, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	p := &plan{Erasure: Erasure{Target: t}, who: who, mask: e.Mask, from: from, facts: f, set: map[rein.RunID]string{}, left: map[rein.RunID]bool{}}
	if e.Outputs != nil {
		var err error
		if p.outputs, err = e.Outputs.Of(who.Household); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(context.Context) error{p.read, p.begin, p.close, p.checkEnded, p.finish} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// read reads what the household has.
func (p *plan) read(ctx context.Context) error {
	for info, err := range p.from.Runs(ctx, store.Filter{Household: p.who.Household}) {
		if err != nil {
			return err
		}
		p.runs = append(p.runs, info)
	}
	return p.from.query(ctx, func(ctx context.Context, q store.Query) (err error) {
		if p.all, err = readRows(ctx, q, p.who.Household); err != nil || p.Target.User == "" {
			return err
		}
		p.user, p.goes.badges, err = people.Erasable(ctx, q, p.who, p.Target.User)
		return err
	})
}

// begin takes up what was named, if the asker may erase it. What quotes a child is its parent: so a run
// goes with its whole tree.
func (p *plan) begin(context.Context) error {
	found := false
	for _, info := range p.runs {
		switch t := p.Target; {
		case t.Run != "" && info.ID == t.Run, t.Session != "" && info.Session == t.Session, t.User != "" && info.User == t.User:
		default:
			continue
		}
		if !p.who.Sees(info.Household, info.User) {
			continue
		}
		if !p.who.Changes(info.Household, info.User) {
			return rein.Errorf(rein.CodeForbidden, "%s belongs to %s: as %s you may look at it, not erase it", p.Target, info.User, p.who.Role)
		}
		found, p.owner = true, info.User
		why := ""
		if info.ID.Root() != info.ID && p.Target.Run != "" {
			why = "run " + string(info.ID) + " is a part of it"
		}
		p.add(info.ID.Root(), why)
	}
	if p.Target.User != "" {
		p.owner = p.Target.User // who exists: see Erasable
		return nil
	}
	if !found {
		return rein.Errorf(rein.CodeNotFound, "there is no %s", p.Target)
	}
	return nil
}

func (p *plan) add(root rein.RunID, why string) bool {
	if _, ok := p.set[root]; ok {
		return false
	}
	p.set[root] = why
	p.order = append(p.order, root)
	return true
}

// has reports whether a run, or the tree that it is in, goes.
func (p *plan) has(run rein.RunID) bool {
	if run == "" {
		return false
	}
	_, ok := p.set[run.Root()]
	return ok
}

// members are the roots that go, or went before.
func (p *plan) members() []rein.RunID { return p.order }

// roots are the roots whose logs are erased.
func (p *plan) roots() (roots []rein.RunID) {
	for _, info := range p.runs {
		if info.ID.Depth() == 0 && p.has(info.ID) && !info.Erased {
			roots = append(roots, info.ID)
		}
	}
	return roots
}

// checkEnded refuses to erase what is under way. A run that is being driven may have read what is known of
// its user a moment ago, and not have recorded it.
func (p *plan) checkEnded(context.Context) error {
	reads, wide := false, false
	for _, r := range p.all.known {
		if p.hasKnown(r) {
			reads, wide = true, wide || r.Wide
		}
	}
	for _, info := range p.runs {
		switch {
		case info.Status.Ended():
		case p.has(info.ID):
			why := p.set[info.ID.Root()]
			if why != "" {
				why = ", and would go too: " + why
			}
			return rein.Errorf(rein.CodeBusy, "run %s has not ended (%s)%s: stop it, or wait until it ends, and erase then", info.ID, info.Status, why)
		case info.Status == rein.StatusRunning && reads && (wide || info.User == p.owner):
			return rein.Errorf(rein.CodeBusy, "run %s is under way and may have read a memory that would be erased: erase when it has ended or waits", info.ID)
		}
	}
	return nil
}

// finish chooses the rows that go, and lists everything.
func (p *plan) finish(ctx context.Context) error {
	if err := p.chooseRows(); err != nil {
		return err
	}
	if err := p.from.query(ctx, p.readFolds); err != nil {
		return err
	}
	p.outputs = slices.DeleteFunc(p.outputs, func(o Output) bool { return !p.has(o.Run) })
	p.Left = len(p.left)
	p.list()
	return p.seal()
}

// handles names the outputs that go.
func (p *plan) handles() (list []string) {
	for _, o := range p.outputs {
		list = append(list, o.Handle)
	}
	return list
}

// list makes the items of what goes, in the order of Kinds.
func (p *plan) list() {
	p.Items = []Thing{}
	for _, info := range p.runs {
		if info.ID.Depth() == 0 && p.has(info.ID) && !info.Erased {
			p.item("run", string(info.ID), info.User, p.set[info.ID], info.Title)
		}
	}
	for _, r := range p.goes.known {
		name := r.Kind + " of " + r.At.Format(time.DateTime)
		if r.About != "" {
			name += ", " + r.About
		}
		p.item(r.Kind, name, r.User, "", r.Text)
	}
	for _, n := range p.goes.folds {
		p.item("fold", fmt.Sprintf("fold %d", n), "", "it stands for runs that go, or one of them wrote it", "")
	}
	for _, f := range p.goes.files {
		p.item("file", f.Name, f.User, "", "")
	}
	for _, n := range p.goes.notes {
		kind, name := "staged note", n.Path
		if n.Commit != "" {
			kind, name = "note commit", n.Path+" in "+n.Commit
		}
		p.item(kind, name, n.User, "", "")
	}
	for _, c := range p.goes.changes {
		p.item("file change", c.Path+" in "+c.ID, c.User, "", "")
	}
	for _, o := range p.outputs {
		p.item("command output", o.Handle, o.User, "", "")
	}
	for _, d := range p.goes.deliveries {
		p.item("delivery", d.ID, d.User, "", "")
	}
	for _, m := range p.goes.told.messages {
		p.item("message", m.ID, m.User, "", m.Text)
	}
	for _, d := range p.goes.told.deliveries {
		p.item("message delivery", d.ID, d.User, "", "")
	}
	for _, c := range p.goes.told.channels {
		p.item("channel", c.ID, c.User, "messages do not go there any more", string(c.Kind)+" "+c.Label)
	}
	for _, w := range p.goes.told.preferences {
		p.item("message preferences", "quiet hours and language", w.User, "", "")
	}
	for _, k := range p.goes.hooks {
		p.item("hook", k.ID, k.User, "nothing is sent there any more", k.Label)
	}
	for _, c := range p.goes.chats {
		p.item("chat record", c.Name(), c.User, "", "")
	}
	for _, r := range p.goes.rules {
		p.item("rule", r.ID, r.User, "the calls that it allows are asked about again", r.Pattern)
	}
	for _, s := range p.goes.presets {
		p.item("preset", s.Name, s.User, "", s.About)
	}
	for _, m := range p.goes.marks {
		p.item("session mark", m.Session, m.User, "", m.Title)
	}
	for _, user := range p.goes.pages {
		p.item("page", "what the web page keeps", user, "", "")
	}
	for _, f := range p.goes.feedback {
		p.item("feedback", "feedback on run "+string(f.Run), f.User, "", f.Comment)
	}
	for _, e := range p.goes.events {
		p.item("event", e.ID, e.User, "", e.Title)
	}
	for _, k := range p.goes.lists {
		kind, name := "list", k.List
		if k.Item != "" {
			kind, name = "list item", k.Item+" of "+k.List
		}
		p.item(kind, name, k.User, "", k.Text)
	}
	for _, j := range p.goes.jobs {
		p.item("job", j.ID, j.User, "it does not fire any more", j.Label)
	}
	for _, s := range p.goes.secrets {
		p.item("secret", s.Name, s.User, "", "")
	}
	for _, d := range p.goes.trusts {
		p.item("decision", d.ID, d.By, "the folder is not trusted any more", d.Root)
	}
	for _, b := range p.goes.badges {
		p.item(b.Kind, b.ID, p.Target.User, "", "")
	}
	if p.Target.User != "" && p.user.Disabled.IsZero() {
		p.item("user", p.Target.User, p.Target.User, "they are disabled; the name stays, because logs name it", "")
	}
	slices.SortStableFunc(p.Items, func(a, b Thing) int { return slices.Index(Kinds, a.Kind) - slices.Index(Kinds, b.Kind) })
}

// mostText is how much of a text is listed.
const mostText = 80

func (p *plan) item(kind, name, user, why, text string) {
	if user != p.who.User {
		text = "" // an admin may erase it without reading it
	}
	if p.mask != nil {
		text = p.mask(text)
	}
	if runes := []rune(text); len(runes) > mostText {
		text = string(runes[:mostText]) + "…"
	}
	p.Items = append(p.Items, Thing{Kind: kind, Name: name, User: user, Why: why, Text: text})
}
