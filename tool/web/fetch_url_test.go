package web_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/internal/outbound/outboundtest"
	"rein/tool/web"
)

// home lets pages of a server of the test be fetched, by the host that it has.
func home(s *service) web.Settings {
	return web.Settings{Fetch: true, Hosts: []string{strings.TrimPrefix(s.URL, "http://")}}
}

// site is a server with some pages.
func site(t *testing.T, pages map[string]string) *service {
	return serveBy(t, func(w http.ResponseWriter, r *http.Request) {
		kind, body, ok := strings.Cut(pages[r.URL.Path], "\n")
		if !ok {
			http.NotFound(w, r)
			return
		}
		if to, moved := strings.CutPrefix(kind, "redirect "); moved {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", kind)
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
		_, _ = io.WriteString(w, body)
	})
}

// A page is fetched with its title and links, where it was redirected to, and without telling its server more
// than the address.
//
// Covers: NEU-56/research
func TestFetch(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{
		"/old":       "redirect /docs/page\n",
		"/docs/page": "text/html; charset=iso-8859-1\n<title>Caf\xe9</title><h1>Menu</h1><p>See <a href='more'>more</a>.<script>x()</script>",
		"/data":      "application/json\n{\"a\": 1}",
	})
	done, err := call(t, home(s), "web.fetch_url", `{"url": "`+s.URL+`/old#part"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, s.URL+"/docs/page\n[redirected from "+s.URL+"/old]\nTitle: Café\n\n# Menu\n\nSee [more]("+s.URL+"/docs/more).\n")
	var f web.Fetched
	if err := json.Unmarshal(done.Data, &f); err != nil || f.URL != s.URL+"/docs/page" || f.Asked != s.URL+"/old" || f.Title != "Café" || f.Type != "text/html" || f.Next != nil || f.Total != f.Bytes {
		t.Errorf("%+v, %v", f, err)
	}
	r, _ := s.last()
	if r.header.Get("Referer") != "" || r.header.Get("Cookie") != "" || r.header.Get("User-Agent") != "rein/test" || done.FromPerson {
		t.Errorf("%+v", r.header)
	}
	done, err = call(t, home(s), "web.fetch_url", `{"url": "`+s.URL+`/data"}`)
	if err != nil || !strings.Contains(done.Text, "{\"a\": 1}") {
		t.Error(done.Text, err)
	}
}

// A long page comes in parts that join to the whole; no part cuts a character.
func TestLongPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&b, "Line %d: één twee drie\n", i)
	}
	long := strings.Repeat("é", 150_000) // without a line to cut at
	s := site(t, map[string]string{"/lines": "text/plain\n" + b.String(), "/one": "text/plain\nx" + long})
	for path, want := range map[string]string{"/lines": b.String(), "/one": "x" + long} {
		got, offset := "", 0
		for range 10 {
			done, err := call(t, home(s), "web.fetch_url", fmt.Sprintf(`{"url": "%s%s", "offset": %d}`, s.URL, path, offset))
			if err != nil {
				t.Fatal(err)
			}
			var f web.Fetched
			if err := json.Unmarshal(done.Data, &f); err != nil {
				t.Fatal(err)
			}
			_, text, _ := strings.Cut(done.Text, "\n\n")
			got += text[:f.Bytes]
			if f.Next == nil {
				break
			}
			has(t, done.Text, fmt.Sprintf("continue with offset %d]", *f.Next))
			offset = *f.Next
		}
		if got != want {
			t.Errorf("%s: %d bytes of %d", path, len(got), len(want))
		}
	}
	_, err := call(t, home(s), "web.fetch_url", `{"url": "`+s.URL+`/one", "offset": 400000}`)
	fails(t, "beyond the end", err, rein.CodeInvalid, "beyond the text of the page")
}

// Servers that lie, hang, send without end or in other forms end in a result that says what happened.
//
// Attack: 83
func TestHostileServers(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 8 {
		_, _ = z.Write(bytes.Repeat([]byte("a "), 1<<19))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	s := serveBy(t, func(w http.ResponseWriter, r *http.Request) {
		status, kind, body := 200, "text/html", ""
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			kind, body = "text/plain", bomb.String()
		case "/brotli":
			w.Header().Set("Content-Encoding", "br")
		case "/broken":
			w.Header().Set("Content-Encoding", "gzip")
			body = "not gzip"
		case "/endless":
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("word ", 10_000)); err != nil {
					return
				}
			}
		case "/short":
			w.Header().Set("Content-Length", "1000")
		case "/huge":
			w.Header().Set("X", strings.Repeat("x", 100_000))
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
			return
		case "/pdf":
			kind, body = "application/pdf", "%PDF-1.7"
		case "/image":
			kind, body = "text/html", "\x89PNG\r\n\x1a\n\x00\x00"
		case "/exe":
			kind, body = "text/plain", "MZ\x00\x00"
		case "/empty":
		case "/gone", "/private", "/busy", "/down":
			status = map[string]int{"/gone": 410, "/private": 403, "/busy": 429, "/down": 503}[r.URL.Path]
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
	for path, c := range map[string]struct {
		code  rein.Code
		words string
	}{
		"/brotli": {rein.CodeInvalid, "packed as \"br\""}, "/broken": {rein.CodeUnreachable, "EOF"}, "/short": {rein.CodeUnreachable, "EOF"}, "/huge": {rein.CodeUnreachable, "header"},
		"/loop": {rein.CodeForbidden, "redirects more than 5 times"}, "/pdf": {rein.CodeInvalid, "PDF"}, "/exe": {rein.CodeInvalid, "not text"},
		"/gone": {rein.CodeNotFound, "no such page"}, "/private": {rein.CodeForbidden, "not for everyone"}, "/busy": {rein.CodeRateLimited, "later"}, "/down": {rein.CodeOverloaded, "503"},
	} {
		_, err := call(t, home(s), "web.fetch_url", `{"url": "`+s.URL+path+`"}`)
		fails(t, path, err, c.code, c.words)
	}
	for path, words := range map[string]string{"/bomb": "continue with offset", "/endless": "continue with offset", "/empty": "[the page has no text; it may need a browser]", "/image": "PNG"} {
		done, err := call(t, home(s), "web.fetch_url", `{"url": "`+s.URL+path+`"}`)
		if err != nil || len(done.Text) > 120_000 {
			t.Errorf("%s: %d bytes, %v", path, len(done.Text), err)
			continue
		}
		has(t, done.Text, words)
	}
	slow := serveBy(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	settings := home(slow)
	settings.Timeout = 200 * time.Millisecond
	_, err := call(t, settings, "web.fetch_url", `{"url": "`+slow.URL+`"}`)
	fails(t, "slow", err, rein.CodeTimeout, "did not answer in time")
}

// Neither an address, nor a name, nor a redirect leads to what is not of the internet, and the model reads why.
//
// Attack: 81
func TestFetchStaysOutside(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	inside := serveBy(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	port := inside.URL[strings.LastIndexByte(inside.URL, ':')+1:]
	pages := site(t, map[string]string{
		"/metadata": "redirect http://169.254.169.254/latest/meta-data/iam/security-credentials/\n", "/inside": "redirect " + inside.URL + "/\n",
		"/name": "redirect http://inside.example:" + port + "/\n", "/file": "redirect file:///etc/passwd\n",
	})
	o := web.Options{Resolver: outboundtest.Names(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }), Settings: func() web.Settings { return home(pages) }}
	for _, address := range []string{
		pages.URL + "/metadata", pages.URL + "/inside", pages.URL + "/name", pages.URL + "/file", inside.URL, "http://localhost:" + port, "http://inside.example:80/", "http://inside.example:" + port,
		"http://[::1]:" + port, "http://0x7f000001:" + port, "http://2130706433:" + port, "file:///etc/passwd", "http://me:pw@example.org/", "ftp://example.org/", "gopher://localhost:" + port + "/_x",
	} {
		_, err := callWith(t, o, "web.fetch_url", `{"url": "`+address+`"}`)
		fails(t, address, err, rein.CodeForbidden, "was not fetched", "web.allow")
	}
	for _, address := range []string{"", "  ", "/etc/passwd", "http://", "https:///x", "not an address", "http://a b/", "http://[::1"} {
		if _, err := callWith(t, o, "web.fetch_url", `{"url": "`+address+`"}`); err == nil {
			t.Errorf("%q was fetched", address)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
	// What whoever runs rein allows can be fetched: a network, a name.
	for _, s := range []web.Settings{
		{Fetch: true, Hosts: []string{"inside.example:" + port}},
		{Fetch: true, Hosts: []string{"127.0.0.1:" + port}},
	} {
		address := "http://" + s.Hosts[0]
		o.Settings = func() web.Settings { return s }
		if _, err := callWith(t, o, "web.fetch_url", `{"url": "`+address+`"}`); err != nil {
			t.Errorf("%v: %v", s.Hosts, err)
		}
	}
	if hits.Load() != 2 {
		t.Errorf("%d requests came through", hits.Load())
	}
}
