package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein/internal/near"
)

// An Environment is the variables of a process, as os.Environ lists them.
type Environment []string

// Get returns the value of a variable, or "".
func (e Environment) Get(name string) string {
	for _, v := range slices.Backward(e) { // of two with one name the later counts, as in os/exec
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// dataFolder is where the data is by default.
func (e Environment) dataFolder() string { return e.under("XDG_DATA_HOME", ".local", "share") }

// DefaultFile is the file that is read if none is named; empty: there is no home folder.
func (e Environment) DefaultFile() string {
	if folder := e.under("XDG_CONFIG_HOME", ".config"); folder != "" {
		return filepath.Join(folder, "rein.toml")
	}
	return ""
}

// CacheFile is the place of a file that can be lost without harm; empty: there is no home folder.
func (e Environment) CacheFile(name string) string {
	if folder := e.under("XDG_CACHE_HOME", ".cache"); folder != "" {
		return filepath.Join(folder, name)
	}
	return ""
}

// textsFolder is where SOUL.md, prompts, rules and skills are by default.
func (e Environment) textsFolder() string { return e.under("XDG_CONFIG_HOME", ".config") }

// under is rein's folder below an XDG variable, or below the home folder.
func (e Environment) under(xdg string, otherwise ...string) string {
	if dir := e.Get(xdg); filepath.IsAbs(dir) { // a relative one is to be ignored
		return filepath.Join(dir, "rein")
	}
	if home := e.Get("HOME"); home != "" {
		return filepath.Join(append(append([]string{home}, otherwise...), "rein")...)
	}
	return ""
}

// zone is the system's time zone: $TZ, or what /etc/localtime is a link to, or UTC.
func (e Environment) zone() string {
	if name := strings.TrimPrefix(e.Get("TZ"), ":"); isZone(name) == nil {
		return name
	}
	if target, err := filepath.EvalSymlinks("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(target, "zoneinfo/"); ok && isZone(name) == nil {
			return name
		}
	}
	return time.UTC.String()
}

// others are variables of rein that no key has.
var others = []string{"REIN_CONFIG"}

// environment reads the variables. One that no key has is probably a mistake, but it may belong to
// another program: it is a warning.
func (l *loading) environment() {
	keys, known := l.config.Keys(), slices.Clone(others)
	for _, k := range keys {
		if k.Env != "" {
			known = append(known, k.Env)
			l.variable(k)
		}
	}
	seen := map[string]bool{}
	for _, v := range l.env {
		name, value, _ := strings.Cut(v, "=")
		if value != "" && strings.HasPrefix(name, "REIN_") && !slices.Contains(known, name) && !seen[name] {
			seen[name] = true
			l.config.Warnings = append(l.config.Warnings, "there is no setting $"+name+near.DidYouMean(name, known))
		}
	}
	slices.Sort(l.config.Warnings)
}

func (l *loading) variable(k Key) {
	value := l.env.Get(k.Env)
	if value == "" {
		return
	}
	source := Source{Env: k.Env}
	if err := k.setting.parse(l, value); err != nil {
		l.problems.add(source, "%s: %v", k.Name, err)
		return
	}
	l.config.sources[k.Name] = source
}

// flags reads what the command line says.
func (l *loading) flags(given map[string]string) {
	for _, k := range l.config.Keys() {
		value, ok := given[k.Name]
		if !ok {
			continue
		}
		source := Source{Flag: k.Flag}
		if err := k.setting.parse(l, value); err != nil {
			l.problems.add(source, "%s: %v", k.Name, err)
			continue
		}
		l.config.sources[k.Name] = source
	}
}

// minKey is the shortest key of a provider that can be told from ordinary words.
const minKey = 8

// Secrets returns the values of the variables that redact.env names, and of the providers' keys, by
// their names. The values are never to be printed.
func (c *Config) Secrets(env Environment) map[string]string {
	secrets := map[string]string{}
	for _, name := range c.Redact.Env {
		if value := env.Get(name); value != "" {
			secrets[name] = value
		}
	}
	for _, m := range c.Models {
		if value := env.Get(m.KeyEnv); m.KeyEnv != "" && len(value) >= minKey {
			secrets[m.KeyEnv] = value
		}
	}
	for _, s := range c.Web.services() {
		if name := s.KeyName(); name != "" && len(env.Get(name)) >= minKey {
			secrets[name] = env.Get(name)
		}
	}
	if name := c.Telegram.TokenName(); name != "" && len(env.Get(name)) >= minKey {
		secrets[name] = env.Get(name)
	}
	for _, w := range c.Webhooks {
		if value := env.Get(w.SecretEnv); len(value) >= minKey {
			secrets[w.SecretEnv] = value
		}
	}
	if name := c.Mail.PasswordName(); name != "" && len(env.Get(name)) >= minKey {
		secrets[name] = env.Get(name)
	}
	c.mcpSecrets(env, secrets)
	return secrets
}

// rootProblem says what is wrong with the folder that the file tools may see, if anything.
func (c *Config) rootProblem() string {
	if c.Tools.Root == "" {
		return ""
	}
	info, err := os.Stat(c.Tools.Root)
	switch {
	case err != nil:
		return "tools.root: there is no folder " + quoted(c.Tools.Root)
	case !info.IsDir():
		return "tools.root: " + quoted(c.Tools.Root) + " is not a folder"
	}
	return ""
}
