package app

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rein/app/config"
	"rein/tool/reach"
)

// live is the settings as they are now. The file is read again when it has changed, so that an edit
// holds for the runs that start after it. A wrong edit changes nothing and is reported.
type live struct {
	load  func() (*config.Config, error)
	apply func(*config.Config) error // makes what follows from the settings, such as models
	tell  func(what string, args ...any)

	mu      sync.Mutex
	began   *config.Config // those that the process started with
	present *config.Config
	seen    fileState
	wrong   string // what is wrong with the newest edit; empty: nothing
	absent  bool   // there was no file, and whoever makes it may be a command: it counts after a restart
}

// A fileState is what was known of a file when it was last read.
type fileState struct {
	info os.FileInfo
	text []byte
	at   time.Time
}

func newLive(settings *config.Config, load func() (*config.Config, error)) *live {
	l := &live{load: load, apply: func(*config.Config) error { return nil }, tell: func(string, ...any) {}, began: settings, present: settings}
	l.seen, _ = look(settings.Path, fileState{})
	l.absent = l.seen.info == nil && settings.Tools.Root != "" && settings.Path != "" && reach.Holds(settings.Tools.Root, nearest(settings.Path))
	return l
}

// nearest is a path, or the first folder above it that exists.
func nearest(path string) string {
	path, err := filepath.Abs(path)
	for err == nil && path != filepath.Dir(path) {
		if _, missing := os.Lstat(path); missing == nil {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}

// settled is how old a file must be for its time to tell whether it was written since.
const settledAfter = 2 * time.Second

// look reads a file if it may have changed, and reports whether its text has.
func look(path string, before fileState) (now fileState, changed bool) {
	now.at = time.Now()
	info, err := os.Stat(path)
	if err == nil {
		now.info = info
	}
	old := before.info
	if info != nil && old != nil && os.SameFile(info, old) && info.Size() == old.Size() && info.ModTime().Equal(old.ModTime()) &&
		before.at.Sub(info.ModTime()) > settledAfter || info == nil && old == nil && !before.at.IsZero() {
		return before, false
	}
	if err == nil {
		now.text, _ = config.ReadFile(path)
	}
	return now, !bytes.Equal(now.text, before.text) || (now.info == nil) != (before.info == nil)
}

// now returns the settings that hold, and what is wrong with a newer edit that does not.
func (l *live) now() (settings *config.Config, wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.absent {
		return l.present, l.wrong
	}
	seen, changed := look(l.began.Path, l.seen)
	l.seen = seen
	if changed {
		l.read()
	}
	return l.present, l.wrong
}

// read takes the settings that the file has now, if they are right.
func (l *live) read() {
	settings, err := l.load()
	if err == nil {
		err = l.apply(settings)
	}
	if err != nil {
		l.wrong = "the settings were changed and are wrong, so the earlier ones still apply: " + WithoutSecrets(inOneLine(err))
		l.tell(l.wrong, "file", l.began.Path)
		return
	}
	l.present, l.wrong = settings, ""
	l.tell("the settings have changed", "file", l.began.Path)
	if keys := l.restart(); len(keys) > 0 {
		l.tell("some changed settings need a restart", "settings", strings.Join(keys, ", "))
	}
}

// renew makes again what follows from the settings, because something that they name has changed.
func (l *live) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.apply(l.present); err != nil {
		l.tell("what the settings name has changed and cannot be used: "+WithoutSecrets(inOneLine(err)), "file", l.began.Path)
	}
}

// fixed are the beginnings of the keys that a process reads once, when it starts.
var fixed = []string{"data", "embedder", "limits.requests", "limits.tokens", "limits.user.", "limits.household.", "mail.", "notes.vectors", "owner.idle", "push.", "redact.", "roles.", "secret_key_file", "server.", "shell.max_timeout", "telemetry.", "tools.clip_bytes", "tools.timeout", "webhooks"}

// restart lists the settings that have changed and hold after a restart only. It is called with mu
// held.
func (l *live) restart() (keys []string) {
	was := map[string]string{}
	for _, v := range l.began.Values() {
		was[v.Key] = v.Value
	}
	for _, v := range l.present.Values() {
		if was[v.Key] != v.Value && slices.ContainsFunc(fixed, func(p string) bool {
			return v.Key == strings.TrimSuffix(p, ".") || strings.HasSuffix(p, ".") && strings.HasPrefix(v.Key, p)
		}) {
			keys = append(keys, v.Key)
		}
	}
	return keys
}

// health is what is to be said of the settings: what is wrong, and what waits for a restart.
func (l *live) health() (wrong string, restart []string) {
	_, wrong = l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return wrong, l.restart()
}
