package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// The most that the page may have, in bytes as they are sent (gzip).
const (
	maxAll   = 2 << 20
	maxFirst = 150_000
)

func mux() *http.ServeMux {
	m := http.NewServeMux()
	h := Handler()
	for _, at := range Paths() {
		m.Handle(at, h)
	}
	return m
}

func get(t *testing.T, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	mux().ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestViewsAreThePage(t *testing.T) {
	for _, path := range []string{"/", "/s/a.b", "/asks", "/runs", "/runs/r1.2", "/runs/r1/tree", "/compare/a.1/b", "/settings"} {
		r := get(t, path)
		if r.StatusCode != http.StatusOK || !strings.Contains(text(t, r), "<title>rein</title>") {
			t.Errorf("GET %s: %s, want the page", path, r.Status)
		}
		if got := r.Header.Get("Content-Security-Policy"); got != Policy || strings.Contains(got, "unsafe") {
			t.Errorf("GET %s: policy %q", path, got)
		}
	}
}

func TestEveryFileIsServed(t *testing.T) {
	err := fs.WalkDir(built, "dist", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "index.html") {
			return err
		}
		name := strings.TrimPrefix(path, "dist")
		want, err := fs.ReadFile(built, path)
		if err != nil {
			return err
		}
		r := get(t, name)
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") == "" || text(t, r) != string(want) {
			t.Errorf("GET %s: %s, type %q: not the file, or web.Paths lacks it", name, r.Status, r.Header.Get("Content-Type"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	for _, path := range []string{"/assets/nothing.js", "/assets/..%2findex.html", "/s", "/nothing", "/web.go"} {
		if r := get(t, path); r.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: %s, want 404", path, r.Status)
		}
	}
	w := httptest.NewRecorder()
	mux().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST /: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestCompressedAndKept(t *testing.T) {
	plain, small := get(t, "/"), get(t, "/", "Accept-Encoding", "gzip")
	if small.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("the page is not compressed for a browser that asks for it")
	}
	z, err := gzip.NewReader(small.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if want := text(t, plain); err != nil || string(got) != want {
		t.Errorf("compressed: %q, %v; want %q", got, err, want)
	}
	if again := get(t, "/", "If-None-Match", plain.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with its tag: %s, want 304", again.Status)
	}
}

var (
	// assets finds what index.html loads at once, and imports what a script cannot begin without.
	assets  = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	imports = regexp.MustCompile("(?:from|import) ?[`\"']\\./([^`\"']+\\.js)[`\"']")
)

// firstLoad returns the files that a browser needs before it shows anything, by their address.
func firstLoad(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{"/": text(t, get(t, "/"))}
	var load func(path string)
	load = func(path string) {
		if _, done := files[path]; done {
			return
		}
		files[path] = text(t, get(t, path))
		for _, m := range imports.FindAllStringSubmatch(files[path], -1) {
			load("/assets/" + m[1])
		}
	}
	for _, m := range assets.FindAllStringSubmatch(files["/"], -1) {
		load(m[1])
	}
	return files
}

// TestSize holds what a person waits for at first, and all of it together.
func TestSize(t *testing.T) {
	first := 0
	for _, file := range firstLoad(t) {
		first += packed([]byte(file))
	}
	all := 0
	err := fs.WalkDir(built, "dist", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(built, path)
		all += packed(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("first load %d kB, all files %d kB, compressed", first/1000, all/1000)
	if first > maxFirst {
		t.Errorf("the first load has %d bytes, compressed: at most %d", first, maxFirst)
	}
	if all > maxAll {
		t.Errorf("the page has %d bytes, compressed: at most %d", all, maxAll)
	}
}

func packed(data []byte) int {
	if small := compress(data); small != nil {
		return len(small)
	}
	return len(bytes.TrimSpace(data))
}

// TestManifest: what a browser needs to install the page, and every file that it names.
func TestManifest(t *testing.T) {
	r := get(t, "/manifest.webmanifest")
	var m struct {
		Name, Display, Scope string
		StartURL             string `json:"start_url"`
		Icons                []struct{ Src, Type, Sizes string }
		Shortcuts            []struct{ Name, URL string }
	}
	if err := json.Unmarshal([]byte(text(t, r)), &m); err != nil {
		t.Fatal(err)
	}
	if got := r.Header.Get("Content-Type"); got != "application/manifest+json" {
		t.Errorf("its type is %q", got)
	}
	if m.Name != "rein" || m.Display != "standalone" || m.Scope != "/" || m.StartURL != "/" {
		t.Errorf("name %q, display %q, scope %q, start %q", m.Name, m.Display, m.Scope, m.StartURL)
	}
	sizes := map[string]bool{}
	for _, icon := range m.Icons {
		sizes[icon.Sizes] = true
		r := get(t, icon.Src)
		body := text(t, r)
		if r.Header.Get("Content-Type") != icon.Type {
			t.Errorf("%s is %s, not %s", icon.Src, r.Header.Get("Content-Type"), icon.Type)
		}
		if icon.Type == "image/png" {
			if c, err := png.DecodeConfig(strings.NewReader(body)); err != nil || fmt.Sprintf("%dx%d", c.Width, c.Height) != icon.Sizes {
				t.Errorf("%s: %dx%d, %v; want %s", icon.Src, c.Width, c.Height, err, icon.Sizes)
			}
		}
	}
	for _, want := range []string{"192x192", "512x512"} { // browsers install nothing without these
		if !sizes[want] {
			t.Errorf("no icon of %s", want)
		}
	}
	for _, to := range m.Shortcuts {
		if r := get(t, to.URL); r.StatusCode != http.StatusOK {
			t.Errorf("%s leads to %s: %s", to.Name, to.URL, r.Status)
		}
	}
}
