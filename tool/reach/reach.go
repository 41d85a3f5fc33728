// Package reach decides which files a run may touch. The tools for files, notes and sessions all
// ask this one policy, whichever folder led to a path. It resolves where a path leads, and treats
// two spellings of one folder as the same.
package reach

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rein"
)

// Options say what there is to reach.
type Options struct {
	// Household is the one that the folders below belong to. Runs of others reach none of them.
	Household string
	Root      string   // the folder of the file tools; empty: there is none
	Vault     string   // the folder of notes; empty: there is none
	Include   []string // folders of the vault; none means all
	Exclude   []string // folders of the vault; these win
	// Others are the vaults of others: what their rules do not show is hidden here too, wherever it lies.
	Others []Vault
	// Hidden are files and folders that nobody sees, wherever they lie: the data folder.
	Hidden []string
}

// A Vault is a folder of notes with its rules.
type Vault struct {
	Path             string
	Include, Exclude []string
}

// A Policy is safe for use by many at once. It holds no files open.
type Policy struct {
	household   string
	root, vault string
	filter      Filter
	hidden      []string
	excluded    []string // where the excluded folders are
	others      []other
}

// An other is a vault that the policy does not grant, but whose rules it keeps.
type other struct {
	vault  string
	filter Filter
}

// New makes a policy. The folders need not exist.
func New(o Options) (*Policy, error) {
	filter, err := NewFilter(o.Include, o.Exclude)
	if err != nil {
		return nil, err
	}
	p := &Policy{household: o.Household, filter: filter}
	for _, folder := range []struct {
		from string
		to   *string
	}{{o.Root, &p.root}, {o.Vault, &p.vault}} {
		if *folder.to, err = real(folder.from); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Hidden {
		hidden, err := real(name)
		if err != nil {
			return nil, err
		}
		p.hidden = append(p.hidden, hidden)
	}
	if p.vault != "" {
		for _, name := range o.Exclude {
			p.excluded = append(p.excluded, filepath.Join(p.vault, filepath.FromSlash(name)))
		}
	}
	for _, v := range o.Others {
		if err := p.heed(v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// heed keeps the rules of another vault.
func (p *Policy) heed(v Vault) error {
	filter, err := NewFilter(v.Include, v.Exclude)
	if err != nil {
		return err
	}
	at, err := real(v.Path)
	if err != nil || at == "" {
		return err
	}
	p.others = append(p.others, other{at, filter})
	for _, name := range v.Exclude {
		p.excluded = append(p.excluded, filepath.Join(at, filepath.FromSlash(name)))
	}
	return nil
}

// real is where a folder really is; empty stays empty.
func real(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", rein.Errorf(rein.CodeInvalid, "folder %q: %w", name, err)
	}
	return Resolve(abs)
}

// For is the policy as it holds for a run with this task.
func (p *Policy) For(task *rein.Task) rein.Reach {
	var none rein.Task
	return bound{p, *cmp.Or(task, &none)}
}

// bound is a policy for one run.
type bound struct {
	*Policy
	task rein.Task
}

var _ rein.Reach = bound{}

// Session lets a run use the files of its own session.
func (b bound) Session(household, user, session string) error {
	if household == "" || b.task.Household != household || b.task.User != user || b.task.Session != session {
		return rein.Errorf(rein.CodeNotFound, "this run has no files of another session")
	}
	return nil
}

// Path implements rein.Reach.
func (b bound) Path(path string) error {
	if b.household != b.task.Household {
		return rein.Errorf(rein.CodeForbidden, "there are no files of your household here")
	}
	if !filepath.IsAbs(path) {
		return rein.Errorf(rein.CodeInvalid, "path %.200q is not absolute", path)
	}
	path, err := Resolve(path)
	if err != nil {
		return err
	}
	return b.judge(lineage(path))
}

// judge says whether the first of a line of folders may be touched.
func (p *Policy) judge(line []ancestor) error {
	for _, secret := range slices.Concat(p.hidden, p.excluded) {
		if _, ok := below(line, secret); ok {
			return hidden()
		}
	}
	for _, o := range p.others {
		if name, ok := below(line, o.vault); ok && name != "." && !o.filter.Shows(filepath.ToSlash(name)) {
			return hidden()
		}
	}
	if name, ok := below(line, p.vault); ok {
		if name != "." && !p.filter.Shows(filepath.ToSlash(name)) {
			return hidden()
		}
		return nil
	}
	if _, ok := below(line, p.root); ok {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "it is outside of the allowed folder")
}

func hidden() error { return rein.Errorf(rein.CodeNotFound, "it does not exist, or is not shown here") }

// An ancestor is a path or a folder that it lies in.
type ancestor struct {
	path string
	info fs.FileInfo // nil: it does not exist
}

// lineage lists a path and all folders above it.
func lineage(path string) []ancestor {
	var line []ancestor
	for {
		info, err := os.Lstat(path)
		if err != nil {
			info = nil
		}
		line = append(line, ancestor{path, info})
		above := filepath.Dir(path)
		if above == path {
			return line
		}
		path = above
	}
}

// below returns the name of the first of a line as seen from the folder, if it lies in it. Folders
// are compared by what they are, not by how they are spelled: a file system may take many spellings
// for one, and a folder can be mounted twice.
func below(line []ancestor, folder string) (name string, ok bool) {
	if folder == "" {
		return "", false
	}
	info, err := os.Lstat(folder)
	for _, a := range line {
		if a.path == folder || err == nil && a.info != nil && os.SameFile(a.info, info) {
			name, err := filepath.Rel(a.path, line[0].path)
			return name, err == nil
		}
	}
	return "", false
}
