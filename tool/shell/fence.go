package shell

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// Git takes programs to run from files of several names in a repository, also from some that are not there yet. So all of
// every repository is read-only for a command that nobody approved, and so is every file of the workspace that a program runs
// or obeys later. What remains: a command can make a new repository, or a file of such a name, in a place where there was
// none, and put a file in the place of a link. Nothing but a file system in between could prevent that, so the result names it
// (see obeyedIn), and rein's own git commands look at the settings of whatever repository they are in (package verdict).

const (
	maxLooked = 200_000 // files and folders that are looked at to find what is kept
	maxFences = 800     // mounts that it takes
)

// A fence is what a command that nobody approved does not get of a workspace.
type fence struct {
	readOnly []string // each .git, where it leads, and files that run or are obeyed later
	held     []string // the folders around them: nobody can move them away and put others there
	hidden   []string // sockets: behind them are programs outside the box

	obeyed map[string]string // as obeyedIn returns it
}

// newFence looks at the whole workspace, which takes time.
func newFence(root string) (fence, error) {
	f := fence{obeyed: map[string]string{}}
	err := walk(root, func(path, inside string, d fs.DirEntry) error {
		isObeyed := note(f.obeyed, path, inside, d)
		return f.add(root, path, d, isObeyed)
	}, func(path string) error { return f.shut(root, path) })
	if err != nil {
		return fence{}, err
	}
	slices.Sort(f.held)
	f.held = slices.Compact(f.held)
	if len(f.readOnly)+len(f.held)+len(f.hidden) > maxFences {
		return fence{}, rein.Errorf(rein.CodeForbidden, "the command did not run: the workspace has too many repositories, or files that programs run, to protect each one. Approve the command")
	}
	return f, nil
}

// walk visits everything in a workspace, and what of it cannot be read. A visit can return fs.SkipDir.
func walk(root string, visit func(path, inside string, d fs.DirEntry) error, shut func(path string) error) error {
	looked := 0
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if looked++; looked > maxLooked {
			return rein.Errorf(rein.CodeForbidden, "the command did not run: the workspace has more than %d files, too many to find what must not change in it. Approve the command", maxLooked)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case errors.Is(err, fs.ErrPermission) && d != nil && d.IsDir() && path != root:
			if err := shut(path); err != nil {
				return err
			}
			return fs.SkipDir
		case err != nil || path == root:
			return err
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(path, inside, d)
	})
}

// note takes down a file or folder that runs or is obeyed later, and where it leads if it is a link. A folder with the parts of
// a repository is one, too, for older versions of git.
func note(all map[string]string, path, inside string, d fs.DirEntry) (isObeyed bool) {
	isObeyed = d.Name() == ".git" || verdict.Obeyed(filepath.ToSlash(inside)) && !isInstalled(inside)
	switch {
	case isObeyed && d.Type()&fs.ModeSymlink != 0:
		all[inside], _ = os.Readlink(path) // one that is gone leads nowhere
	case isObeyed:
		all[inside] = ""
	case d.Name() == "objects" && isThere(filepath.Dir(path)+"/HEAD") && isThere(filepath.Dir(path)+"/refs"):
		all[filepath.Dir(inside)] = ""
	}
	return isObeyed
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// obeyedIn lists what of a workspace runs or is obeyed later, with where links lead.
func obeyedIn(root string) (map[string]string, error) {
	all := map[string]string{}
	err := walk(root, func(path, inside string, d fs.DirEntry) error {
		if note(all, path, inside, d) && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}, func(string) error { return nil })
	return all, err
}

// shut keeps a folder as it is that cannot be read: a command could open it, and what it holds would not be fenced.
func (f *fence) shut(root, path string) error {
	held, err := around(root, filepath.Dir(path))
	f.readOnly, f.held = append(f.readOnly, path), append(f.held, held...)
	return err
}

// add looks at one file or folder.
func (f *fence) add(root, path string, d fs.DirEntry, isObeyed bool) (err error) {
	all := []string{path}
	switch {
	case d.Type()&fs.ModeSocket != 0:
		f.hidden = append(f.hidden, path)
		return nil
	case d.Name() == ".git":
		if all, err = repository(root, path, d); err != nil {
			return err
		}
	case !isObeyed:
		return nil
	case d.Type()&fs.ModeSymlink != 0:
		return f.target(root, path)
	}
	held, err := around(root, filepath.Dir(path))
	if err == nil {
		err = ownedAlike(root, path)
	}
	if err != nil {
		return err
	}
	f.readOnly, f.held = append(f.readOnly, all...), append(f.held, held...)
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// target keeps what a link leads to, if that is in the workspace. The link itself cannot be kept.
func (f *fence) target(root, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == root || !isBelow(real, root) {
		return nil // it leads out, where the box has nothing, or nowhere
	}
	held, err := around(root, filepath.Dir(real))
	if err == nil {
		err = ownedAlike(root, real)
	}
	f.readOnly, f.held = append(f.readOnly, real), append(f.held, held...)
	return err
}

// isInstalled reports whether a file belongs to a package of others. There can be thousands with files for their own
// repositories, which nobody obeys there.
func isInstalled(inside string) bool {
	return slices.ContainsFunc(strings.Split(filepath.Dir(inside), string(filepath.Separator)), func(folder string) bool {
		return slices.Contains([]string{"node_modules", "vendor", ".venv", "venv", "site-packages"}, folder)
	})
}

// repository returns the folders that a .git stands for, as far as they are in the workspace.
func repository(root, path string, d fs.DirEntry) ([]string, error) {
	all := []string{path}
	folder := path
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return nil, unfenced(path)
	case !d.IsDir():
		folder = pointed(filepath.Dir(path), path, "gitdir: ")
	}
	for _, to := range []string{folder, pointed(folder, filepath.Join(folder, "commondir"), "")} {
		real, err := filepath.EvalSymlinks(to)
		if to == "" || to == path || err != nil {
			continue
		}
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) && rel != "." {
			all = append(all, real)
		}
	}
	return all, nil
}

// pointed returns the path that a file of git's holds; empty: there is none.
func pointed(dir, file, prefix string) string {
	data, err := verdict.OS{}.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if err != nil || !ok || to == "" {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = dir + string(filepath.Separator) + to // not joined: a link before ".." leads elsewhere
	}
	return to
}

// around returns the folders between the workspace and a folder in it, with that one.
func around(root, dir string) (all []string, err error) {
	for ; len(dir) > len(root); dir = filepath.Dir(dir) {
		if err := ownedAlike(root, dir); err != nil {
			return nil, err
		}
		all = append(all, dir)
	}
	return all, nil
}

// ownedAlike fails for what has another owner than the workspace. Root shows the workspace to the box as the box's own, and a
// mount of what others own would make that the box's too.
func ownedAlike(root, path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	top, err := os.Lstat(root)
	if err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if err == nil && !isOfSame(info, top) {
		err = rein.Errorf(rein.CodeForbidden, "the command did not run: %s does not belong to the owner of the workspace, so nothing would keep it from changing what programs run. Approve the command", path)
	}
	return err
}

func unfenced(path string) error {
	return rein.Errorf(rein.CodeForbidden, "the command did not run: %s is a link, so nothing would keep it from changing what git runs. Approve the command, or put a folder there", path)
}

// isLoose reports whether a line wants what its sandbox does not hold back, or does not give: it is not read as a whole, a
// person's own rule asks about it, it has the name of a command that a rule denies, it names a file that runs or is obeyed outside later, it is git's and changes the repository, or it
// goes on in the background: the fence is of what is there when the command starts.
func (c *Commands) isLoose(inv rein.Invocation, p *plan, line string) bool {
	j, policy := p.judgement, c.policy(inv, p, c.settings())
	return p.Background || len(j.Line.Trouble) > 0 || len(j.Findings) == 0 || c.asksByRule(inv, p, line) || policy.NamesDenied(line) || slices.ContainsFunc(j.Findings, func(f verdict.Finding) bool {
		return f.Verdict == rein.MustAsk && (isRepositories(f.Part.Name()) || policy.MayWriteHazard(f.Part))
	})
}

// isRepositories reports whether a command works on a repository, which the fence keeps as it is.
func isRepositories(name string) bool {
	return slices.Contains([]string{"git", "hg", "jj", "svn"}, name)
}

// asksByRule reports whether a rule that asks means a part of the line.
func (c *Commands) asksByRule(inv rein.Invocation, p *plan, line string) bool {
	policy := c.policy(inv, p, c.settings())
	policy.Rules = slices.DeleteFunc(policy.Rules, func(r verdict.Rule) bool { return r.Verdict != rein.MustAsk })
	for i := range policy.Rules {
		policy.Rules[i].Verdict = rein.Denied // so that nothing comes before it
	}
	return len(policy.Rules) > 0 && policy.Judge(line).Verdict == rein.Denied
}

// isApproved reports whether people allowed a line in advance in such a way that it can change what git runs: it is git's own.
// Whatever else was allowed in advance, by a rule or for the session, may do something else by now, because the files that it
// runs were changed, and nobody looks at it again: it keeps the fence. The list of read-only commands is nobody's approval.
func (c *Commands) isApproved(inv rein.Invocation, p *plan, line string) bool {
	allowed := p.judgement.Verdict == rein.Allowed && !c.reads(inv, p, line) || p.isGranted(inv, c.settings(), line)
	git, others := p.changers()
	return allowed && git && !others
}

// changers reports whether a line has commands of git that may change the repository, and others that may change something.
func (p *plan) changers() (git, others bool) {
	for _, f := range p.judgement.Findings {
		switch {
		case f.By == verdict.ByList, f.Part.Kind == parse.Redirect: // files that matter are asked about whatever is allowed
		case f.Part.Name() == "git" && f.Part.Kind == parse.Command:
			git = true
		default:
			others = true
		}
	}
	return git, others
}

// isMixed reports whether a line changes the repository and does something else too. Allowed in advance, the other commands
// would be out of the fence with git.
func (p *plan) isMixed() bool {
	git, others := p.changers()
	return git && others
}

// reads reports whether the list of read-only commands allows a line.
func (c *Commands) reads(inv rein.Invocation, p *plan, line string) bool {
	bare := c.policy(inv, p, c.settings())
	bare.Rules, bare.Session = nil, nil
	return bare.Judge(line).Verdict == rein.Allowed
}
