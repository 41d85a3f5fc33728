package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/app/texts"
	"rein/household/trust"
	"rein/internal/skill"
	"rein/internal/units"
	"rein/server"
	"rein/tool/mcp"
	"rein/tool/shell/verdict"
)

// folders know what the folders of workspaces bring, and what people decided about it.
type folders struct {
	*places
	book trust.Book
}

var _ server.Folders = folders{}

func (o *owner) folders() folders {
	return folders{o.places, trust.Book{Tables: o.store, Note: o.people.NoteFolder}}
}

// A bringing is what a folder brings, and what somebody decided about exactly that.
type bringing struct {
	*texts.Folder
	root    string // of the workspace, links followed
	hash    string
	state   api.TrustState
	decided trust.Decision // that holds, or that something else was trusted by
	changed []string
	servers []mcp.Server
}

// isTrusted reports whether what the folder brings can be used.
func (b bringing) isTrusted() bool { return b.state == api.TrustTrusted }

// look reads what a folder brings. taken are the names of skills that there are already.
func (f folders) look(ctx context.Context, w rein.Workspace, folder string, taken []string) (b bringing, err error) {
	b = bringing{Folder: &texts.Folder{}, state: api.TrustNothing}
	if w.Root == "" {
		return b, nil
	}
	if b.root, err = RealPath(w.Root); err != nil {
		return b, nil // there is no such folder any more
	}
	b.Folder = texts.Read(texts.Place{Root: b.root, Folder: folder, Shows: f.shows(w, b.root), Taken: slices.Concat(taken, f.setup.Tools(), toolFamilies(f.setup.Tools()))})
	if b.hash = b.Hash(); b.hash == "" {
		return b, nil
	}
	var problems []string
	b.servers, problems = serversOf(b.Servers, w.Household, placeOf(&rein.Task{Workspace: w.Name, Folder: folder}), b.root)
	b.Problems = append(b.Problems, problems...)
	known, err := f.book.Of(ctx, w.Household, b.root)
	b.judge(known)
	return b, err
}

// judge finds out what was decided.
func (b *bringing) judge(known []trust.Decision) {
	b.state = api.TrustUntrusted
	for _, d := range known {
		switch {
		case d.Hash == b.hash && d.Holds():
			b.state, b.decided, b.changed = api.TrustTrusted, d, nil
			return
		case d.Hash == b.hash && d.Declined && d.Revoked.IsZero():
			b.state, b.decided, b.changed = api.TrustDeclined, d, nil
		case d.Holds() && b.state != api.TrustDeclined:
			b.state, b.decided, b.changed = api.TrustChanged, d, d.Changes(b.files())
		}
	}
}

// files are what a decision remembers of the folder.
func (b *bringing) files() (all []trust.File) {
	for _, f := range b.Files {
		all = append(all, trust.File{Path: f.Path, Kind: f.Kind, Sum: f.Sum, Exec: f.Exec})
	}
	return all
}

// shows says why a file is not shown to those who work in the workspace, or holds keys.
func (f folders) shows(w rein.Workspace, root string) func(string) error {
	tight, _ := f.folder(w)
	reach := f.policy(&rein.Task{Household: w.Household}, f.rulesOf(w, tight))
	return func(path string) error {
		if err := reach.Path(path); err != nil {
			return err
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if why := verdict.Hazard(filepath.ToSlash(inside), false); why != "" {
			return rein.Errorf(rein.CodeForbidden, "%s", why)
		}
		return nil
	}
}

// toolFamilies are what names of tools begin with, before a dot.
func toolFamilies(names []string) (families []string) {
	for _, name := range names {
		if family, _, ok := strings.Cut(name, "."); ok {
			families = append(families, family)
		}
	}
	return families
}

// words say what a folder brings, in short.
func (b bringing) words() string {
	counts := map[string]int64{}
	var list []string
	for _, f := range b.Files {
		if f.Kind == texts.KindInstructions {
			list = append(list, f.Path)
		}
		counts[f.Kind]++
	}
	for _, c := range []struct {
		n    int64
		noun string
	}{
		{counts[texts.KindRule], "rule"},
		{int64(len(b.Skills)), "skill"},
		{counts[texts.KindProgram], "program"},
		{int64(len(b.Commands)), "command"},
		{int64(len(b.Servers)), "MCP server"},
	} {
		if c.n > 0 {
			list = append(list, units.Count(c.n, c.noun))
		}
	}
	if len(list) == 0 {
		return "files for agents"
	}
	return strings.Join(list, ", ")
}

// notice says what the run does not use, for the people who see it.
func (b bringing) notice(w rein.Workspace) string {
	const way = "; `rein trust` in that folder shows it and asks"
	switch b.state {
	case api.TrustChanged:
		changed := b.changed
		if len(changed) > maxChanged {
			changed = append(slices.Clone(changed[:maxChanged]), fmt.Sprintf("%d more", len(changed)-maxChanged))
		}
		return fmt.Sprintf("what the folder of workspace %q brings has changed since it was trusted (%s), so none of it is used%s", w.Name, strings.Join(changed, ", "), way)
	case api.TrustUntrusted:
		return fmt.Sprintf("the folder of workspace %q brings %s, and nobody has trusted it, so none of it is used%s", w.Name, b.words(), way)
	case api.TrustDeclined:
		return fmt.Sprintf("the folder of workspace %q brings %s, and %s declined to trust it, so none of it is used", w.Name, b.words(), b.decided.By)
	}
	return ""
}

const maxChanged = 10

// Trust implements server.Folders.
func (f folders) Trust(ctx context.Context, who rein.Identity, name, folder string) (api.Trust, error) {
	w, b, err := f.at(ctx, who, name, folder)
	if err != nil {
		return api.Trust{}, err
	}
	return f.told(who, w, b, folder), nil
}

// at looks at a workspace for somebody who may name it.
func (f folders) at(ctx context.Context, who rein.Identity, name, folder string) (w rein.Workspace, b bringing, err error) {
	if folder != "" && !filepath.IsLocal(filepath.FromSlash(folder)) {
		return w, b, rein.Errorf(rein.CodeInvalid, "folder %.200q must be a path inside the workspace, with slashes", folder)
	}
	if err := f.MayName(ctx, who, name); err != nil {
		return w, b, err
	}
	if w, err = f.find(ctx, name); err != nil {
		return w, b, err
	}
	own, err := f.ownTexts()
	if err != nil {
		return w, b, err
	}
	b, err = f.look(ctx, w, folder, skillNames(own.Skills))
	return w, b, err
}

// told is a bringing as the API tells it. What stands in the files is for admins.
func (f folders) told(who rein.Identity, w rein.Workspace, b bringing, folder string) api.Trust {
	told := api.Trust{
		Workspace: w.Name, Folder: folder, State: b.state, Hash: b.hash, Files: []api.BroughtFile{},
		Changed: b.changed, Problems: b.Problems, By: b.decided.By, At: b.decided.At,
	}
	for _, file := range b.Files {
		one := api.BroughtFile{Path: file.Path, Kind: file.Kind, Sum: file.Sum, Size: file.Size}
		if isLocal(who) || who.Operates() {
			one.Head = f.masked(file.Head())
		}
		told.Files = append(told.Files, one)
	}
	return told
}

// Decide implements server.Folders.
func (f folders) Decide(ctx context.Context, who rein.Identity, name string, d api.NewTrust) (api.Trust, error) {
	if err := mayDecide(who); err != nil {
		return api.Trust{}, err
	}
	w, b, err := f.at(ctx, who, name, d.Folder)
	switch {
	case err != nil:
		return api.Trust{}, err
	case b.hash == "":
		return api.Trust{}, rein.Errorf(rein.CodeInvalid, "the folder of workspace %q brings nothing that could be trusted", w.Name)
	case d.Hash != b.hash:
		return api.Trust{}, rein.Errorf(rein.CodeConflict, "what the folder brings has the hash %s, not %.80q: it is not what you saw, so nothing was decided; look at it again", b.hash, d.Hash)
	}
	_, err = f.book.Decide(ctx, who, trust.Decision{Root: b.root, Folder: d.Folder, Hash: b.hash, Files: b.files(), Declined: d.Decline})
	if err != nil {
		return api.Trust{}, err
	}
	return f.Trust(ctx, who, name, d.Folder)
}

// mayDecide lets those decide who could run the folder's programs by hand: on the machine itself.
func mayDecide(who rein.Identity) error {
	if !isLocal(who) || !who.May(rein.ScopeAdmin) {
		return rein.Errorf(rein.CodeForbidden, "folders are trusted on the machine itself, with rein trust; over the network trust can only be read")
	}
	return nil
}

// Trusted implements server.Folders.
func (f folders) Trusted(ctx context.Context, who rein.Identity) (list []api.TrustedFolder, err error) {
	if !isLocal(who) && !who.Operates() {
		return nil, rein.Errorf(rein.CodeForbidden, "this names folders of the machine: only admins of the household that owns the server may see it")
	}
	all, err := f.book.List(ctx, who.Household)
	for _, d := range all {
		list = append(list, trustedFolder(d))
	}
	return list, err
}

func trustedFolder(d trust.Decision) api.TrustedFolder {
	return api.TrustedFolder{ID: d.ID, Root: d.Root, Folder: d.Folder, Hash: d.Hash, Files: len(d.Files), By: d.By, At: d.At}
}

// Revoke implements server.Folders.
func (f folders) Revoke(ctx context.Context, who rein.Identity, id string) (api.TrustedFolder, error) {
	if err := mayDecide(who); err != nil {
		return api.TrustedFolder{}, err
	}
	d, err := f.book.Revoke(ctx, who, id)
	if err == nil {
		err = f.peers.revisit(ctx)
	}
	return trustedFolder(d), err
}

// Commands implements server.Folders. The user's own come first; of two with one name the user's counts.
func (f folders) Commands(ctx context.Context, who rein.Identity, name, folder string) ([]api.SlashCommand, error) {
	_, b, err := f.at(ctx, who, name, folder)
	if err != nil {
		return nil, err
	}
	own, err := f.ownTexts()
	if err != nil {
		return nil, err
	}
	var list []api.SlashCommand
	for _, c := range slices.Concat(own.Commands, b.Commands) {
		if slices.ContainsFunc(list, func(other api.SlashCommand) bool { return other.Name == c.Name }) {
			continue
		}
		one := api.SlashCommand{Name: c.Name, About: c.About, Hint: c.Hint, From: c.From, Text: c.Text}
		if c.From == skill.FromWorkspace && !b.isTrusted() {
			one = api.SlashCommand{Name: c.Name, From: c.From, Inert: true}
		}
		list = append(list, one)
	}
	return list, nil
}
