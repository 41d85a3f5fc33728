package vault

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"rein"
)

// A burst of events is looked at when it has been quiet for a moment, or has gone on for too long.
const (
	quietFor  = 80 * time.Millisecond
	burstMost = 500 * time.Millisecond
)

// A keeper keeps the index in line with the folder. Events tell what to look at; a rescan finds what
// they missed.
type keeper struct {
	vault   *Vault
	rescan  time.Duration
	still   bool
	watcher *fsnotify.Watcher
	dirty   map[string]bool
	since   time.Time // of the oldest in dirty
}

func (k *keeper) watch() {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		k.blind(err)
		return
	}
	k.watcher = w
}

// blind remembers that edits are seen late.
func (k *keeper) blind(err error) {
	k.vault.mu.Lock()
	defer k.vault.mu.Unlock()
	k.vault.watchErr = err
}

func (k *keeper) run(ctx context.Context) {
	if k.watcher != nil {
		defer k.watcher.Close()
	}
	k.dirty = map[string]bool{}
	_ = k.look(ctx, ".")
	close(k.vault.scanned)
	tick := time.NewTicker(k.rescan)
	defer tick.Stop()
	settle := time.NewTimer(time.Hour)
	defer settle.Stop()
	events, failures := k.channels()
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-k.vault.requests:
			r.done <- k.lookAll(ctx, r.paths)
		case e := <-events:
			k.mark(e)
			settle.Reset(k.wait())
		case err := <-failures:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				k.dirty["."] = true
			} else if err != nil {
				k.blind(err)
			}
			settle.Reset(quietFor)
		case <-settle.C:
			if len(k.dirty) > 0 {
				paths := k.take()
				_ = k.lookAll(ctx, paths) // what failed is found by the rescan
			}
		case <-tick.C:
			if !k.still {
				_ = k.look(ctx, ".")
			}
		}
	}
}

func (k *keeper) channels() (chan fsnotify.Event, chan error) {
	if k.watcher == nil {
		return nil, nil
	}
	return k.watcher.Events, k.watcher.Errors
}

func (k *keeper) mark(e fsnotify.Event) {
	name, err := filepath.Rel(k.vault.folder.root.Name(), e.Name)
	if err != nil || e.Op == fsnotify.Chmod {
		return
	}
	if len(k.dirty) == 0 {
		k.since = time.Now()
	}
	k.dirty[filepath.ToSlash(name)] = true
}

func (k *keeper) wait() time.Duration {
	return max(0, min(quietFor, burstMost-time.Since(k.since)))
}

// take returns what is dirty, without what lies below something else that is.
func (k *keeper) take() []string {
	var paths []string
	for p := range k.dirty {
		paths = append(paths, p)
	}
	k.dirty = map[string]bool{}
	slices.Sort(paths)
	if slices.Contains(paths, ".") {
		return []string{"."}
	}
	out := paths[:0]
	for _, p := range paths {
		if n := len(out); n == 0 || !strings.HasPrefix(p, out[n-1]+"/") {
			out = append(out, p)
		}
	}
	return out
}

func (k *keeper) lookAll(ctx context.Context, paths []string) error {
	var errs []error
	for _, p := range paths {
		errs = append(errs, k.look(ctx, p))
	}
	return errors.Join(errs...)
}

// look brings one path up to date and watches the folders that it finds there. A folder is watched
// before it is looked through a second time, so that nothing falls between.
func (k *keeper) look(ctx context.Context, name string) error {
	name = filepath.ToSlash(filepath.Clean(name))
	dirs, err := k.vault.update(ctx, name)
	if fresh := k.watchAll(dirs); fresh && err == nil {
		_, err = k.vault.update(ctx, name)
	}
	if !stopped(err) {
		k.vault.failed(err)
	}
	return err
}

// watchAll reports whether one of the folders was not watched before.
func (k *keeper) watchAll(dirs []string) (fresh bool) {
	if k.watcher == nil || len(dirs) == 0 {
		return false
	}
	had := map[string]bool{}
	for _, d := range k.watcher.WatchList() {
		had[d] = true
	}
	for _, d := range dirs {
		full := filepath.Join(k.vault.folder.root.Name(), filepath.FromSlash(d))
		if had[full] {
			continue
		}
		if err := k.watcher.Add(full); err != nil {
			k.blind(rein.Errorf(rein.CodeUnavailable, "edits are seen at the next rescan only: cannot watch %s: %w", d, err))
			return fresh
		}
		fresh = true
	}
	return fresh
}

// failed remembers why the index could not be written; nil if it could.
func (v *Vault) failed(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.writeErr = err
}

// mergeEvery is how often the files of the index are looked at.
const mergeEvery = 2 * time.Second

func (v *Vault) mergeLoop(ctx context.Context) {
	tick := time.NewTicker(mergeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = v.index.Merge(); err != nil {
				more = false // the smaller files still serve
			}
		}
	}
}
