package page_test

import (
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"rein"
	"rein/internal/linear"
	"rein/tool/web/page"
)

var update = flag.Bool("update", false, "write testdata")

func at(t testing.TB) *url.URL {
	t.Helper()
	u, err := url.Parse("https://example.org/docs/page.html?q=1")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Each file of testdata has a page and what is read of it.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := page.Read(archive.Files[0].Data, "text/html; charset=utf-8", at(t))
		if err != nil {
			t.Fatal(err)
		}
		got := "Title: " + p.Title + "\n" + p.Text + "\n"
		if *update {
			archive.Files = []txtar.File{archive.Files[0], {Name: "text", Data: []byte(got)}}
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(archive.Files[len(archive.Files)-1].Data), got); diff != "" {
			t.Errorf("%s: if that is right, run with -update\n%s", name, diff)
		}
	}
}

// A text is read in the encoding that it has: by its first bytes, its header, its meta element, or what it looks
// like. A name that means nothing is as none.
//
// Attack: 83
func TestEncodings(t *testing.T) {
	for _, c := range []struct{ name, header, body, want string }{
		{"utf-8", "text/plain; charset=utf-8", "caf\u00e9", "café"},
		{"latin 1 by its header", "text/plain; charset=ISO-8859-1", "caf\xe9", "café"},
		{"latin 1 by meta", "text/html", "<meta charset=iso-8859-1><p>caf\xe9", "café"},
		{"nothing is said", "text/html", "<p>caf\xe9 is nice", "café is nice"},
		{"a name that means nothing", "text/plain; charset=klingon", "caf\u00e9", "café"},
		{"a wrong name", "text/plain; charset=utf-8", "caf\xe9 x", "caf\uFFFD x"},
		{"shift jis", "text/html; charset=Shift_JIS", "<p>\x93\xfa\x96\x7b", "日本"},
		{"utf-16 with its mark", "text/plain", "\xff\xfec\x00a\x00f\x00\xe9\x00", "café"},
		{"a mark of utf-8", "text/plain", "\xef\xbb\xbfcaf\u00e9", "café"},
		{"a broken header", "text/html; charset", "<p>caf\u00e9", "café"},
		{"json", "application/json", `{"a": "é"}`, `{"a": "é"}`},
		{"problem json", "application/problem+json", `{}`, `{}`},
		{"a feed", "application/atom+xml", "<feed/>", "<feed/>"},
		{"no type", "", "<!DOCTYPE html><p>hello", "hello"},
		{"bytes that are text", "application/octet-stream", "plain words", "plain words"},
	} {
		p, err := page.Read([]byte(c.body), c.header, at(t))
		if err != nil || p.Text != c.want {
			t.Errorf("%s: %q, %v", c.name, p.Text, err)
		}
	}
}

// What is no text is refused, whatever its server calls it, and the error says what it is.
//
// Attack: 83
func TestTypes(t *testing.T) {
	for _, c := range []struct{ header, body, want string }{
		{"application/pdf", "%PDF-1.7\n", "PDF"},
		{"text/html", "%PDF-1.7\n", "PDF"},
		{"image/png", "\x89PNG\r\n\x1a\n", "image/png"},
		{"", "\x89PNG\r\n\x1a\n\x00", "image/png"},
		{"text/plain", "MZ\x00\x01\x02", "not text"},
		{"application/zip", "PK\x03\x04", "application/zip"},
		{"nonsense", "x", "nonsense"},
		{strings.Repeat("x/", 5000), "x", "not text"},
	} {
		_, err := page.Read([]byte(c.body), c.header, at(t))
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%.40q %q: %v", c.header, c.body, err)
		}
	}
}

// Pages that are made to hurt take time that grows with their size, and their text stays bounded.
//
// Attack: 71 83
// Plain: it is about time, and other tests read pages under the race detector.
func TestHostilePages(t *testing.T) {
	for name, make := range map[string]func(int) string{
		"deep":       func(n int) string { return strings.Repeat("<div>", n/5) },
		"tables":     func(n int) string { return strings.Repeat("<table><tr><td>x", n/16) },
		"formatting": func(n int) string { return strings.Repeat("<b><p>", n/6) },
		"attributes": func(n int) string { return "<p " + strings.Repeat("a=1 b ", n/6) + ">x" },
		"lists":      func(n int) string { return strings.Repeat("<ul><li>x", n/9) },
		"links":      func(n int) string { return strings.Repeat("<a href='/x'>y</a> ", n/19) },
		"entities":   func(n int) string { return strings.Repeat("&amp;&notin;&#x26;", n/18) },
		"unclosed":   func(n int) string { return strings.Repeat("<script><!--", n/12) },
		"quotes":     func(n int) string { return strings.Repeat("<blockquote>x\n", n/14) },
		"words":      func(n int) string { return strings.Repeat("word ", n/5) },
		"cells":      func(n int) string { return "<table>" + strings.Repeat("<tr><td><a href=/x>y</a><td>z", n/29) },
	} {
		linear.Check(t, name, 1<<18, func(size int) {
			p, err := page.Read([]byte(make(size)), "text/html", at(t))
			if err != nil || len(p.Text) > 6<<20 {
				t.Fatalf("%s: %d bytes, %v", name, len(p.Text), err)
			}
		})
	}
}

// Tags and entities of a snippet are gone.
func TestPlain(t *testing.T) {
	if got := page.Plain("a <strong>bold</strong>\n &amp; <script>evil()</script>plain &lt;b&gt;"); got != "a bold & plain <b>" {
		t.Errorf("%q", got)
	}
}
