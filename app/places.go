package app

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/app/config"
	"rein/household/workspace"
	"rein/store"
	"rein/tool/reach"
	"rein/tool/undo"
	"rein/vault/stage"
)

// places finds the workspaces of runs, and says what each may see.
type places struct {
	*owner
	book workspace.Book
	// elsewhere is the folder of runs from before there were workspaces, where the settings name none: the
	// one that the command was typed in.
	elsewhere string

	mu      sync.Mutex
	folders map[string]folderSettings  // by the file
	frozen  map[string]workspace.Rules // by their hash; they never change

	running undo.Running // commands

	libraries map[string]*sharedLibrary // that are open beside the default one, by their index; of the set
	locks     map[string]stage.Lock     // of the vaults, by their path: one may be open under several rules
}

// lockOf returns the lock of a vault.
func (p *places) lockOf(vault string) stage.Lock {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.locks == nil {
		p.locks = map[string]stage.Lock{}
	}
	if p.locks[vault] == nil {
		p.locks[vault] = stage.NewLock()
	}
	return p.locks[vault]
}

// A folderSettings is the rein.toml of a folder as it was last read.
type folderSettings struct {
	seen  fileState
	tight config.Tightening // the newest that was right
	wrong error
}

// defaultPlace is what the settings say outside of [workspaces].
func defaultPlace(settings *config.Config) rein.Workspace {
	return rein.Workspace{
		Name: workspace.Default, Household: rein.Host().Household, Root: settings.Tools.Root, Vault: settings.Notes.Vault,
		Include: settings.Notes.Include, Exclude: settings.Notes.Exclude, Shared: true, Origin: rein.OriginSettings,
	}
}

// configured is a workspace of the settings.
func configured(settings *config.Config, name string) (rein.Workspace, bool) {
	w, ok := settings.Workspaces[name]
	if w.Household == "" {
		w.Household = rein.Host().Household
	}
	return rein.Workspace{
		Name: name, Household: w.Household, Root: w.Root, Vault: w.Vault, Include: w.Include, Exclude: w.Exclude, Ask: w.Ask, Deny: w.Deny,
		Shared: true, Origin: rein.OriginSettings,
	}, ok
}

// find returns a workspace as it is now.
func (p *places) find(ctx context.Context, name string) (rein.Workspace, error) {
	settings, _ := p.live.now()
	if name == "" || name == workspace.Default {
		return defaultPlace(settings), nil
	}
	if w, ok := configured(settings, name); ok {
		return w, nil
	}
	w, ok, err := p.book.Find(ctx, name)
	if err == nil && !ok {
		err = rein.Errorf(rein.CodeNotFound, "there is no workspace %.80q: [workspaces] in rein.toml, or rein workspace add, makes one", name)
	}
	if w.Origin == rein.OriginFolder { // it has the person's own rules
		w.Vault, w.Include, w.Exclude = cmp.Or(w.Vault, settings.Notes.Vault), settings.Notes.Include, settings.Notes.Exclude
	}
	return w, err
}

// all lists the workspaces that there are.
func (p *places) all(ctx context.Context) ([]rein.Workspace, error) {
	settings, _ := p.live.now()
	list := []rein.Workspace{defaultPlace(settings)}
	for _, name := range slices.Sorted(maps.Keys(settings.Workspaces)) {
		w, _ := configured(settings, name)
		list = append(list, w)
	}
	added, err := p.book.List(ctx)
	for _, w := range added {
		if _, taken := settings.Workspaces[w.Name]; !taken {
			list = append(list, w)
		}
	}
	return list, err
}

// of returns the workspace of a run that is about to start: the one that it names, that of its session,
// or the default.
func (p *places) of(ctx context.Context, task rein.Task) (rein.Workspace, error) {
	before, known, err := p.ofSession(ctx, task)
	if err != nil {
		return rein.Workspace{}, err
	}
	name := task.Workspace
	switch {
	case known && name != "" && name != before:
		return rein.Workspace{}, rein.Errorf(rein.CodeConflict, "session %.100q works in workspace %q, not in %q: start another session there", sessionOf(task), before, name)
	case known:
		name = before
	}
	w, err := p.find(ctx, name)
	if err == nil && w.Household != task.Household && w.Name != workspace.Default {
		err = rein.Errorf(rein.CodeNotFound, "there is no workspace %.80q", name)
	}
	return w, err
}

// sessionOf is the session that a task goes on with: a branch goes on with the one that it leaves.
func sessionOf(task rein.Task) string {
	if task.Branch != nil {
		return task.Branch.Session
	}
	return task.Session
}

// ofSession returns the workspace of the newest run of the task's session, if that has one.
func (p *places) ofSession(ctx context.Context, task rein.Task) (name string, known bool, err error) {
	session := sessionOf(task)
	if session == "" {
		return "", false, nil
	}
	for info, err := range p.store.Runs(ctx, store.Filter{Household: task.Household, User: task.User, Session: session, Roots: true, Newest: true}) {
		if err != nil {
			return "", false, err
		}
		for e, err := range p.store.Events(ctx, info.ID, 0) {
			var start rein.RunStart
			if err == nil && !e.Erased {
				start, err = rein.Payload[rein.RunStart](e)
			}
			return start.Task.Workspace, start.Task.Workspace != "", err
		}
		break
	}
	return "", false, nil
}

// folderFile is where a folder keeps settings of its own.
const folderFile = "rein.toml"

// folder returns what the settings in the folder of a workspace make stricter. An edit that is wrong
// keeps those before it, and is the error.
func (p *places) folder(w rein.Workspace) (config.Tightening, error) {
	if w.Root == "" {
		return config.Tightening{}, nil
	}
	file := filepath.Join(w.Root, folderFile)
	if own, err := os.Stat(p.live.began.Path); err == nil {
		if found, err := os.Stat(file); err == nil && os.SameFile(own, found) {
			return config.Tightening{}, nil // they are the person's own
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.folders[file]
	seen, changed := look(file, f.seen)
	if f.seen = seen; changed {
		tight, err := config.LoadFolder(file, p.setup.known())
		if f.wrong = err; err == nil {
			f.tight = tight
		}
	}
	p.folders[file] = f
	return f.tight, f.wrong
}

// rulesOf are the rules of a workspace, with what its folder adds.
func (p *places) rulesOf(w rein.Workspace, tight config.Tightening) workspace.Rules {
	w.Exclude = slices.Concat(w.Exclude, tight.Exclude)
	return workspace.RulesOf(w)
}

// reach is what a call of a run may touch: what its rules allowed when it started, and do now.
func (p *places) reach(task *rein.Task) rein.Reach {
	ctx := context.Background()
	if task == nil {
		return reach.None(task, rein.Errorf(rein.CodeForbidden, "the call belongs to no run"))
	}
	w, err := p.find(ctx, task.Workspace)
	if err != nil {
		return reach.None(task, err)
	}
	if task.Rules == "" && w.Root == "" && w.Name == workspace.Default {
		w.Root = p.elsewhere
	}
	tight, _ := p.folder(w) // the newest that was right
	present := p.policy(task, p.rulesOf(w, tight))
	if task.Rules == "" {
		return present
	}
	frozen, err := p.began(ctx, task)
	if err != nil {
		return reach.None(task, err)
	}
	return reach.Both(p.policy(task, frozen), present)
}

// began returns the rules that a run was started under.
func (p *places) began(ctx context.Context, task *rein.Task) (workspace.Rules, error) {
	p.mu.Lock()
	rules, known := p.frozen[task.Rules]
	p.mu.Unlock()
	if known {
		return rules, nil
	}
	rules, known, err := p.book.Rules(ctx, task.Rules)
	if err == nil && !known {
		err = rein.Errorf(rein.CodeForbidden, "the rules that the run started under are gone, so it may not use files")
	}
	if err != nil {
		return rules, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.frozen) >= maxFrozen {
		clear(p.frozen)
	}
	p.frozen[task.Rules] = rules
	return rules, nil
}

// maxFrozen is how many rules are kept in memory.
const maxFrozen = 1000

// policy makes the policy of rules. Nobody sees the data, nor what the rules of any vault leave out.
func (p *places) policy(task *rein.Task, r workspace.Rules) rein.Reach {
	settings, _ := p.live.now()
	others := []reach.Vault{{Path: settings.Notes.Vault, Include: settings.Notes.Include, Exclude: settings.Notes.Exclude}}
	for _, w := range settings.Workspaces {
		others = append(others, reach.Vault{Path: w.Vault, Include: w.Include, Exclude: w.Exclude})
	}
	made, err := reach.New(reach.Options{
		Household: r.Household, Root: r.Root, Vault: r.Vault, Include: r.Include, Exclude: r.Exclude,
		Others: others, Hidden: append(own(settings), p.place.Folder),
	})
	if err != nil {
		return reach.None(task, err)
	}
	return made.For(task)
}

// own are the files of the person that say what rein does: the settings, and the texts and scripts that they name. Where
// they lie in a workspace, no run sees or writes them, and no sandbox shows them: an edit of them holds at once.
func own(settings *config.Config) []string {
	var files []string
	for _, file := range []string{settings.Path, settings.File} {
		if file != "" {
			files = append(files, file)
		}
	}
	if settings.Texts != "" {
		for _, name := range []string{"SOUL.md", "prompts", "rules", "skills", "commands"} {
			files = append(files, filepath.Join(settings.Texts, name))
		}
	}
	for _, m := range settings.Models {
		if m.File != "" {
			files = append(files, m.File)
		}
	}
	return files
}

// rules is the policy for tools that holds now for a run: of the settings, its workspace and its folder.
// What the settings allowed when it started and do not allow any more is asked for.
func (p *places) rules(task *rein.Task) rein.Policy {
	settings, _ := p.live.now()
	policy := settings.Tools.Policy
	w, err := p.find(context.Background(), task.Workspace)
	if err != nil {
		return policy // its files are refused, by reach
	}
	tight, _ := p.folder(w)
	policy = policy.Stricter(rein.Policy{Ask: w.Ask, Deny: w.Deny}).Stricter(rein.Policy{Ask: tight.Ask, Deny: tight.Deny})
	if task.Rules == "" {
		return policy
	}
	frozen, err := p.began(context.Background(), task)
	if err != nil {
		return policy
	}
	gone := slices.DeleteFunc(slices.Clone(frozen.Allow), func(name string) bool { return slices.Contains(settings.Tools.Policy.Allow, name) })
	return policy.Stricter(rein.Policy{Ask: gone})
}

// settle puts a task into its workspace: its name, the hash of its rules, and what the folder adds.
func (p *places) settle(ctx context.Context, task rein.Task, w rein.Workspace, tight config.Tightening, allow []string) (rein.Task, error) {
	rules := p.rulesOf(w, tight)
	rules.Allow = allow
	var err error
	if task.Rules, err = p.book.Keep(ctx, rules); err != nil {
		return task, err
	}
	task.Workspace = w.Name
	if task.Budget != nil {
		within := tight.Within(*task.Budget)
		task.Budget = &within
	}
	return task, nil
}

// inside is the settings as a run of the workspace sees them.
func inside(settings *config.Config, w rein.Workspace) *config.Config {
	seen := *settings
	seen.Tools.Root, seen.Notes.Vault, seen.Notes.Include, seen.Notes.Exclude = w.Root, w.Vault, w.Include, w.Exclude
	seen.Tools.Policy = settings.Tools.Policy.Stricter(rein.Policy{Ask: w.Ask, Deny: w.Deny})
	return &seen
}

// isLocal reports whether somebody asks from this machine, by the socket that only the owner of the data
// can connect to.
func isLocal(who rein.Identity) bool { return who.Via == rein.Host().Via && who.Via != "" }

// MayName says whether somebody may name a workspace. Over the network it must have been given to their
// household; on this machine there is nothing to hide.
func (p *places) MayName(ctx context.Context, who rein.Identity, name string) error {
	w, err := p.find(ctx, name)
	if rein.CodeOf(err) != rein.CodeNotFound && err != nil {
		return err
	}
	if err != nil || !isLocal(who) && (!w.Shared || w.Household != who.Household) || w.Household != who.Household && w.Name != workspace.Default {
		return rein.Errorf(rein.CodeNotFound, "there is no workspace %.80q for you: leave it out, or name one that %s lists", name, lister(who))
	}
	return nil
}

// lister is what somebody asks for the workspaces that they may name.
func lister(who rein.Identity) string {
	if isLocal(who) {
		return "`rein workspace list`"
	}
	return "GET /v1/workspaces"
}

// List returns the workspaces that somebody may name. Where they are is for this machine and admins.
func (p *places) List(ctx context.Context, who rein.Identity) ([]rein.Workspace, error) {
	all, err := p.all(ctx)
	list := []rein.Workspace{}
	for _, w := range all {
		if w.Household != who.Household || !isLocal(who) && !w.Shared {
			continue
		}
		if !isLocal(who) && !who.May(rein.ScopeAdmin) {
			w = rein.Workspace{Name: w.Name, Household: w.Household, Shared: w.Shared, Origin: w.Origin}
		}
		list = append(list, w)
	}
	return list, err
}

// Add keeps a workspace that an admin, or a command on this machine, wants to have.
func (p *places) Add(ctx context.Context, who rein.Identity, w rein.Workspace, force bool) (rein.Workspace, error) {
	w.Household, w.By, w.Origin = who.Household, who.User, rein.OriginAdded
	for _, path := range []*string{&w.Root, &w.Vault} {
		if *path == "" {
			continue
		}
		if !filepath.IsAbs(*path) {
			return w, rein.Errorf(rein.CodeInvalid, "%.200q is not an absolute path: name the folder from / on", *path)
		}
		real, err := RealPath(*path)
		if err != nil {
			return w, rein.Errorf(rein.CodeInvalid, "there is no folder %.200q: make it, or name another", *path)
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() {
			return w, rein.Errorf(rein.CodeInvalid, "%.200q is not a folder", *path)
		}
		*path = real
	}
	if w.Name == "" {
		if !isLocal(who) {
			return w, rein.Errorf(rein.CodeInvalid, "the workspace needs a name")
		}
		w.Name, w.Origin = workspace.NameOf(w.Root, w.Vault), rein.OriginFolder
	}
	if err := p.fits(w, isLocal(who) && force); err != nil {
		return w, err
	}
	settings, _ := p.live.now()
	if _, taken := settings.Workspaces[w.Name]; taken {
		return w, rein.Errorf(rein.CodeConflict, "the settings have a workspace %q: choose another name", w.Name)
	}
	for _, name := range slices.Concat(w.Ask, w.Deny) {
		if !slices.Contains(p.setup.Tools(), name) {
			return w, rein.Errorf(rein.CodeInvalid, "there is no tool %.80q; available: %s", name, strings.Join(p.setup.Tools(), ", "))
		}
	}
	if _, err := reach.NewFilter(w.Include, w.Exclude); err != nil {
		return w, err
	}
	return p.book.Add(ctx, w)
}

// fits refuses folders that hold everything, and the data.
func (p *places) fits(w rein.Workspace, force bool) error {
	for what, path := range map[string]string{"root": w.Root, "vault": w.Vault} {
		if path == "" {
			continue
		}
		if reach.Holds(p.place.Folder, path) {
			return rein.Errorf(rein.CodeInvalid, "%s %s is inside the data folder: choose another folder", what, path)
		}
		if broad := reach.Broad(path, reach.Around{Homes: []string{p.home}, Data: p.place.Folder}); what == "root" && broad != "" && !force {
			return rein.Errorf(rein.CodeInvalid, "root %s is %s: choose a folder inside it", path, broad)
		}
	}
	return nil
}

// Remove forgets a workspace that was added.
func (p *places) Remove(ctx context.Context, who rein.Identity, name string) error {
	w, ok, err := p.book.Find(ctx, name)
	if err == nil && (!ok || w.Household != who.Household) {
		err = rein.Errorf(rein.CodeNotFound, "there is no workspace %.80q that was added", name)
	}
	if err != nil {
		return err
	}
	return p.book.Remove(ctx, name)
}
