package vault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein/vault/index"
	"rein/vault/parse"
)

// An Entry is a file of the vault and what became of it. Folders that are left out end in "/".
type Entry struct {
	Path     string    `json:"path"`
	Indexed  bool      `json:"indexed"`
	Why      string    `json:"why,omitempty"` // it is not
	Title    string    `json:"title,omitempty"`
	Tags     []string  `json:"tags,omitempty"`
	Lang     string    `json:"lang,omitempty"`
	Pieces   int       `json:"pieces,omitempty"`
	Size     int64     `json:"size,omitempty"`
	Changed  time.Time `json:"changed,omitzero"`
	Problems []string  `json:"problems,omitempty"`
}

// List returns every file of the vault by path: what is indexed, and what is not and why.
func (v *Vault) List() []Entry {
	var all []Entry
	for _, n := range v.index.Notes() {
		all = append(all, Entry{
			Path: n.Path, Indexed: true, Title: n.Title, Tags: n.Tags, Lang: n.Lang.String(), Pieces: n.Pieces(),
			Size: n.Size, Changed: time.Unix(0, n.ModTime).UTC(), Problems: n.Problems,
		})
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for path, why := range v.skipped {
		all = append(all, Entry{Path: path, Why: why})
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// TooLarge names the notes of an index that are not searched as others are, beside whoever uses it.
func TooLarge(dir string) ([]string, error) {
	notes, err := index.Peek(dir)
	return tooLarge(notes), err
}

func tooLarge(notes []index.Note) (paths []string) {
	for _, n := range notes {
		if slices.ContainsFunc(n.Problems, func(p string) bool { return strings.HasPrefix(p, parse.TooMuch) }) {
			paths = append(paths, n.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Status is how a vault is.
type Status struct {
	Notes    int      `json:"notes"`
	Skipped  int      `json:"skipped"`
	Missing  int      `json:"missing_vectors"` // passages
	Embedder string   `json:"embedder,omitempty"`
	Progress Progress `json:"progress"`
	Notices  []string `json:"notices,omitempty"` // what is not as it should be
}

// Status returns how the vault is.
func (v *Vault) Status() Status {
	s := Status{Notes: v.index.Count(), Progress: v.Progress()}
	if v.embedder != nil {
		s.Embedder = v.embedder.ID()
		s.Missing = v.index.Waiting()
	}
	if n := len(tooLarge(v.index.Notes())); n > 0 {
		s.Notices = append(s.Notices, fmt.Sprintf("%d notes are too large to be searched in full: `rein notes` names them; split them", n))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	s.Skipped = len(v.skipped)
	for _, err := range []error{v.writeErr, v.embedErr, v.watchErr} {
		if err != nil && !stopped(err) {
			s.Notices = append(s.Notices, err.Error())
		}
	}
	return s
}
