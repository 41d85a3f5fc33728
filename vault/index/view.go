package index

import (
	"slices"
	"strings"

	"rein/vault/chunk"
)

// A View is the index as one search sees it. Pieces are numbered from 0, dead ones among them.
type View struct {
	segs   []*segment
	base   []int
	pieces int
	live   int
	volume float64
	vec    *vectors
	lent   buffers
}

// Look calls fn with a view that does not change and is good until fn returns.
func (x *Index) Look(fn func(*View) error) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.closed {
		return errClosed()
	}
	v := &View{segs: x.segs, vec: x.vec}
	defer v.lent.giveBack()
	for _, s := range x.segs {
		v.base = append(v.base, v.pieces)
		v.pieces += s.pieces()
		v.live += s.live
		v.volume += s.volume
	}
	return fn(v)
}

// Live returns how many pieces can be found.
func (v *View) Live() int { return v.live }

// Pieces returns how many numbers there are.
func (v *View) Pieces() int { return v.pieces }

// find returns the segment of a piece and its number there.
func (v *View) find(piece int) (*segment, int) {
	low, high := 0, len(v.base)
	for high-low > 1 {
		if mid := (low + high) / 2; v.base[mid] <= piece {
			low = mid
		} else {
			high = mid
		}
	}
	return v.segs[low], piece - v.base[low]
}

// A Found is what is known of a piece.
type Found struct {
	Note               *Note
	Ordinal            int // among the pieces of its note
	Section            string
	Start, End         int // bytes
	RuneStart, RuneEnd int
	Size               int
	Hash               chunk.Hash
	Print              []byte
	anchors            []byte
}

// Piece returns what is known of a piece. The print, and where sections begin, are good as long as the
// view.
func (v *View) Piece(piece int) Found {
	s, i := v.find(piece)
	n := &s.notes[s.noteOf[i]]
	section, anchors := s.section(i)
	return Found{
		Note: n, Ordinal: i - int(n.first), Section: section, anchors: anchors, Start: int(s.field(i, 1)), End: int(s.field(i, 2)),
		RuneStart: int(s.field(i, 3)), RuneEnd: int(s.field(i, 4)), Size: int(s.size[i]), Hash: s.hash(i), Print: s.print(i),
	}
}

// Lacks reports whether a piece has a passage without a vector, and which.
func (v *View) Lacks(piece int) (path string, key chunk.Hash, ok bool) {
	s, i := v.find(piece)
	key = s.key(i)
	return s.notes[s.noteOf[i]].Path, key, key != chunk.Hash{} && i < len(s.slots) && s.slots[i].count == 0
}

// Size returns the characters of a piece.
func (v *View) Size(piece int) int {
	s, i := v.find(piece)
	return int(s.size[i])
}

// EachSize calls yield with the sizes of pieces, from the numbered one on, until all were told.
func (v *View) EachSize(yield func(first int, sizes []uint32)) {
	for k, s := range v.segs {
		yield(v.base[k], s.size)
	}
}

// NotePieces returns the pieces of a note, from first up to end.
func (v *View) NotePieces(path string) (first, end int, ok bool) {
	for k, s := range v.segs {
		for i := range s.notes {
			if n := &s.notes[i]; !s.dead[i] && n.Path == path {
				first = v.base[k] + int(n.first)
				return first, first + int(n.count), true
			}
		}
	}
	return 0, 0, false
}

// A Filter narrows a search. The zero value lets everything through.
type Filter struct {
	Folder string // the path of a folder; everything below it passes
	Tag    string // notes with the tag or one below it pass
}

// clean brings a filter into the form that Allowed compares; "", "." and "/" are no folder.
func (f Filter) clean() Filter {
	var parts []string
	for p := range strings.SplitSeq(f.Folder, "/") {
		if p != "" && p != "." {
			parts = append(parts, p)
		}
	}
	return Filter{Folder: strings.Join(parts, "/"), Tag: tagKey(f.Tag)}
}

// Holds reports whether a path lies in the folder of the filter.
func (f Filter) Holds(path string) bool { return inFolder(path, f.clean().Folder) }

// Passes reports whether a note passes the filter.
func (f Filter) Passes(n Note) bool {
	f = f.clean()
	tagged := f.Tag == "" || slices.ContainsFunc(n.Tags, func(tag string) bool {
		key := tagKey(tag)
		return key == f.Tag || inFolder(key, f.Tag)
	})
	return tagged && inFolder(n.Path, f.Folder)
}

// Allowed returns for each piece whether it is alive and passes the filter.
func (v *View) Allowed(f Filter) []bool {
	f = f.clean()
	allowed := make([]bool, v.pieces)
	for k, s := range v.segs {
		part := allowed[v.base[k]:]
		if f == (Filter{}) {
			copy(part, s.alive)
			continue
		}
		tagged := s.tagged(f.Tag)
		for i := range s.notes {
			n := &s.notes[i]
			if s.dead[i] || f.Tag != "" && !tagged[n.first] || !inFolder(n.Path, f.Folder) {
				continue
			}
			for p := n.first; p < n.first+n.count; p++ {
				part[p] = true
			}
		}
	}
	return allowed
}

// inFolder reports whether a path lies below a folder; "" is the vault itself.
func inFolder(path, folder string) bool {
	return folder == "" || strings.HasPrefix(path, folder) && len(path) > len(folder) && path[len(folder)] == '/'
}

// tagged returns the first pieces of the notes that have a tag or one below it.
func (s *segment) tagged(tag string) map[uint32]bool {
	set := map[uint32]bool{}
	if tag == "" {
		return set
	}
	if o, ok := s.find(partTerms, partTermEnds, keyTag+tag); ok {
		for p := s.postings(o); ; {
			c, _, ok := p.next()
			if !ok {
				return set
			}
			set[c] = true
		}
	}
	return set
}
