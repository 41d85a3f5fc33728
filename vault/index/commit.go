package index

import (
	"os"
	"path/filepath"
	"slices"

	"rein"
	"rein/vault/chunk"
)

// Commit puts notes into the index, in place of those of the same path, and takes others out. When it
// returns, searches see the change and a crash does not undo it.
func (x *Index) Commit(put []Doc, remove []string) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	var added *segment
	if len(put) > 0 {
		var err error
		if added, err = x.writeSegment(x.newName("segment-"), tableOf(put)); err != nil {
			return rein.Errorf(rein.CodeUnavailable, "write the index: %w", err)
		}
	}
	gone := remove
	for i := range put {
		gone = append(gone[:len(gone):len(gone)], put[i].Path)
	}
	return x.swap(nil, added, gone)
}

func (x *Index) writeSegment(name string, t *table) (*segment, error) {
	if err := writeFile(x.dir, name, func(f *os.File) error { return t.writeTo(f) }); err != nil {
		return nil, err
	}
	return openSegment(filepath.Join(x.dir, name), name)
}

// swap replaces segments by one and takes notes out, in the manifest first.
func (x *Index) swap(old []*segment, added *segment, remove []string) error {
	x.mu.RLock()
	if x.closed {
		x.mu.RUnlock()
		return errClosed()
	}
	deaths := map[*segment][]int{}
	for _, path := range remove {
		if at, ok := x.byPath[path]; ok {
			deaths[at.seg] = append(deaths[at.seg], at.i)
		}
	}
	next := x.m
	next.Segments = nil
	for _, s := range x.segs {
		if !slices.Contains(old, s) && (s.merging || len(deaths[s])+s.deaths < len(s.notes)) {
			next.Segments = append(next.Segments, manifestSegment{s.name, append(s.deadNotes(), deaths[s]...)})
		}
	}
	if added != nil {
		next.Segments = append(next.Segments, manifestSegment{added.name, added.deadNotes()})
	}
	x.mu.RUnlock()
	if err := next.write(x.dir); err != nil {
		return rein.Errorf(rein.CodeUnavailable, "write the index: %w", err)
	}
	x.publish(next, added, remove, deaths)
	return nil
}

// publish shows searches what the manifest says.
func (x *Index) publish(next manifest, added *segment, remove []string, deaths map[*segment][]int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, path := range remove {
		delete(x.byPath, path)
	}
	for s, notes := range deaths {
		for _, n := range notes {
			s.kill(n)
			x.stopWaiting(s, &s.notes[n])
		}
	}
	keep := x.segs[:0:0]
	for _, s := range x.segs {
		if slices.ContainsFunc(next.Segments, func(m manifestSegment) bool { return m.Name == s.name }) {
			keep = append(keep, s)
			continue
		}
		x.forget(s)
	}
	x.m, x.segs = next, keep
	if added != nil {
		x.attach(added)
	}
}

// stopWaiting takes the pieces of a note that died off the list of those without vectors.
func (x *Index) stopWaiting(s *segment, n *Note) {
	for i := int(n.first); i < int(n.first+n.count); i++ {
		key := s.key(i)
		list, ok := x.waiting[key]
		if !ok {
			continue
		}
		if list = slices.DeleteFunc(list, func(p place) bool { return p == place{s, i} }); len(list) == 0 {
			delete(x.waiting, key)
		} else {
			x.waiting[key] = list
		}
	}
}

// Waiting returns how many passages have no vectors yet.
func (x *Index) Waiting() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.waiting)
}

// forget ends a segment and removes its file.
func (x *Index) forget(s *segment) {
	for key, list := range x.waiting {
		if list = slices.DeleteFunc(list, func(p place) bool { return p.seg == s }); len(list) == 0 {
			delete(x.waiting, key)
		} else {
			x.waiting[key] = list
		}
	}
	_ = s.close()
	_ = os.Remove(filepath.Join(x.dir, s.name))
}

func (s *segment) deadNotes() []int {
	var all []int
	for i, dead := range s.dead {
		if dead {
			all = append(all, i)
		}
	}
	return all
}

// mergeFan is how many segments of about one size are merged into a larger one.
const mergeFan = 6

// Merge joins segments if there are many of a size, or one that is mostly dead, and reports whether
// there may be more to do. Searches and commits go on meanwhile.
func (x *Index) Merge() (more bool, err error) {
	x.merging.Lock()
	defer x.merging.Unlock()
	old, dead, name := x.beginMerge()
	if len(old) == 0 {
		return false, nil
	}
	t, moved := mergeTable(old, dead)
	added, err := x.writeSegment(name, t)
	return err == nil, x.finishMerge(old, dead, moved, added, err)
}

// finishMerge puts the merged segment in the place of the old ones. What died in those meanwhile is
// dead in it too.
func (x *Index) finishMerge(old []*segment, dead [][]bool, moved [][]int, added *segment, err error) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.endMerge(old)
	if err != nil {
		return rein.Errorf(rein.CodeUnavailable, "merge the index: %w", err)
	}
	for i, s := range old {
		for n := range s.dead {
			if s.dead[n] && !dead[i][n] {
				added.kill(moved[i][n])
			}
		}
	}
	return x.swap(old, added, nil)
}

// beginMerge picks segments, which stay until endMerge whatever dies in them.
func (x *Index) beginMerge() (old []*segment, dead [][]bool, name string) {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if old = x.mergeable(); len(old) == 0 {
		return nil, nil, ""
	}
	for _, s := range old {
		s.merging = true
		dead = append(dead, slices.Clone(s.dead))
	}
	return old, dead, x.newName("segment-")
}

func (x *Index) endMerge(old []*segment) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range old {
		s.merging = false
	}
}

// mergeable picks segments: one that is half dead, or neighbours in size.
func (x *Index) mergeable() []*segment {
	classes := map[int][]*segment{}
	for _, s := range x.segs {
		if s.deaths*2 > len(s.notes) {
			return []*segment{s}
		}
		class := 0
		for n := s.pieces(); n > 64; n /= 4 {
			class++
		}
		classes[class] = append(classes[class], s)
	}
	for class := range 16 {
		if len(classes[class]) >= mergeFan {
			return classes[class]
		}
	}
	return nil
}

// A Missing is a note with passages that have no vectors yet.
type Missing struct {
	Path string
	Keys map[chunk.Hash]bool
}

// MissingVectors returns notes whose passages have no vectors, at most limit of them, leaving out some
// passages.
func (x *Index) MissingVectors(limit int, without map[chunk.Hash]bool) (some []Missing) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	at := map[string]int{}
	for key, list := range x.waiting {
		if without[key] {
			continue
		}
		p := list[0] // the same passage in other notes gets its vectors too
		path := p.seg.notes[p.seg.noteOf[p.i]].Path
		i, ok := at[path]
		if !ok && len(some) < limit {
			i, ok = len(some), true
			at[path] = i
			some = append(some, Missing{path, map[chunk.Hash]bool{}})
		}
		if ok {
			some[i].Keys[key] = true
		}
	}
	return some
}
