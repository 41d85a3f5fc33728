package vault

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"rein/tool/reach"
	"rein/vault/index"
)

// A Ref names a note.
type Ref struct {
	Path  string `json:"path"`
	Title string `json:"title,omitempty"`
}

// Links is how a note hangs together with others.
type Links struct {
	Path      string   `json:"path"`
	Links     []Ref    `json:"links"`             // the notes that it links to
	Missing   []string `json:"missing,omitempty"` // links to what is no note here, as written
	Backlinks []Ref    `json:"backlinks"`         // the notes that link to it
	Related   []Ref    `json:"related"`           // the notes that are nearest to it and not linked with it, the nearest first
}

// maxRelated is how many related notes are told, and relatedText how much of a note they are found by.
const (
	maxRelated  = 5
	relatedText = 1500
)

// Links returns the links of a note in both directions, and the notes that are related to it.
func (v *Vault) Links(ctx context.Context, asked string) (Links, error) {
	if err := v.waitWords(ctx); err != nil {
		return Links{}, err
	}
	name, raw, err := v.readAllowed(asked)
	if err != nil {
		return Links{}, err
	}
	g := v.graph()
	l := Links{Path: name, Links: g.refs(g.to[name]), Missing: g.missing[name], Backlinks: g.refs(g.from[name])}
	text := strings.TrimSpace(string(raw[:ahead(raw, 0, len(raw), relatedText)]))
	l.Related = []Ref{}
	if text == "" {
		return l, nil
	}
	found, err := v.Search(ctx, Query{Texts: []string{index.FileTitle(name) + "\n" + strings.ToValidUTF8(text, " ")}})
	if err != nil {
		return Links{}, err
	}
	for _, h := range found.Hits {
		ref := Ref{h.Path, h.Title}
		if h.File || h.Path == name || len(l.Related) == maxRelated || slices.Contains(l.Links, ref) || slices.Contains(l.Backlinks, ref) || slices.Contains(l.Related, ref) {
			continue
		}
		l.Related = append(l.Related, ref)
	}
	return l, nil
}

// A graph is the links of all notes at one time.
type graph struct {
	at       int64
	titles   map[string]string
	to, from map[string][]string
	missing  map[string][]string
}

// graph returns the links as they are; they are worked out again only when the index has changed.
func (v *Vault) graph() *graph {
	at := v.changes.Load()
	if g := v.links.Load(); g != nil && g.at == at {
		return g
	}
	notes := v.index.Notes()
	names := newNames(notes)
	g := &graph{at: at, titles: map[string]string{}, to: map[string][]string{}, from: map[string][]string{}, missing: map[string][]string{}}
	for _, n := range notes {
		g.titles[n.Path] = n.Title
		for _, target := range n.Links {
			to, ok := names.find(n.Path, target)
			switch {
			case !ok:
				g.missing[n.Path] = append(g.missing[n.Path], target)
			case to != n.Path && !slices.Contains(g.to[n.Path], to):
				g.to[n.Path] = append(g.to[n.Path], to)
				g.from[to] = append(g.from[to], n.Path)
			}
		}
	}
	for _, list := range g.from {
		slices.Sort(list)
	}
	v.links.Store(g)
	return g
}

func (g *graph) refs(paths []string) []Ref {
	all := []Ref{}
	for _, p := range paths {
		all = append(all, Ref{p, g.titles[p]})
	}
	slices.SortFunc(all, func(a, b Ref) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// names finds the note that a link means.
type names struct {
	byPath map[string]string
	byName map[string]string // file names and aliases; of several the one with the shortest path
}

func newNames(notes []index.Note) *names {
	n := &names{byPath: map[string]string{}, byName: map[string]string{}}
	for _, note := range notes {
		n.byPath[bare(note.Path)] = note.Path
		for _, name := range append([]string{path.Base(note.Path)}, note.Aliases...) {
			key := bare(name)
			if had, ok := n.byName[key]; !ok || len(note.Path) < len(had) {
				n.byName[key] = note.Path
			}
		}
	}
	return n
}

// bare is a path or a name without its ending, in the form in which they are compared.
func bare(name string) string {
	if isNote(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return reach.Fold(strings.TrimPrefix(path.Clean(name), "/"))
}

// find looks for the note beside the one that links to it, from the vault's folder, then by its name.
func (n *names) find(from, target string) (string, bool) {
	for _, full := range []string{path.Join(path.Dir(from), target), target} {
		if found, ok := n.byPath[bare(full)]; ok {
			return found, true
		}
	}
	found, ok := n.byName[bare(target)]
	return found, ok
}
