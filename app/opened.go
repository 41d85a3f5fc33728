package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"rein"
	"rein/household/past"
	"rein/household/workspace"
	"rein/tool/diagnostics"
	"rein/tool/files"
	"rein/tool/shell"
	"rein/tool/shell/verdict"
	"rein/tool/undo"
)

// idleAfter is how long a workspace stays open that no call uses.
const idleAfter = 10 * time.Minute

// An opened is a workspace whose folders are open: they are on its first call, and closed when it has
// been idle.
type opened struct {
	files   *files.Root // nil: there is no folder of files
	checks  *diagnostics.Checks
	library *library // nil: there are no notes
	tools   map[string]rein.Tool
	index   string // of a library that is not the default one

	syncing chan struct{} // holds a token; nil: the library is kept up to date by the process
	synced  bool

	uses  int
	timer *time.Timer
}

// openSet is the workspaces that are open, by the hash of their rules.
type openSet struct {
	make func(context.Context, workspace.Rules) (*opened, error)
	end  func(*opened) error
	idle time.Duration

	mu     sync.Mutex
	byRule map[string]*opened
	closed bool
}

// use opens a workspace, if it is not, until release is called.
func (s *openSet) use(ctx context.Context, r workspace.Rules) (o *opened, release func(), err error) {
	hash := r.Hash()
	s.mu.Lock()
	defer s.mu.Unlock() // who opens a folder holds up who opens another, for a moment
	if s.closed {
		return nil, nil, rein.Errorf(rein.CodeUnavailable, "this process is shutting down")
	}
	if o = s.byRule[hash]; o == nil {
		if o, err = s.make(ctx, r); err != nil {
			return nil, nil, err
		}
		s.byRule[hash] = o
	}
	if o.uses++; o.timer != nil {
		o.timer.Stop()
	}
	return o, sync.OnceFunc(func() { s.release(hash, o) }), nil
}

func (s *openSet) release(hash string, o *opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.uses--; o.uses == 0 && !s.closed {
		o.timer = time.AfterFunc(s.idle, func() { s.rest(hash, o) })
	}
}

// rest closes a workspace that nobody uses.
func (s *openSet) rest(hash string, o *opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.uses > 0 || s.byRule[hash] != o {
		return
	}
	delete(s.byRule, hash)
	_ = s.end(o) // it was only read
}

// close closes all of them.
func (s *openSet) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var err error
	for _, o := range s.byRule {
		if o.timer != nil {
			o.timer.Stop()
		}
		err = errors.Join(err, s.end(o))
	}
	clear(s.byRule)
	return err
}

// A sharedLibrary is one that several workspaces may use: an index has one user.
type sharedLibrary struct {
	*library
	uses int
}

// end closes what was opened. It is called by the set, one call at a time.
func (p *places) end(o *opened) error {
	err := errors.Join(o.files.Close(), o.checks.Close())
	if l := p.libraries[o.index]; l != nil {
		if l.uses--; l.uses == 0 {
			delete(p.libraries, o.index)
			err = errors.Join(err, l.close())
		}
	}
	return err
}

// share opens a vault, or takes the one that is open.
func (p *places) share(ctx context.Context, r workspace.Rules) (*library, string, error) {
	index := indexOf(p.place.Folder, r)
	usual := workspace.RulesOf(defaultPlace(p.settings))
	if path, err := RealPath(r.Vault); err == nil && (p.library == nil || p.library.path != path) && slices.Equal(r.Include, usual.Include) && slices.Equal(r.Exclude, usual.Exclude) {
		index = indexFolder(p.place.Folder, path) // as for --vault, always
	}
	l := p.libraries[index]
	if l == nil {
		opened, err := p.openVault(ctx, r, index)
		if err != nil {
			return nil, "", err
		}
		l = &sharedLibrary{library: opened}
		p.libraries[index] = l
	}
	l.uses++
	return l.library, index, nil
}

// indexed waits until the words of a library that was opened for a call can be searched.
func (o *opened) indexed(ctx context.Context) error {
	if o.syncing == nil {
		return nil
	}
	select {
	case o.syncing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-o.syncing }()
	if o.synced {
		return nil
	}
	err := o.library.Sync(ctx)
	o.synced = err == nil
	return err
}

// open opens the folders of a workspace. It is called by the set, one call at a time.
func (p *places) open(ctx context.Context, r workspace.Rules) (_ *opened, err error) {
	o := &opened{tools: map[string]rein.Tool{}}
	if r.Root != "" {
		if o.files, err = files.Open(r.Root); err != nil {
			return nil, err
		}
		o.files.Heed(verdict.Hazard)
	}
	o.checks = p.checks(r.Root)
	o.files.Inspect(o.checks.After)
	if o.library = p.library; r.Vault == "" {
		o.library = nil
	} else if !p.library.has(r) {
		if o.library, o.index, err = p.share(ctx, r); err != nil {
			return nil, errors.Join(err, o.files.Close())
		}
		o.syncing = make(chan struct{}, 1)
	}
	made, err := fileTools(o.files, p.changes(), p.known)
	if err == nil {
		var notes []rein.Tool
		notes, err = noteTools(o.library, p.notesLimits)
		made = append(made, notes...)
	}
	if err == nil {
		var commands []rein.Tool
		commands, err = p.commands(r.Root, p.watcher(o)).Tools()
		made = append(made, commands...)
	}
	if err == nil {
		var undoing rein.Tool
		undoing, err = undo.Tool(p.undoing(o))
		made = append(made, undoing)
	}
	if err == nil {
		var check rein.Tool
		check, err = o.checks.Tool()
		made = append(made, check)
	}
	if err != nil {
		return nil, errors.Join(err, p.end(o))
	}
	for _, t := range made {
		o.tools[t.Name] = t
	}
	return o, nil
}

// known returns what the run of a call knows of files.
func (p *places) known(ctx context.Context, inv rein.Invocation) ([]files.Known, error) {
	seen, err := past.Files(ctx, p.store, inv.Run)
	all := make([]files.Known, len(seen))
	for i, f := range seen {
		all[i] = files.Known(f)
	}
	return all, err
}

// watcher sees what commands change in a workspace; nil: it has no files.
func (p *places) watcher(o *opened) shell.Watcher {
	if o.files == nil {
		return nil
	}
	w := &undo.Watcher{Book: p.changes(), Files: o.files, Running: &p.running}
	o.files.Before(w.Before)
	return w
}

// undoing is what can be undone in a workspace.
func (p *places) undoing(o *opened) undo.Sources {
	s := undo.Sources{Book: p.changes(), Files: o.files}
	if o.files != nil {
		s.Finish = (&undo.Watcher{Book: p.changes(), Files: o.files, Running: &p.running}).Finish
	}
	if o.library != nil {
		s.Desk = o.library.desk
	}
	return s
}

// placed makes a tool work in the workspace of the run that calls it.
func (p *places) placed(t rein.Tool) rein.Tool {
	if !slices.Contains(slices.Concat(FileTools(), NoteTools(), CommandTools(), undoTools), t.Name) {
		return t
	}
	name := t.Name
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		there, release, err := p.tool(ctx, inv, name)
		if err != nil {
			return rein.Done{}, err
		}
		defer release()
		return there.Do(ctx, inv)
	}
	if t.Show != nil {
		t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
			there, release, err := p.tool(ctx, inv, name)
			if err != nil {
				return rein.Shown{}, err
			}
			defer release()
			return there.Show(ctx, inv)
		}
	}
	if t.Check != nil {
		t.Check = func(ctx context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
			there, release, err := p.tool(ctx, inv, name)
			if err != nil {
				return rein.CheckUnknown, rein.Done{}, nil
			}
			defer release()
			return there.Check(ctx, inv)
		}
	}
	return t
}

// tool returns the tool of a call's workspace.
func (p *places) tool(ctx context.Context, inv rein.Invocation, name string) (rein.Tool, func(), error) {
	if inv.Task == nil {
		return rein.Tool{}, nil, rein.Errorf(rein.CodeForbidden, "the call belongs to no run")
	}
	w, err := p.find(ctx, inv.Task.Workspace)
	if err != nil {
		return rein.Tool{}, nil, err
	}
	if inv.Task.Rules == "" && w.Root == "" && w.Name == workspace.Default {
		w.Root = p.elsewhere
	}
	rules, err := p.bound(ctx, inv.Task, w)
	if err != nil {
		return rein.Tool{}, nil, err
	}
	o, release, err := p.set.use(context.WithoutCancel(ctx), rules)
	if err != nil {
		return rein.Tool{}, nil, err
	}
	if slices.Contains(NoteTools(), name) {
		if err := o.indexed(ctx); err != nil {
			release()
			return rein.Tool{}, nil, err
		}
	}
	return o.tools[name], release, nil
}

// bound returns the rules that folders are opened by for a run: those of now, without what the run could
// not see when it started. What else differs is for reach to refuse.
func (p *places) bound(ctx context.Context, task *rein.Task, w rein.Workspace) (workspace.Rules, error) {
	tight, _ := p.folder(w)
	rules := p.rulesOf(w, tight)
	if task.Rules == "" {
		return rules, nil
	}
	frozen, err := p.began(ctx, task)
	if frozen.Vault == rules.Vault {
		rules.Exclude = slices.Concat(rules.Exclude, frozen.Exclude)
		slices.Sort(rules.Exclude)
		rules.Exclude = slices.Compact(rules.Exclude)
	}
	return rules, err
}

// missing counts the passages without vectors of the vaults that are open.
func (o *owner) missing() (n int) {
	if o.library != nil {
		n = o.library.Status().Missing
	}
	o.set.mu.Lock()
	defer o.set.mu.Unlock()
	for _, l := range o.places.libraries {
		n += l.Status().Missing
	}
	return n
}
