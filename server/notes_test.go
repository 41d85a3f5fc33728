package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/server"
	"rein/vault"
	"rein/vault/stage"
)

// shelfOfNotes is a vault with a place.
type shelfOfNotes struct {
	*vault.Vault
	path string
}

func (s shelfOfNotes) Path() string { return s.path }

// oneVault gives whoever asks the same notes.
type oneVault struct{ notes server.Notes }

func (v oneVault) Notes(context.Context, rein.Identity, string) (server.Notes, func(), error) {
	return v.notes, func() {}, nil
}

func (oneVault) Desk(context.Context, rein.Identity, string) (_ stage.Person, _ func(), err error) {
	return stage.Person{}, nil, rein.Errorf(rein.CodeUnavailable, "there is no desk here")
}

func (oneVault) Staged(context.Context, rein.Identity) ([]string, error) { return nil, nil }

func (oneVault) WorkspaceOf(context.Context, rein.Identity, string) (string, error) { return "", nil }

// TestNotes searches and reads notes over the API, and tells when one has changed since it was cited.
//
// Covers: HUM-63
func TestNotes(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"Garden/Beans.md": "# Beans\n\nBeans want warm soil, twelve degrees.\n\n## Harvest\n\nIn August.\n", "Cars.md": "# Cars\n\nCars need oil. See [[Beans]].\n", "photo.png": "x"} {
		check(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	root, err := os.OpenRoot(dir)
	check(t, err)
	defer root.Close()
	v, err := vault.Open(t.Context(), vault.Options{Root: root, Index: t.TempDir(), Still: true})
	check(t, err)
	defer v.Close()
	check(t, v.Sync(context.Background()))
	handler := checked(r, server.New(server.Options{
		Engine: r.engine, Store: r.store, Feed: r.feed, Who: who, Notes: oneVault{shelfOfNotes{v, dir}},
		Health: func() api.Health { return api.Health{} },
	}))
	r.handler = handler
	var status api.NotesStatus
	check(t, json.Unmarshal(r.get("/v1/notes"), &status))
	if status.Vault != dir || status.Notes != 2 || len(status.Entries) != 3 {
		t.Errorf("the vault is %+v", status)
	}
	var found api.NotesFound
	check(t, json.Unmarshal(r.get("/v1/notes/search?q=warm+soil&explain=1&about=Cars.md"), &found))
	if len(found.Hits) == 0 || found.Hits[0].Path != "Garden/Beans.md" || found.Hits[0].Why == nil || len(found.About) != 1 {
		t.Fatalf("found %+v", found)
	}
	hit := found.Hits[0]
	var links api.LinkedNotes
	check(t, json.Unmarshal(r.get("/v1/notes/links?path=Garden/Beans.md"), &links))
	if len(links.Backlinks) != 1 || links.Backlinks[0].Path != "Cars.md" || len(links.Links) != 0 {
		t.Errorf("the links are %+v", links)
	}
	var files api.NotesFound
	check(t, json.Unmarshal(r.get("/v1/notes/search?q=the+photo"), &files))
	if len(files.Hits) != 1 || !files.Hits[0].File || !strings.HasPrefix(files.Open["photo.png"].File, "file:///") {
		t.Errorf("a file that is no note is found as %+v", files)
	}
	cited := "/v1/notes/read?path=Garden/Beans.md&start=" + strconv.Itoa(hit.Start) + "&end=" + strconv.Itoa(hit.End) + "&hash=" + hit.Hash
	var text api.NoteText
	check(t, json.Unmarshal(r.get(cited), &text))
	if text.Changed || !strings.Contains(text.Text, "warm soil") || !strings.HasPrefix(text.Links.Obsidian, "obsidian://open?path=") || !strings.HasPrefix(text.Links.File, "file:///") {
		t.Errorf("the cited text is %+v", text)
	}
	check(t, json.Unmarshal(r.get("/v1/notes/read?path=Garden/Beans.md&hash="+text.Hash), &text))
	if text.Changed {
		t.Error("the whole note counts as changed")
	}
	check(t, os.WriteFile(filepath.Join(dir, "Garden/Beans.md"), []byte("# Beans\n\nBeans want cold soil.\n"), 0o600))
	check(t, json.Unmarshal(r.get(cited), &text))
	if !text.Changed {
		t.Error("a note that was edited counts as unchanged")
	}
	// A link opens the note where the text is, and a file that is no note is offered and sent.
	check(t, os.WriteFile(filepath.Join(dir, "Garden/Deep.md"), []byte("# Deep\n\n## A: b #1\n\nHere. ^spot\n"), 0o600))
	for target, anchor := range map[string]string{
		"/v1/notes/read?path=Garden/Deep.md&section=A:+b+%231": "Deep#A b 1", "/v1/notes/read?path=Garden/Deep.md&start=20": "Deep#A b 1",
		"/v1/notes/read?path=Garden/Deep.md&section=^spot": "^spot", "/v1/notes/read?path=Garden/Deep": "Deep",
	} {
		check(t, json.Unmarshal(r.get(target), &text))
		link, err := url.Parse(text.Links.Obsidian)
		if err != nil || link.Query().Get("path") != filepath.Join(dir, "Garden/Deep.md")+"#"+anchor {
			t.Errorf("%s links to %s: %v", target, text.Links.Obsidian, err)
		}
		file, err := url.Parse(text.Links.File)
		if err != nil || file.Path != filepath.Join(dir, "Garden/Deep.md") || file.Fragment != anchor {
			t.Errorf("%s links to %s: %v", target, text.Links.File, err)
		}
	}
	check(t, os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("y"), 0o600))
	for name, content := range map[string]string{"photo.png": "x", "LICENSE": "y"} {
		var other api.NoteText
		check(t, json.Unmarshal(r.get("/v1/notes/read?path="+name), &other))
		if !other.File || other.Path != name || other.Text != "" || len(other.Notices) != 1 || !strings.Contains(other.Notices[0], "is not a note") {
			t.Errorf("a file that is no note is shown as %+v", other)
		}
		w := r.request("GET", other.Links.Download, "", nil)
		if w.Code != http.StatusOK || w.Body.String() != content || w.Header().Get("Content-Disposition") != "attachment; filename="+name || w.Header().Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
			t.Errorf("%s is sent as %d %v %q", name, w.Code, w.Header(), w.Body)
		}
	}
	check(t, os.Symlink("/etc/passwd", filepath.Join(dir, "link.pdf")))
	for target, status := range map[string]int{
		"/v1/notes/file?path=link.pdf": http.StatusForbidden, "/v1/notes/read?path=link.pdf": http.StatusForbidden,
		"/v1/notes/file?path=../x.pdf": http.StatusForbidden, "/v1/notes/file?path=Garden": http.StatusBadRequest, "/v1/notes/file?path=": http.StatusBadRequest,
		"/v1/notes/file?path=none.pdf": http.StatusNotFound, "/v1/notes/read?path=none.pdf": http.StatusNotFound,
		"/v1/notes/search?q=":                     http.StatusBadRequest,
		"/v1/notes/search?q=x&k=0":                http.StatusBadRequest,
		"/v1/notes/read?path=none.md":             http.StatusNotFound,
		"/v1/notes/links?path=none.md":            http.StatusNotFound,
		"/v1/notes/read?path=../etc/passwd":       http.StatusForbidden,
		"/v1/notes/read?path=Cars.md&start=x":     http.StatusBadRequest,
		"/v1/notes/read?path=Cars.md&section=Oil": http.StatusNotFound,
		"/v1/notes/search?q=beans&folder=Cars":    http.StatusOK,
	} {
		if w := r.request("GET", target, "", nil); w.Code != status {
			t.Errorf("GET %s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/v1/notes", "/v1/notes/search?q=beans", "/v1/notes/read?path=Cars.md", "/v1/notes/file?path=Cars.md", "/v1/notes/commits"} {
		if w := r.request("GET", target, "stranger", nil); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "oil") {
			t.Errorf("another household, GET %s: %d %s", target, w.Code, w.Body)
		}
	}
}
