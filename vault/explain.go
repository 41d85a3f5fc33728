package vault

import (
	"fmt"

	"rein/vault/index"
	"rein/vault/rank"
)

// rankAbout finds where the notes that were asked about stand for one query.
func (s *search) rankAbout(view *index.View, scores []float32, o *one) {
	if s.ranks == nil {
		s.ranks = map[string]About{}
	}
	for _, path := range s.About {
		first, end, ok := view.NotePieces(path)
		if !ok {
			continue
		}
		best := first
		for piece := first; piece < end; piece++ {
			if scores[piece] > scores[best] {
				best = piece
			}
		}
		top := scores[best]
		if top < 0 {
			continue
		}
		place := 1
		for piece, v := range scores {
			if v > top || v == top && piece < best {
				place++
			}
		}
		if had, ok := s.ranks[path]; !ok || float64(top) > had.Score {
			p, _ := o.parts(best)
			p.Short = rank.Shortness(view.Size(best), s.short)
			s.ranks[path] = About{Path: path, Rank: place, Score: finite(float64(top)), Why: &p}
		}
	}
}

// explain says of each note that was asked about where it is or why it is not.
func (s *search) explain(v *Vault) {
	for _, path := range s.About {
		about := s.ranks[path]
		about.Path = path
		about.Says = s.says(v, path, about)
		s.results.About = append(s.results.About, about)
	}
}

func (s *search) says(v *Vault, path string, about About) string {
	for i, h := range s.results.Hits {
		if h.Path == path {
			return fmt.Sprintf("hit %d of %d", i+1, len(s.results.Hits))
		}
	}
	if about.Rank > 0 {
		return fmt.Sprintf("not among the %d hits: its best piece is number %d by score", len(s.results.Hits), about.Rank)
	}
	if n, ok := v.index.Note(path); ok {
		if !s.Filter.Passes(n) {
			return "it does not pass the filter"
		}
		return "it has no word of the query and is not near it"
	}
	v.mu.Lock()
	why, skipped := v.skipped[path]
	v.mu.Unlock()
	switch refused := v.folder.filter.Refuses(path); {
	case refused != "":
		return "not indexed: " + refused
	case skipped:
		return "not indexed: " + why
	}
	return "not indexed: there is no such note"
}
