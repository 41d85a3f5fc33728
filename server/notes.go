package server

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"rein"
	"rein/api"
	"rein/people"
	"rein/vault"
	"rein/vault/index"
)

// Notes are the notes of the household, if it has any.
type Notes interface {
	Search(context.Context, vault.Query) (vault.Results, error)
	Read(vault.Reading) (vault.Text, error)
	Links(ctx context.Context, path string) (vault.Links, error)
	HasHash(path string, start, end int, hash string) (bool, error)
	List() []vault.Entry
	Status() vault.Status
	Path() string // where they are
}

// withNotes is do for a server that has notes. They are of the household that the data is of: for
// another there are none.
func (s *server) withNotes(do handler) handler {
	return func(w http.ResponseWriter, r *http.Request, who people.Identity) error {
		if s.Notes == nil || who.Household != people.Host().Household {
			return rein.Errorf(rein.CodeUnavailable, "there are no notes here: name a folder of them with the setting vault")
		}
		return do(w, r, who)
	}
}

func (s *server) notesStatus(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, api.NotesStatus{Vault: s.Notes.Path(), Status: s.Notes.Status(), Entries: append([]vault.Entry{}, s.Notes.List()...)})
}

func (s *server) searchNotes(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	query := r.URL.Query()
	q := vault.Query{
		Texts: []string{query.Get("q")}, Explain: flag(r, "explain"), For: who.Household + "/" + who.User,
		Filter: index.Filter{Folder: query.Get("folder"), Tag: query.Get("tag")},
	}
	if query.Get("k") != "" {
		k := number(r, "k", vault.DefaultK)
		q.K = &k
	}
	if about := query.Get("about"); about != "" {
		q.About = []string{about}
	}
	found, err := s.Notes.Search(r.Context(), q)
	if err != nil {
		return err
	}
	if found.Hits == nil {
		found.Hits = []vault.Hit{}
	}
	told := api.NotesFound{Results: found, TookMS: found.Took.Milliseconds()}
	for _, h := range found.Hits {
		if h.File {
			if told.Open == nil {
				told.Open = map[string]api.NoteLinks{}
			}
			told.Open[h.Path] = linksTo(s.Notes.Path(), h.Path)
		}
	}
	return answer(w, http.StatusOK, told)
}

func (s *server) noteLinks(w http.ResponseWriter, r *http.Request, _ people.Identity) error {
	l, err := s.Notes.Links(r.Context(), r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, l)
}

// readNote shows a note at the place that a citation names, and says if it has changed since.
func (s *server) readNote(w http.ResponseWriter, r *http.Request, _ people.Identity) error {
	query := r.URL.Query()
	reading := vault.Reading{Path: query.Get("path"), Section: query.Get("section"), Max: number(r, "max", vault.MaxMax)}
	for name, field := range map[string]**int{"start": &reading.Start, "end": &reading.End} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be a number of characters", name, text)
		}
		*field = &n
	}
	t, err := s.Notes.Read(reading)
	if err != nil {
		return err
	}
	told := api.NoteText{NotePart: t, Links: linksTo(s.Notes.Path(), t.Path)}
	if hash := query.Get("hash"); hash != "" {
		same, err := s.Notes.HasHash(t.Path, t.Start, t.End, hash)
		if err != nil {
			return err
		}
		told.Changed = !same
	}
	return answer(w, http.StatusOK, told)
}

// linksTo are where else a note can be opened.
func linksTo(folder, path string) api.NoteLinks {
	full := filepath.Join(folder, filepath.FromSlash(path))
	return api.NoteLinks{
		Obsidian: "obsidian://open?" + strings.ReplaceAll(url.Values{"path": {full}}.Encode(), "+", "%20"),
		File:     (&url.URL{Scheme: "file", Path: filepath.ToSlash(full)}).String(),
	}
}

func (s *server) noteOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/notes", name: "notes", tag: "notes", summary: "The vault: how it is, and what of it is indexed, what is not, and why",
			needs: people.Read, answers: ok(api.NotesStatus{}), do: s.withNotes(s.notesStatus),
		},
		{
			method: "GET", path: "/v1/notes/search", name: "searchNotes", tag: "notes", summary: "Search the notes by words and by meaning, the best first",
			needs: people.Read, answers: ok(api.NotesFound{}), do: s.withNotes(s.searchNotes),
			query: []parameter{
				{name: "q", about: "what to look for"},
				{name: "k", about: "at most so many passages", most: vault.MaxK},
				{name: "folder", about: "only notes below this folder"},
				{name: "tag", about: "only notes with this tag, or one below it"},
				{name: "explain", about: "with why each is where it is", flag: true},
				{name: "about", about: "why this note is where it is, or is not found"},
			},
		},
		{
			method: "GET", path: "/v1/notes/links", name: "noteLinks", tag: "notes", summary: "The links of a note in both directions, and the notes that are related to it",
			needs: people.Read, answers: ok(api.LinkedNotes{}), do: s.withNotes(s.noteLinks),
			query: []parameter{{name: "path", about: "the note"}},
		},
		{
			method: "GET", path: "/v1/notes/read", name: "readNote", tag: "notes", summary: "A note, or a part of it: a section, or the characters that a citation names",
			needs: people.Read, answers: ok(api.NoteText{}), do: s.withNotes(s.readNote),
			query: []parameter{
				{name: "path", about: "the note"},
				{name: "section", about: "only below this heading, or the block of this ^id"},
				{name: "start", about: "the first character, from 0"},
				{name: "end", about: "the character after the last"},
				{name: "max", about: "at most so many characters", most: vault.MaxMax},
				{name: "hash", about: "of a citation: whether the note has changed since is told"},
			},
		},
	}
}
