// Package web is the page: a program for browsers that uses the documented API and nothing else. Its
// source is in src/, and dist/ has what Vite made of it, so that rein needs only Go to be built.
//
// The files hold no data of anybody, so they need no credential; what the page shows, the API gives.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed all:dist
var built embed.FS

// Policy is the Content-Security-Policy of the page: its own files and its own server, nothing else. It has
// no unsafe- word, and no script can turn text into markup except by Svelte's own policy, which takes only
// templates that were compiled.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; " +
	"frame-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

// diagramPolicy is for the frame that draws diagrams, whose text comes from models. It has an opaque origin
// and no network.
const diagramPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Paths are the patterns of everything that the page has, for http.ServeMux: the views, which people can
// bookmark, and its files.
func Paths() []string {
	return []string{
		"/{$}", "/s/{session}", "/asks", "/runs", "/runs/{run}", "/runs/{run}/tree", "/compare/{left}/{right}", "/settings",
		"/diagram.html", "/assets/{file}", "/icon.svg", "/icon-192.png", "/icon-512.png", "/manifest.webmanifest",
	}
}

// IsFile reports a request for one of the files that the page is made of.
func IsFile(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/assets/") || r.URL.Path == "/diagram.html"
}

// Handler serves the page.
func Handler() http.Handler {
	files := &files{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page supports GET and HEAD only", http.StatusMethodNotAllowed)
			return
		}
		f, err := files.open(nameOf(r.URL.Path))
		if err != nil {
			http.Error(w, "the page has no such file", http.StatusNotFound)
			return
		}
		f.serve(w, r)
	})
}

// nameOf returns the file that answers to a path: every view is the same page, which reads the path itself.
func nameOf(at string) string {
	name := strings.TrimPrefix(at, "/")
	if path.Ext(name) != "" && !strings.HasPrefix(name, "s/") && !strings.HasPrefix(name, "runs/") && !strings.HasPrefix(name, "compare/") {
		return name
	}
	return "index.html"
}

// files keeps what was asked for once, with its digest and compressed.
type files struct {
	mu    sync.Mutex
	known map[string]*file
}

type file struct {
	name, tag string
	plain     []byte
	small     []byte // compressed; nil: that saves nothing
}

func (s *files) open(name string) (*file, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.known[name]; f != nil {
		return f, nil
	}
	plain, err := fs.ReadFile(built, "dist/"+name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain)
	f := &file{name: name, tag: `"` + hex.EncodeToString(sum[:12]) + `"`, plain: plain, small: compress(plain)}
	if s.known == nil {
		s.known = map[string]*file{}
	}
	s.known[name] = f
	return f, nil
}

func compress(plain []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	_, _ = w.Write(plain) // a bytes.Buffer takes everything
	_ = w.Close()
	if out.Len() >= len(plain)*9/10 {
		return nil
	}
	return out.Bytes()
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.media())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	f.setPolicy(h)
	if strings.HasPrefix(f.name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // the name has the hash of the content
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	h.Set("ETag", f.tag)
	if match := r.Header.Get("If-None-Match"); match != "" && strings.Contains(match, f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if f.small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.small
	}
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // whoever hung up reads no error either
}

func (f *file) setPolicy(h http.Header) {
	switch f.name {
	case "diagram.html":
		h.Set("Content-Security-Policy", diagramPolicy)
		h.Set("X-Frame-Options", "SAMEORIGIN")
	case "index.html":
		h.Set("Content-Security-Policy", Policy)
	}
	if strings.HasPrefix(f.name, "assets/") {
		// The frame of diagrams has an opaque origin, for which every file is another site's.
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("Access-Control-Allow-Origin", "*")
	}
}

func (f *file) media() string {
	switch path.Ext(f.name) {
	case ".webmanifest":
		return "application/manifest+json"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(f.name))
}
