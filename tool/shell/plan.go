package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// A plan is a command as a person is shown it, and as it runs. It is pinned to the call: the log has it, and so it holds
// no value of a variable.
type plan struct {
	Run        string      `json:"run"` // the line, with settings that keep git from running programs
	Shell      parse.Shell `json:"shell"`
	Root       string      `json:"root"` // the workspace's folder, links resolved
	Dir        string      `json:"dir"`  // the folder that it starts in, likewise
	Node       string      `json:"node"` // which folder that is, whatever its name
	Env        string      `json:"env"`  // the hash of the environment
	Network    bool        `json:"network,omitempty"`
	Read       []string    `json:"read,omitempty"` // what this call was granted; the settings' paths come on top
	Write      []string    `json:"write,omitempty"`
	Missing    []string    `json:"missing,omitempty"` // of what a sandbox needs
	Seconds    int         `json:"seconds"`
	Background bool        `json:"background,omitempty"`

	env       []string
	judgement verdict.Judgement
	missing   []sandbox.Status
	fenced    bool     // nobody approved it: it cannot change what git runs
	reads     bool     // the list of read-only commands allows it
	left      []string // what a search does not see of the workspace

	obeyed map[string]string // what the fence found, as obeyedIn returns it; nil: there is no fence
	made   []string          // what came to that while the command ran
	unseen bool              // nobody could look
}

// plan works out how a call would run now.
func (c *Commands) plan(inv rein.Invocation, args commandArgs) (*plan, error) {
	if c.o.Root == "" {
		return nil, rein.Errorf(rein.CodeUnavailable, "there is no folder to run commands in (the setting tools.root names one)")
	}
	if strings.ContainsRune(args.Command, 0) {
		return nil, rein.Errorf(rein.CodeInvalid, "the command holds a NUL character")
	}
	settings := c.settings()
	if args.Background && c.o.Jobs == nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "commands cannot run in the background here")
	}
	p := &plan{Background: args.Background, Network: settings.Network || args.Network, env: settings.env(), Env: hashOf(settings.env())}
	var ok bool
	if p.Shell, ok = parse.FindShell(); !ok {
		return nil, rein.Errorf(rein.CodeUnavailable, "there is no shell on this machine: install bash, dash or sh")
	}
	var err error
	if p.Root, p.Dir, p.Node, err = c.folder(inv, args.Cwd); err != nil {
		return nil, err
	}
	if p.Read, err = c.outside(inv, p.Root, args.Read); err != nil {
		return nil, err
	}
	if p.Write, err = c.outside(inv, p.Root, args.Write); err != nil {
		return nil, err
	}
	if p.Seconds, err = c.seconds(args, settings); err != nil {
		return nil, err
	}
	for _, s := range c.o.Report().Mechanisms {
		if !s.Available && slices.Contains(sandbox.Standard, s.Mechanism) && !(s.Mechanism == sandbox.Net && p.Network) {
			p.missing = append(p.missing, s)
			p.Missing = append(p.Missing, string(s.Mechanism))
		}
	}
	p.judgement = c.policy(inv, p, settings).Judge(args.Command)
	p.Run = p.judgement.Run
	return p, nil
}

func (c *Commands) seconds(args commandArgs, s Settings) (int, error) {
	usual, most := s.timeout(), c.longest()
	if args.Background {
		usual, most = longestJob, longestJob
	}
	if args.Timeout == 0 {
		return int(usual / time.Second), nil
	}
	if most := int(most / time.Second); args.Timeout > most {
		return 0, rein.Errorf(rein.CodeInvalid, "timeout is %d and can be at most %d seconds", args.Timeout, most)
	}
	return args.Timeout, nil
}

// folder returns the workspace and the folder in it that a call starts in, with its links resolved.
func (c *Commands) folder(inv rein.Invocation, cwd string) (root, dir, node string, err error) {
	if root, err = filepath.EvalSymlinks(c.o.Root); err != nil {
		return "", "", "", rein.Errorf(rein.CodeUnavailable, "the workspace cannot be opened: %w", err)
	}
	dir = filepath.FromSlash(cwd)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", "", rein.Errorf(rein.CodeNotFound, "cwd %.200q is not a folder of the workspace: name an existing one, relative to %s", cwd, root)
	}
	if rel, err := filepath.Rel(root, dir); err != nil || !filepath.IsLocal(rel) {
		return "", "", "", rein.Errorf(rein.CodeForbidden, "cwd %.200q is outside the workspace %s: use a folder in it", cwd, root)
	}
	if err := inv.MayUse(dir); err != nil {
		return "", "", "", rein.Errorf(rein.CodeOf(err), "cwd %.200q: %w", cwd, err)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", "", "", rein.Errorf(rein.CodeInvalid, "cwd %.200q is not a folder", cwd)
	}
	return root, dir, nodeOf(info), nil
}

// outside checks the paths outside the workspace that a call asks for, and resolves their links.
func (c *Commands) outside(inv rein.Invocation, root string, paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		real, err := filepath.EvalSymlinks(path)
		switch {
		case !filepath.IsAbs(path):
			return nil, rein.Errorf(rein.CodeInvalid, "%.200q is not an absolute path: paths in the workspace need not be named", path)
		case err != nil:
			return nil, rein.Errorf(rein.CodeNotFound, "%.200q does not exist", path)
		case real == "/":
			return nil, rein.Errorf(rein.CodeForbidden, "the whole file system cannot be granted: name a folder")
		case rein.CodeOf(inv.MayUse(real)) == rein.CodeNotFound, c.isHidden(real):
			return nil, rein.Errorf(rein.CodeForbidden, "%.200q is kept from commands", path)
		}
		list = append(list, real)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// isHidden reports whether a path is in what no command sees.
func (c *Commands) isHidden(path string) bool {
	return slices.ContainsFunc(c.o.Hidden, func(hidden string) bool {
		if real, err := filepath.EvalSymlinks(hidden); err == nil {
			hidden = real
		}
		rel, err := filepath.Rel(hidden, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// policy is what a line is judged by: the rules of the settings, and what people allowed in advance.
func (c *Commands) policy(inv rein.Invocation, p *plan, settings Settings) verdict.Policy {
	rules := slices.Clone(settings.Rules)
	for _, pattern := range inv.Granted.Always {
		if rule, err := verdict.ParseGrant(pattern); err == nil {
			rules = append(rules, rule)
		}
	}
	dir, err := filepath.Rel(p.Root, p.Dir)
	if err != nil || dir == "." {
		dir = ""
	}
	return verdict.Policy{Root: filepath.ToSlash(p.Root), Dir: filepath.ToSlash(dir), Rules: rules, Session: inv.Granted.Session, How: p.how(settings), Disk: verdict.OS{}}
}

// how says what is unusual about the way in which a plan runs, for those who allow it for the session; empty: nothing is.
func (p *plan) how(s Settings) string {
	var how []string
	usual := int(s.timeout() / time.Second)
	if p.Background {
		how, usual = append(how, "in the background"), int(longestJob/time.Second)
	}
	if p.Seconds > usual || p.Background && p.Seconds < usual {
		how = append(how, fmt.Sprintf("for up to %s", time.Duration(p.Seconds)*time.Second))
	}
	return strings.Join(how, ", ")
}

// pinned returns the plan that was shown, if it can still be carried out.
func (c *Commands) pinned(inv rein.Invocation, args commandArgs) (*plan, error) {
	var p plan
	if err := json.Unmarshal([]byte(args.Plan), &p); err != nil || p.Run == "" {
		return nil, rein.Errorf(rein.CodeInternal, "the call does not say what was shown of it")
	}
	settings := c.settings()
	root, dir, node, err := c.folder(inv, args.Cwd)
	switch {
	case err != nil:
		return nil, err
	case root != p.Root || dir != p.Dir || node != p.Node:
		return nil, rein.Errorf(rein.CodeConflict, "the command did not run: %s is not the folder that was shown", p.Dir)
	case hashOf(settings.env()) != p.Env:
		return nil, rein.Errorf(rein.CodeConflict, "the command did not run: the variables that commands get were changed since it was shown")
	}
	for _, granted := range []struct{ was, asked []string }{{p.Read, args.Read}, {p.Write, args.Write}} {
		now, err := c.outside(inv, root, granted.asked)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(now, granted.was) {
			return nil, rein.Errorf(rein.CodeConflict, "the command did not run: a path that it was granted leads elsewhere now")
		}
	}
	p.env = settings.env()
	p.judgement = c.policy(inv, &p, settings).Judge(args.Command)
	p.reads = c.reads(inv, &p, args.Command)
	p.fenced = !inv.Approved && !c.isApproved(inv, &p, args.Command)
	return &p, nil
}

func hashOf(list []string) string {
	text, _ := json.Marshal(list) // strings can always be written
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
