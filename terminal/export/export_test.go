package export_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"rein"
	"rein/api/client"
	"rein/engine/guard"
	"rein/server/mask"
	"rein/store"
	"rein/terminal/export"
)

var forms = []export.Form{export.HTML, export.Markdown}

func wants(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not have %q:\n%s", what, want, text)
		}
	}
}

func lacks(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, bad := range all {
		if strings.Contains(text, bad) {
			t.Errorf("%s has %q", what, bad)
		}
	}
}

// One run is exported with those below it, and none beside it; a child alone without its parent.
func TestOneRun(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.tell()
	for _, form := range forms {
		one := r.export(export.Options{Form: form, Run: "r1"})
		wants(t, "run r1", one, "Why is TestPark flaky", "drive.wait", "r1.5")
		lacks(t, "run r1", one, "What do my notes say", "Now run all tests", "report.csv")
		child := r.export(export.Options{Form: form, Run: "r1.5"})
		wants(t, "run r1.5", child, "Which functions call park?", "r1.5")
		lacks(t, "run r1.5", child, "Why is TestPark flaky")
	}
}

// Images are embedded up to a size, and named with the reason where they are not.
func TestImages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	task := asked("chat", "Look.")
	shown, kept := pictured(t, "a.png")
	gone := shown
	gone.Name, gone.SHA256 = "gone.png", rein.Hash{7}
	task.Messages[0].Images = []rein.Image{shown, gone, {URL: "https://example.com/far.png", Name: "far.png"}}
	r.start("r1", task, kept)
	_, err := r.files.Put(t.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, "b.png", "image/png", strings.NewReader(string(drawn(t))))
	check(t, err)
	_, err = r.files.Put(t.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, "c.png", "image/png", strings.NewReader("<svg/>"))
	check(t, err)
	whole := "data:image/png;base64," + base64.StdEncoding.EncodeToString(drawn(t))
	page := r.export(export.Options{MaxImage: 1 << 20})
	if n := strings.Count(strings.ReplaceAll(page, "&#43;", "+"), whole); n != 2 {
		t.Errorf("the page embeds %d images", n)
	}
	wants(t, "the page", page, "gone.png", "it is not kept any more", "it is at https://example.com/far.png, and this page fetches nothing", "c.png", "it is not PNG, JPEG, GIF or WebP")
	small := r.export(export.Options{MaxImage: 100})
	wants(t, "the page", small, "a.png", "image/png 320×120, 457 bytes; not embedded: it is larger than 100 bytes")
	lacks(t, "the page", small, "base64,i")
	none := r.export(export.Options{})
	wants(t, "the page", none, "images are left out")
	markdown := r.export(export.Options{Form: export.Markdown, MaxImage: 1 << 20})
	wants(t, "the Markdown", markdown, "`a.png` · image/png 320×120, 457 bytes", "`b.png`, image/png, 457 bytes")
	lacks(t, "the Markdown", markdown, "base64")
}

// What was erased stays so, and what is masked too; the log still has its head.
func TestErased(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fixes()
	r.cites()
	check(t, r.store.Erase(t.Context(), func(context.Context, store.Moment) ([]rein.RunID, error) { return []rein.RunID{"r1"}, nil }))
	for _, form := range forms {
		got := r.export(export.Options{Form: form, MaxImage: 1 << 20})
		lacks(t, "the export", got, "TestPark", "grace period", "drive.wait", "failures", "base64,i")
		wants(t, "the export", got, "(erased)", "texts of this run were erased", "19 events", "What do my notes say")
	}
}

// What the API masks is masked in the export: it reads nothing else.
func TestMasked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	r.start("r1", asked("chat", "The token is "+key))
	seen := mask.New(r.store, (*guard.Redactor)(nil))
	for _, form := range forms {
		got := r.export(export.Options{Form: form, Client: r.reads(seen)})
		lacks(t, "the export", got, key)
		wants(t, "the export", got, "The token is")
	}
}

// The style is the one that the policy of the page allows, and no other.
func TestPolicy(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.cites()
	page := r.export(export.Options{})
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	hash := strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;")
	wants(t, "the policy", page, "default-src &#39;none&#39;", "style-src &#39;sha256-"+hash+"&#39;", "img-src data:;")
	lacks(t, "the page", strings.ToLower(style), "url(", "@import", "expression")
}

// A session takes no more memory than its largest run: the runs are read one after the other, each after the one before was
// written. It is not parallel, because it measures the heap.
func TestStreams(t *testing.T) {
	r := newRig(t)
	const runs = 25
	text := strings.Repeat("words of a model. ", 500)
	for n := range runs {
		id := rein.RunID(fmt.Sprintf("r%02d", n))
		r.start(id, asked("chat", "Say much."))
		for step := range 20 {
			r.write(id, says(rein.StepKey(fmt.Sprint(step+1)), text)...)
		}
		r.write(id, ends(rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}))
	}
	w := &counts{at: 512 << 10}
	api := r.client()
	check(t, export.Write(t.Context(), w, export.Options{Client: api, Session: "s1", Now: noon}))
	if w.written < runs*20*len(text) {
		t.Fatalf("only %d bytes were written", w.written)
	}
	if most := uint64(w.written) / 2; w.most > most+w.before {
		t.Errorf("an export of %d bytes kept %d", w.written, w.most-w.before)
	}
}

// counts measures what is kept while something is written.
type counts struct {
	written, at  int
	before, most uint64
}

func (w *counts) Write(p []byte) (int, error) {
	if w.before == 0 {
		w.before = kept()
	}
	before := w.written / w.at
	w.written += len(p)
	if w.written/w.at > before {
		w.most = max(w.most, kept())
	}
	return len(p), nil
}

func kept() uint64 {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A log that cannot be read fails the export: half of it would look like all of it.
func TestFails(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.cites()
	sound := r.handler(r.store)
	broken := client.Handler(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasSuffix(q.URL.Path, "/events") {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		sound.ServeHTTP(w, q)
	}))
	err := export.Write(t.Context(), &counts{at: 1}, export.Options{Client: broken, Session: "s1", Now: noon})
	if err == nil || !strings.Contains(err.Error(), "read the log of run r2") {
		t.Errorf("the export ended with %v", err)
	}
	err = export.Write(t.Context(), &counts{at: 1}, export.Options{Client: r.client(), Session: "none", Now: noon})
	if rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("the export of a session that there is not ended with %v", err)
	}
}
