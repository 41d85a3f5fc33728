package vault

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"time"

	"rein/vault/chunk"
	"rein/vault/index"
)

// A batch is committed when it has so many notes or bytes: often enough that a crash loses little.
const (
	batchNotes = 200
	batchBytes = 8 << 20
)

// doubt is how long after a change a file may change again without its time telling.
const doubt = 2 * time.Second

// update brings the index in line with what lies at a path, and returns the folders there.
func (v *Vault) update(ctx context.Context, name string) (dirs []string, err error) {
	w := v.folder.look(name)
	present := make(map[string]bool, len(w.files))
	var changed []file
	for _, f := range w.files {
		present[f.path] = true
		if v.isNew(f) {
			changed = append(changed, f)
		}
	}
	v.noteSkipped(name, w.skipped)
	var gone []string
	for _, path := range v.known(name) {
		if !present[path] {
			gone = append(gone, path)
		}
	}
	if len(gone) > 0 {
		if err := v.index.Commit(nil, gone); err != nil {
			return w.dirs, err
		}
		v.changes.Add(1)
	}
	return w.dirs, v.put(ctx, changed)
}

// isNew reports whether a file must be read: it has another size or time than the index knows, or was
// changed so shortly before it was read that its time proves nothing.
func (v *Vault) isNew(f file) bool {
	n, ok := v.index.Note(f.path)
	return !ok || !n.Linked || n.Size != f.size || n.ModTime != f.mtime || n.Indexed-n.ModTime < int64(doubt) && !v.isSure(f.path, f.mtime)
}

// isSure reports whether a file in doubt was read again when there was none left.
func (v *Vault) isSure(path string, mtime int64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sure[path] == mtime
}

// known returns the notes of the index at or below a path.
func (v *Vault) known(name string) []string {
	if _, ok := v.index.Note(name); ok {
		return []string{name}
	}
	return v.index.Below(name)
}

// dropRefused takes out of the index what an earlier vault with other folders left there.
func (v *Vault) dropRefused() error {
	var refused []string
	for _, path := range v.index.Below(".") {
		if v.folder.filter.Refuses(path) != "" {
			refused = append(refused, path)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return v.index.Commit(nil, refused)
}

// noteSkipped replaces what is known of files at or below a path that are not indexed.
func (v *Vault) noteSkipped(name string, skipped map[string]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for path := range v.skipped {
		if name == "." || path == name || strings.HasPrefix(path, name+"/") {
			delete(v.skipped, path)
		}
	}
	for path, why := range skipped {
		v.skipped[path] = why
	}
	v.other = nil
}

// put reads files and commits them in batches.
func (v *Vault) put(ctx context.Context, files []file) error {
	meter := newMeter(v, "words", len(files))
	for len(files) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n, bytes := 0, int64(0)
		for n < len(files) && n < batchNotes && (n == 0 || bytes+files[n].size <= batchBytes) {
			bytes += files[n].size
			n++
		}
		docs, gone := v.readAll(files[:n])
		if len(docs)+len(gone) == 0 { // they only looked new
			files, meter.total = files[n:], meter.total-n
			continue
		}
		if err := v.index.Commit(docs, gone); err != nil {
			return err
		}
		v.changes.Add(1)
		v.wakeEmbedder()
		meter.add(n)
		files = files[n:]
	}
	meter.end()
	return nil
}

// readAll reads files on all cores. Those that cannot be read are taken out of the index.
func (v *Vault) readAll(files []file) (docs []index.Doc, gone []string) {
	all, errs := make([]*index.Doc, len(files)), make([]error, len(files))
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(files))
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(files); i += workers {
				all[i], errs[i] = v.readNote(files[i].path)
			}
		})
	}
	wait.Wait()
	for i, d := range all {
		switch {
		case d != nil:
			docs = append(docs, *d)
		case errs[i] != nil:
			gone = append(gone, files[i].path)
			if !errors.Is(errs[i], fs.ErrNotExist) {
				v.noteSkipped(files[i].path, map[string]string{files[i].path: whySkipped(errs[i])})
			}
		}
	}
	return docs, gone
}

// readNote returns a note as the index takes it; nil without an error if the index has it so.
func (v *Vault) readNote(path string) (*index.Doc, error) {
	now := time.Now().UnixNano()
	text, info, err := v.folder.read(path)
	if err != nil {
		return nil, err
	}
	mtime := info.ModTime().UnixNano()
	if n, ok := v.index.Note(path); ok && n.Linked && n.Hash == chunk.HashOf(text) && n.ModTime == mtime {
		if now-mtime >= int64(doubt) {
			v.mu.Lock()
			v.sure[path] = mtime
			v.mu.Unlock()
		}
		return nil, nil
	}
	d := index.Read(path, text, v.chunking)
	d.ModTime, d.Indexed = mtime, now
	return &d, nil
}
