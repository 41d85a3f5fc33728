package vault

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"rein/vault/rank"
	"rein/vault/words"
)

const (
	notMarkdown = "not Markdown"
	maxFiles    = 3 // of a search
)

// addFiles adds other files that a query names: they have no words of their own, so only a name that is
// mostly in the query, or that has most of the query, is found.
func (v *Vault) addFiles(s *search) {
	if s.Filter.Tag != "" {
		return
	}
	var hits []Hit
	v.mu.Lock()
	for file, why := range v.skipped {
		if why != notMarkdown || strings.HasSuffix(file, "/") || !s.Filter.Holds(file) {
			continue
		}
		best := 0.0
		for _, text := range s.Texts {
			best = max(best, namedBy(text, file))
		}
		if best > 0 {
			hits = append(hits, Hit{Path: file, Score: best, File: true, Title: path.Base(file), Snippet: "a file that is not a note: " + path.Base(file)})
		}
	}
	v.mu.Unlock()
	if len(hits) == 0 {
		return
	}
	byScore := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path)) }
	slices.SortFunc(hits, byScore)
	all := s.results.Hits
	for _, h := range hits[:min(len(hits), maxFiles)] {
		at := slices.IndexFunc(all, func(other Hit) bool { return other.Score < h.Score })
		if at < 0 {
			at = len(all)
		}
		all = slices.Insert(all, at, h)
	}
	s.results.Hits = all[:min(len(all), s.k)]
}

// namedBy says how well a query names a file, 0 if it does not.
func namedBy(query, file string) float64 {
	name := words.Of(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	ending := strings.ToLower(strings.TrimPrefix(path.Ext(file), "."))
	asked := words.Of(query)
	said, shared, of := 0, 0, 0
	for _, w := range asked {
		switch {
		case slices.Contains(name, w):
			shared++
			said++
		case w == ending: // "the contract pdf" means the contract
		case !words.IsSmall(w):
			said++
		}
	}
	for _, w := range name {
		if slices.Contains(asked, w) {
			of++
		}
	}
	if shared == 0 || of < len(name) && 2*shared <= said {
		return 0
	}
	if of == len(name) && shared == said {
		return rank.NameWhole
	}
	return rank.NamePart * float64(shared) / float64(max(said, 1))
}
