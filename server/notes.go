package server

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"rein"
	"rein/api"
	"rein/vault"
	"rein/vault/index"
	"rein/vault/stage"
)

// Notes are the notes of the household, if it has any.
type Notes interface {
	Search(context.Context, vault.Query) (vault.Results, error)
	Read(vault.Reading) (vault.Text, error)
	Links(ctx context.Context, path string) (vault.Links, error)
	HasHash(path string, start, end int, hash string) (bool, error)
	// IsNote reports whether a path names a note; OpenFile opens a note or another file.
	IsNote(path string) bool
	OpenFile(path string) (name string, _ *os.File, _ error)
	List() []vault.Entry
	Status() vault.Status
	Path() string // where they are
}

// Vaults are the notes of the workspaces. The empty name is the default workspace.
type Vaults interface {
	// Notes opens the notes of a workspace until release is called. One that has none is CodeUnavailable,
	// one that the asker may not name CodeNotFound.
	Notes(ctx context.Context, who rein.Identity, workspace string) (_ Notes, release func(), _ error)
	// Desk opens the place of their changes, in the same way.
	Desk(ctx context.Context, who rein.Identity, workspace string) (_ stage.Person, release func(), _ error)
	// Staged lists the sessions of the asker that have changed notes and not committed them.
	Staged(ctx context.Context, who rein.Identity) (sessions []string, _ error)
	// WorkspaceOf names the workspace of a session of the asker. One without runs is in the default one.
	WorkspaceOf(ctx context.Context, who rein.Identity, session string) (string, error)
}

// A noteReader answers a request about notes.
type noteReader func(w http.ResponseWriter, r *http.Request, who rein.Identity, notes Notes) error

// withNotes opens the notes of the workspace that a request names.
func (s *server) withNotes(do noteReader) handler {
	return func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
		name := r.URL.Query().Get("workspace")
		if err := s.mayRead(who, name); err != nil {
			return err
		}
		notes, release, err := s.Notes.Notes(r.Context(), who, name)
		if err != nil {
			return err
		}
		defer release()
		return do(w, r, who, notes)
	}
}

// mayRead refuses the default notes to other households: they belong to the one that the data belongs to.
func (s *server) mayRead(who rein.Identity, workspace string) error {
	if s.Notes == nil || workspace == "" && who.Household != rein.Host().Household {
		return rein.Errorf(rein.CodeUnavailable, "there are no notes here: set vault to a folder of notes")
	}
	return nil
}

func notesStatus(w http.ResponseWriter, _ *http.Request, _ rein.Identity, notes Notes) error {
	return answer(w, http.StatusOK, api.NotesStatus{Vault: notes.Path(), VaultStatus: apiVaultStatus(notes.Status()), Entries: each(notes.List(), apiEntry)})
}

func searchNotes(w http.ResponseWriter, r *http.Request, who rein.Identity, notes Notes) error {
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
	found, err := notes.Search(r.Context(), q)
	if err != nil {
		return err
	}
	told := apiFound(found)
	for _, h := range found.Hits {
		if h.File {
			if told.Open == nil {
				told.Open = map[string]api.NoteLinks{}
			}
			told.Open[h.Path] = linksTo(notes.Path(), h.Path, "", query.Get("workspace"))
		}
	}
	return answer(w, http.StatusOK, told)
}

func noteLinks(w http.ResponseWriter, r *http.Request, _ rein.Identity, notes Notes) error {
	l, err := notes.Links(r.Context(), r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, apiLinks(l))
}

// readNote shows a note at the place that a citation names, and says if it has changed since.
func readNote(w http.ResponseWriter, r *http.Request, _ rein.Identity, notes Notes) error {
	query := r.URL.Query()
	reading := vault.Reading{Path: query.Get("path"), Section: query.Get("section"), Max: number(r, "max", vault.MaxMax)}
	for name, field := range map[string]**int{"start": &reading.Start, "end": &reading.End} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be a whole number, 0 or more", name, text)
		}
		*field = &n
	}
	if !notes.IsNote(reading.Path) {
		return readOther(w, query, notes)
	}
	t, err := notes.Read(reading)
	if err != nil {
		return err
	}
	told := api.NoteText{NotePart: api.NotePart(t), Links: linksTo(notes.Path(), t.Path, t.Anchor, query.Get("workspace"))}
	if hash := query.Get("hash"); hash != "" {
		same, err := notes.HasHash(t.Path, t.Start, t.End, hash)
		if err != nil {
			return err
		}
		told.Changed = !same
	}
	return answer(w, http.StatusOK, told)
}

// readOther answers for a file that is no note: it has no text to show, so it says where to open it.
func readOther(w http.ResponseWriter, query url.Values, notes Notes) error {
	name, file, err := notes.OpenFile(query.Get("path"))
	if err != nil {
		return err
	}
	defer file.Close()
	links := linksTo(notes.Path(), name, "", query.Get("workspace"))
	told := api.NoteText{File: true, Links: links}
	told.Path, told.Notices = name, []string{"this file is not a note, so there is no text to show: open it with one of its links, or download it from " + links.Download}
	return answer(w, http.StatusOK, told)
}

// openNote sends a file of the vault as it is, never as something that a browser would run.
func openNote(w http.ResponseWriter, r *http.Request, _ rein.Identity, notes Notes) error {
	name, file, err := notes.OpenFile(r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	http.ServeContent(w, r, "", info.ModTime(), file)
	return nil
}

// linksTo are where else a note can be opened, at the anchor if there is one.
func linksTo(folder, name, anchor, workspace string) api.NoteLinks {
	full := filepath.Join(folder, filepath.FromSlash(name))
	at, query := full, url.Values{"path": {name}}
	if anchor != "" {
		at += "#" + anchor
	}
	if workspace != "" {
		query.Set("workspace", workspace)
	}
	return api.NoteLinks{
		Obsidian: "obsidian://open?" + spaced(url.Values{"path": {at}}),
		File:     (&url.URL{Scheme: "file", Path: filepath.ToSlash(full), Fragment: anchor}).String(),
		Download: "/v1/notes/file?" + spaced(query),
	}
}

// spaced writes a query with %20 for a space, as every program reads it.
func spaced(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }

var inWorkspace = parameter{name: "workspace", about: "the workspace that has the notes, as GET /v1/workspaces lists it; empty: the default workspace"}

func (s *server) noteOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/notes", name: "notes", tag: "notes", summary: "Get the state of the vault and its files: which are indexed, which are not, and why",
			needs: rein.ScopeRead, answers: ok(api.NotesStatus{}), do: s.withNotes(notesStatus),
			query: []parameter{inWorkspace},
		},
		{
			method: "GET", path: "/v1/notes/search", name: "searchNotes", tag: "notes", summary: "Search the notes by words and by meaning, best match first",
			needs: rein.ScopeRead, answers: ok(api.NotesFound{}), do: s.withNotes(searchNotes),
			query: []parameter{
				{name: "q", about: "the search text"},
				{name: "k", about: "how many passages at most", most: vault.MaxK},
				{name: "folder", about: "only notes below this folder"},
				{name: "tag", about: "only notes with this tag, or a tag below it"},
				{name: "explain", about: "explain the score of each hit", flag: true},
				{name: "about", about: "a note: explain where it ranks, or why it was not found"},
				inWorkspace,
			},
		},
		{
			method: "GET", path: "/v1/notes/links", name: "noteLinks", tag: "notes", summary: "Get the links of a note in both directions, and related notes",
			needs: rein.ScopeRead, answers: ok(api.LinkedNotes{}), do: s.withNotes(noteLinks),
			query: []parameter{{name: "path", about: "the note"}, inWorkspace},
		},
		{
			method: "GET", path: "/v1/notes/read", name: "readNote", tag: "notes", summary: "Read a note or a part of it: a section, or the characters that a citation names",
			needs: rein.ScopeRead, answers: ok(api.NoteText{}), do: s.withNotes(readNote),
			query: []parameter{
				{name: "path", about: "the note"},
				{name: "section", about: "only the section with this heading, or the block with this ^id"},
				{name: "start", about: "the first character, counted from 0"},
				{name: "end", about: "the character after the last"},
				{name: "max", about: "how many characters at most", most: vault.MaxMax},
				{name: "hash", about: "the hash from a citation; the answer says whether the note has changed since"},
				inWorkspace,
			},
		},
		{
			method: "GET", path: "/v1/notes/file", name: "openNote", tag: "notes", summary: "Download a file of the vault: a PDF, a picture or a note",
			needs: rein.ScopeRead, do: s.withNotes(openNote), query: []parameter{{name: "path", about: "the file"}, inWorkspace},
			answers: []reply{
				{status: http.StatusOK, media: "application/octet-stream"}, {status: http.StatusPartialContent, media: "application/octet-stream"}, {status: http.StatusNotModified},
			},
		},
	}
}
