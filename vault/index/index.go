package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"rein"
	"rein/vault/chunk"
)

// Options say where an index is kept and how.
type Options struct {
	Dir      string // made if it is not there
	Chunking chunk.Options
	// Embedder names the model that makes the vectors and Dim is their dimension. If either is another
	// than before, the vectors are made anew. "" keeps those there are.
	Embedder string
	Dim      int
}

// An Index is safe for use by many at once; Commit and AddVectors wait for each other.
type Index struct {
	dir  string
	lock *os.File

	merging sync.Mutex // one merge at a time
	writing sync.Mutex // one change at a time; guards next
	next    int

	mu      sync.RWMutex // guards what follows: searches read, changes swap
	m       manifest
	segs    []*segment
	byPath  map[string]place
	waiting map[chunk.Hash][]place // passages without vectors
	vec     *vectors               // nil: none can be made
	closed  bool
}

// A place is a note or a piece in a segment.
type place struct {
	seg *segment
	i   int
}

// Open opens or makes an index. What cannot be read is dropped, to be made again.
func Open(o Options) (_ *Index, err error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "open index: %w", err)
	}
	x := &Index{dir: o.Dir, byPath: map[string]place{}, waiting: map[chunk.Hash][]place{}}
	if x.lock, err = lockFolder(o.Dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = x.Close()
		}
	}()
	if x.m, err = readManifest(o.Dir); err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "open index in %s: %w", o.Dir, err)
	}
	x.fit(o)
	x.openSegments()
	if err := x.openVectors(); err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "open index in %s: %w", o.Dir, err)
	}
	x.m.sweep(o.Dir)
	return x, x.m.write(o.Dir)
}

func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "open index: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, rein.Errorf(rein.CodeLocked, "the index in %s is used by another process", dir)
	}
	return f, nil
}

// fit drops from the manifest what was made in another way.
func (x *Index) fit(o Options) {
	chunking := fmt.Sprintf("%d/%d v2", o.Chunking.Size, o.Chunking.Overlap)
	if x.m.Format != format || x.m.Chunking != chunking {
		x.m = manifest{Format: format, Chunking: chunking, Embedder: x.m.Embedder, Dim: x.m.Dim, Vectors: x.m.Vectors, Next: x.m.Next}
	}
	x.next = x.m.Next
	if o.Embedder != "" && (x.m.Embedder != o.Embedder || x.m.Dim != o.Dim) {
		x.m.Embedder, x.m.Dim, x.m.Vectors = o.Embedder, o.Dim, x.newName("vectors-")
	}
}

func (x *Index) newName(prefix string) string {
	x.next++
	x.m.Next = x.next
	return fmt.Sprintf("%s%06d", prefix, x.next)
}

func (x *Index) openSegments() {
	kept := x.m.Segments[:0]
	for _, ms := range x.m.Segments {
		s, err := openSegment(filepath.Join(x.dir, ms.Name), ms.Name)
		if err != nil {
			continue // its notes are missing from the index now and will be read again
		}
		for _, d := range ms.Dead {
			if d >= 0 && d < len(s.notes) {
				s.kill(d)
			}
		}
		kept = append(kept, ms)
		x.attach(s)
	}
	x.m.Segments = kept
}

// attach makes a segment part of the index.
func (x *Index) attach(s *segment) {
	x.segs = append(x.segs, s)
	for i := range s.notes {
		if !s.dead[i] {
			x.byPath[s.notes[i].Path] = place{s, i}
		}
	}
	x.attachVectors(s)
}

func (x *Index) attachVectors(s *segment) {
	if x.vec == nil {
		return
	}
	for p := range s.slots {
		key := s.key(p)
		if !s.alive[p] || key == (chunk.Hash{}) {
			continue
		}
		if at, ok := x.vec.slots[key]; ok {
			s.slots[p] = at
			continue
		}
		x.waiting[key] = append(x.waiting[key], place{s, p})
	}
}

// openVectors opens the vectors, without those of passages that are gone if they are most of them.
func (x *Index) openVectors() (err error) {
	if x.m.Vectors == "" || x.m.Dim <= 0 {
		return nil
	}
	if x.vec, err = openVectors(x.dir, x.m.Vectors, x.m.Dim); err != nil {
		return err
	}
	if err := x.compactVectors(); err != nil {
		return err
	}
	for _, s := range x.segs {
		x.attachVectors(s)
	}
	return nil
}

// Close ends the index; searches under way end first.
func (x *Index) Close() error {
	x.merging.Lock()
	defer x.merging.Unlock()
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil
	}
	x.closed = true
	var errs []error
	for _, s := range x.segs {
		errs = append(errs, s.close())
	}
	if x.vec != nil {
		errs = append(errs, x.vec.commit())
		x.vec.close()
	}
	x.segs, x.byPath, x.waiting, x.vec = nil, nil, nil, nil
	if x.lock != nil {
		errs = append(errs, x.lock.Close())
	}
	return errors.Join(errs...)
}

// errClosed is what is said of an index that was closed.
func errClosed() error { return rein.Errorf(rein.CodeUnavailable, "the index is closed") }

// Note returns what is kept of a note.
func (x *Index) Note(path string) (Note, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	at, ok := x.byPath[path]
	if !ok {
		return Note{}, false
	}
	return at.seg.notes[at.i], true
}

// Notes returns all notes by path.
func (x *Index) Notes() []Note {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := make([]Note, 0, len(x.byPath))
	for _, at := range x.byPath {
		all = append(all, at.seg.notes[at.i])
	}
	slices.SortFunc(all, func(a, b Note) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return all
}

// Count returns how many notes there are.
func (x *Index) Count() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.byPath)
}

// Below returns the paths of the notes in a folder, in no order; "." is the whole vault.
func (x *Index) Below(folder string) []string {
	if folder == "." {
		folder = ""
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []string
	for path := range x.byPath {
		if inFolder(path, folder) {
			all = append(all, path)
		}
	}
	return all
}
