package index

import (
	"encoding/binary"
	"math"
)

const gone = math.MaxUint32

// mergeTable joins segments into one and leaves out what was dead when it began. The second result
// says where each note went.
func mergeTable(segs []*segment, dead [][]bool) (*table, [][]int) {
	t := &table{}
	chunks, notes := make([][]uint32, len(segs)), make([][]int, len(segs))
	next := uint32(0)
	for i, s := range segs {
		chunks[i], notes[i] = make([]uint32, s.pieces()), make([]int, len(s.notes))
		for j := range s.notes {
			n := s.notes[j]
			notes[i][j] = -1
			for p := n.first; p < n.first+n.count; p++ {
				chunks[i][p] = gone
			}
			if dead[i][j] {
				continue
			}
			from := n.first
			n.first = next
			notes[i][j] = len(t.notes)
			for p := from; p < from+n.count; p++ {
				chunks[i][p] = next
				t.copyRecord(s, int(p), uint32(len(t.notes)))
				next++
			}
			t.notes = append(t.notes, n)
		}
	}
	t.terms = func(yield func(string, []posting)) { mergeTerms(segs, chunks, yield) }
	return t, notes
}

func (t *table) copyRecord(s *segment, piece int, note uint32) {
	at := t.addSection(s.section(piece))
	from := len(t.chunks)
	t.chunks = append(t.chunks, s.record(piece)...)
	binary.LittleEndian.PutUint32(t.chunks[from:], note)
	binary.LittleEndian.PutUint32(t.chunks[from+28:], at)
}

// mergeTerms walks over the sorted keys of all segments at once.
func mergeTerms(segs []*segment, chunks [][]uint32, yield func(string, []posting)) {
	at := make([]int, len(segs))
	var list []posting
	for {
		least, some := "", false
		for i, s := range segs {
			if at[i] < s.terms() {
				if key := s.term(at[i]); !some || string(key) < least {
					least, some = string(key), true
				}
			}
		}
		if !some {
			return
		}
		list = list[:0]
		for i, s := range segs {
			if at[i] == s.terms() || string(s.term(at[i])) != least {
				continue
			}
			for p := s.postings(at[i]); ; {
				c, tf, ok := p.next()
				if !ok || int(c) >= len(chunks[i]) {
					break
				}
				if chunks[i][c] != gone {
					list = append(list, posting{chunks[i][c], tf})
				}
			}
			at[i]++
		}
		if len(list) > 0 {
			yield(least, list)
		}
	}
}
