package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"rein/flow/kit"
	"rein/internal/near"
)

// Options say where to look.
type Options struct {
	File string // --config; empty: $REIN_CONFIG, else the usual place
	Env  Environment
	// Flags are values that were given on the command line, by the name of their key.
	Flags map[string]string
	// Models and Flows are those of the program, beside rein's.
	Models []string
	Flows  []kit.Kind
}

// maxFile is the most that a file may have.
const maxFile = 1 << 20

// Load reads the config. If something is wrong the error is Problems, and the config holds what is
// right.
func Load(o Options) (*Config, error) {
	problems := Problems{}
	l := &loading{config: defaults(o.Env, o.Flows...), env: o.Env, problems: &problems, places: map[string]Source{}}
	l.config.own = o.Models
	file, named := o.file()
	l.config.Path = file
	if named {
		l.config.Texts = filepath.Dir(file)
	}
	if file != "" {
		l.file(file, named)
	}
	l.environment()
	l.flags(o.Flags)
	l.offer()
	l.together()
	for key, source := range l.places {
		l.config.sources[key] = source
	}
	return l.config, problems.err()
}

// file returns the file to read, and whether someone named it.
func (o Options) file() (path string, named bool) {
	if o.File != "" {
		return o.File, true
	}
	if file := o.Env.Get("REIN_CONFIG"); file != "" {
		return file, true
	}
	return o.Env.DefaultFile(), false
}

// loading is one call of Load.
type loading struct {
	config   *Config
	env      Environment
	problems *Problems
	places   map[string]Source // of the names in lists, as "key name"

	reading string // the file that is being read, as it is shown
	folder  string // what its paths are relative to; empty: to where rein was called
	key     string // the key that is being read
}

func (l *loading) source(n *node) Source {
	return Source{File: l.reading, Line: n.line, Col: n.col}
}

func (l *loading) report(n *node, format string, args ...any) {
	l.problems.add(l.source(n), format, args...)
}

// path makes a path absolute that a file says.
func (l *loading) path(p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && l.reading != "" && l.env.Get("HOME") != "" {
		return filepath.Join(l.env.Get("HOME"), rest)
	}
	if l.folder != "" && !filepath.IsAbs(p) {
		return filepath.Join(l.folder, p)
	}
	return p
}

// file reads a file. One that nobody named may be missing, or not be ours to read.
func (l *loading) file(name string, named bool) {
	data, err := ReadFile(name)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if !named && errors.Is(err, fs.ErrPermission) { // another user's home
		l.config.Warnings = append(l.config.Warnings, "the settings were not read: "+err.Error())
		return
	}
	l.reading, l.folder = name, filepath.Dir(name)
	defer func() { l.reading, l.folder = "", "" }()
	l.config.File = name
	if err != nil {
		l.problems.add(Source{File: name, Line: 1, Col: 1}, "%v", err)
		return
	}
	root, err := parseTOML(data)
	if wrong, ok := errors.AsType[*syntaxError](err); ok {
		l.report(&node{line: wrong.line, col: wrong.col}, "%s", wrong.msg)
		return
	}
	if err != nil {
		l.report(&node{line: 1, col: 1}, "%v", err)
		return
	}
	l.table(root, "", l.config.Keys())
}

// ReadFile reads a file of settings. It must be a plain file that is not too long: whoever wrote a folder may have put a
// pipe or a device there, which nobody could read to its end.
func ReadFile(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no such file%w", hidden{err})
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, errors.New("it is not a plain file: remove it, or put a file of settings there"))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		return nil, fmt.Errorf("the file has more than %d bytes", maxFile)
	}
	return data, err
}

// hidden keeps an error for errors.Is and says nothing, because its text repeats the file's name.
type hidden struct{ error }

func (hidden) Error() string   { return "" }
func (h hidden) Unwrap() error { return h.error }

// table reads a table of the file whose keys begin with the prefix.
func (l *loading) table(n *node, prefix string, keys []Key) {
	for _, name := range n.keys {
		value, full := n.table[name], prefix+name
		if i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == full }); i >= 0 {
			l.value(keys[i], value)
			continue
		}
		section := slices.ContainsFunc(keys, func(k Key) bool { return strings.HasPrefix(k.Name, full+".") })
		switch {
		case section && value.kind == isTable:
			l.table(value, full+".", keys)
		case section:
			l.report(value, "%s is %s and must be a table: [%s]", full, value.kind, full)
		default:
			l.report(value.key(), "there is no key %q%s", full, meant(name, prefix, keys))
		}
	}
}

func (l *loading) value(k Key, n *node) {
	l.key = k.Name
	if err := k.setting.read(l, n); err != nil {
		l.report(n, "%s: %v", k.Name, err)
		return
	}
	l.config.sources[k.Name] = l.source(n)
}

// meant proposes a key: one of that name in another table, or else one of the same table that is nearly the same.
func meant(name, prefix string, keys []Key) string {
	siblings, elsewhere := []string{}, ""
	for _, k := range keys {
		if rest, ok := strings.CutPrefix(k.Name, prefix); ok {
			first, _, _ := strings.Cut(rest, ".")
			siblings = append(siblings, first)
		}
		if elsewhere == "" && strings.HasSuffix(k.Name, "."+name) {
			elsewhere = fmt.Sprintf("; did you mean %q?", k.Name)
		}
	}
	if elsewhere != "" {
		return elsewhere
	}
	if best := near.Word(name, siblings); best != "" {
		return fmt.Sprintf("; did you mean %q?", prefix+best)
	}
	return ""
}

// member reads a value of a small table, and reports a wrong kind and one that is missing.
func (l *loading) member(table *node, name string, want kind, needed bool) string {
	n := table.table[name]
	switch {
	case n == nil && needed:
		l.report(table, "%s needs %s", l.key, name)
	case n == nil:
	case n.kind != want:
		l.report(n, "%s: %s is %s and must be %s", l.key, name, n.kind, want)
	case needed && strings.TrimSpace(n.text) == "":
		l.report(n, "%s: %s is empty", l.key, name)
	default:
		return n.text
	}
	return ""
}

// strangers reports the keys of a small table that it does not have, apart from those that were reported already.
func (l *loading) strangers(table *node, known []string, reported ...string) {
	for _, name := range table.keys {
		if !slices.Contains(known, name) && !slices.Contains(reported, name) {
			l.report(table.table[name].key(), "%s has no key %q; available: %s%s", l.key, name, strings.Join(known, ", "), near.DidYouMean(name, known))
		}
	}
}

// together checks what no key can know alone.
func (l *loading) together() {
	c := l.config
	l.flowsFit()
	l.serverFits()
	l.mailFits()
	l.limitsFit()
	l.shellFits()
	l.webFits()
	if a := c.Approvals; a.Mode.IsLooser(a.Loosest) {
		l.problems.add(c.sources["approvals.mode"], "approvals.mode is %s, which is looser than approvals.loosest (%s): lower the one or raise the other", a.Mode, a.Loosest)
	}
	for _, name := range slices.Clone(c.Tools.Policy.Allow) {
		l.contradiction(name)
	}
}

// contradiction looks for a tool that is allowed and also asked for or denied. A flag that allows
// comes before a file that asks; what is denied is denied.
func (l *loading) contradiction(tool string) {
	policy := &l.config.Tools.Policy
	allowed, inFile := l.places["tools.allow "+tool]
	if !inFile {
		allowed = l.config.sources["tools.allow"]
	}
	if slices.Contains(policy.Deny, tool) {
		l.problems.add(allowed, "tools.allow names %q, which is also in tools.deny: remove it from one of them", tool)
	}
	switch asked := slices.Index(policy.Ask, tool); {
	case asked >= 0 && inFile:
		l.problems.add(allowed, "tools.allow names %q, which is also in tools.ask: remove it from one of them", tool)
	case asked >= 0:
		policy.Ask = slices.Delete(slices.Clone(policy.Ask), asked, asked+1)
	}
}
