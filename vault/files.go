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

// otherFiles are the files of a vault that are no notes, with what their names say.
type otherFiles struct {
	paths []string
	names [][]string       // the words of each name, without its ending
	holds map[string][]int // the files that have a word in their name
}

// others returns them as of the newest look through the folder. A folder may hold very many pictures, so
// names are read once and not with every search.
func (v *Vault) others() *otherFiles {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.other != nil {
		return v.other
	}
	o := &otherFiles{holds: map[string][]int{}}
	for file, why := range v.skipped {
		if why == notMarkdown && !strings.HasSuffix(file, "/") {
			o.paths = append(o.paths, file)
		}
	}
	slices.Sort(o.paths)
	for i, file := range o.paths {
		o.names = append(o.names, words.Of(strings.TrimSuffix(path.Base(file), path.Ext(file))))
		for _, w := range o.names[i] {
			o.holds[w] = append(o.holds[w], i)
		}
	}
	v.other = o
	return o
}

// addFiles adds other files that a query names: they have no words of their own, so only a name that is
// mostly in the query, or that has most of the query, is found.
func (v *Vault) addFiles(s *search) {
	if s.Filter.Tag != "" {
		return
	}
	o := v.others()
	scores := map[int]float64{}
	for _, text := range s.Texts {
		asked := words.Of(text)
		for _, w := range asked {
			for _, i := range o.holds[w] {
				if _, ok := scores[i]; !ok || len(s.Texts) > 1 {
					scores[i] = max(scores[i], namedBy(asked, o.names[i], path.Ext(o.paths[i])))
				}
			}
		}
	}
	var hits []Hit
	for i, score := range scores {
		if file := o.paths[i]; score > 0 && s.Filter.Holds(file) {
			hits = append(hits, Hit{Path: file, Score: score, File: true, Title: path.Base(file), Snippet: "a file that is not a note: " + path.Base(file)})
		}
	}
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

// namedBy says how well the words of a query name a file, 0 if they do not.
func namedBy(asked, name []string, ending string) float64 {
	ending = strings.ToLower(strings.TrimPrefix(ending, "."))
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
