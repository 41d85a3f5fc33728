package oldstore

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine/enginetest"
	"rein/flow"
	"rein/replay"
	"rein/store"
)

// later is the clock of today's program. It is ahead, so that a store which was recorded just now is an
// old one too.
func later() time.Time { return time.Now().Add(time.Hour) }

// Every store that an earlier program left is verified, listed, answered and driven to its end by
// today's, without a run that it cannot take up.
//
// Covers: ENG-17 LAW-2 LAW-3 LAW-10
func TestOldStores(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no old stores (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz"), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, t.TempDir())
			h.unpack(file)
			h.now = later
			h.open()
			h.accounts() // which are counted from its logs
			h.same(listOf(file), h.list())
			h.coverEverything()
			h.old = map[rein.AskID]bool{}
			for _, ask := range h.pending("") {
				h.old[ask.ID] = true
			}
			h.recognise()
			h.finish()
			h.same(endsOf(file), h.ends())
			h.verify()
			h.accounts()
			h.replay()
			h.end()
		})
	}
}

// accounts wants what users use to be what the logs say.
func (h *house) accounts() {
	h.Helper()
	wrong, err := h.store.VerifyAccounts(context.Background())
	h.check(err)
	for _, what := range wrong {
		h.Error(what)
	}
}

// listOf and endsOf name what was written down beside a store: what was in it, and how it went on.
func listOf(file string) string { return strings.TrimSuffix(file, ".tar.gz") + ".list.txt" }
func endsOf(file string) string { return strings.TrimSuffix(file, ".tar.gz") + ".ends.txt" }

// otherwise has the lines that are different today on purpose: a commit that was asked for, approved or
// sent without saying what was shown is asked for again, with what pins it.
var otherwise = map[string]string{
	`operate-commit-asked: done "All is done.", asked 1`:    `operate-commit-asked: done "All is done.", asked 2`,
	`operate-commit-approved: done "All is done.", asked 1`: `operate-commit-approved: done "All is done.", asked 2`,
	`operate-commit-sent: done "All is done.", asked 1`:     `operate-commit-sent: done "All is done.", asked 2`,
}

// same compares with what was written down when the store was recorded.
func (h *house) same(file, got string) {
	h.Helper()
	want, err := os.ReadFile(file)
	h.check(err)
	was, is := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i, line := range was {
		if now, ok := otherwise[line]; ok {
			was[i] = now
		}
	}
	const most = 20 // lines, to be read
	for i, shown := 0, 0; i < max(len(was), len(is)) && shown < most; i++ {
		if before, now := lineOf(was, i), lineOf(is, i); before != now {
			h.Errorf("%s:%d (never write it again):\nwas: %s\nis:  %s", file, i+1, before, now)
			shown++
		}
	}
}

func lineOf(lines []string, i int) string {
	if i >= len(lines) {
		return "(nothing)"
	}
	return lines[i]
}

// coverEverything wants a run of each scene: a store that lacks one proves less than it says.
func (h *house) coverEverything() {
	h.Helper()
	known := map[rein.RunID]bool{}
	for _, r := range h.runs() {
		known[r.ID] = true
	}
	for _, flow := range slices.Sorted(maps.Keys(flow.All())) {
		if len(states[flow]) == 0 {
			h.Logf("flow %s is younger than the store", flow)
		}
		for _, s := range states[flow] {
			if id := rein.RunID(flow + "-" + string(s)); !known[id] {
				h.Errorf("the store has no run %s", id)
			}
		}
	}
}

// recognise wants everybody to be let in who was, and nobody else.
func (h *house) recognise() {
	h.Helper()
	data, err := os.ReadFile(h.credentials())
	h.check(err)
	lamp, phone, gone, cookie, link := five(strings.Split(string(data), "\n"))
	ctx, people := context.Background(), h.then()
	if who, err := people.Identify(ctx, lamp); err != nil || who.User != "bot" || who.Household != "home" {
		h.Errorf("the token of a service is recognised as %+v: %v", who, err)
	}
	for _, token := range []string{phone, gone} {
		if who, err := people.Identify(ctx, token); rein.CodeOf(err) != rein.CodeUnauthenticated {
			h.Errorf("a token that is no longer good is recognised as %+v: %v", who, err)
		}
	}
	if who, err := people.IdentifyBrowser(ctx, cookie); err != nil || who.User != "ann" {
		h.Errorf("the browser is recognised as %+v: %v", who, err)
	}
	if _, who, err := people.UseLoginLink(ctx, link, ""); err != nil || who.User != "bob" {
		h.Errorf("the login link logs in %+v: %v", who, err)
	}
}

func five(s []string) (a, b, c, d, e string) { return s[0], s[1], s[2], s[3], s[4] }

// finish answers what waits, resumes what is blocked, and drives every run to its end.
func (h *house) finish() {
	h.Helper()
	ctx := context.Background()
	before := len(h.events)
	h.answer() // also what would be too late once somebody looks at the clock
	for _, r := range h.runs() {
		if r.Status == rein.StatusBlocked {
			h.check(h.engine.Resume(ctx, r.ID, r.User))
		}
	}
	h.serve()
	deadline := time.After(patience)
	for {
		h.mu.Lock()
		came := h.came
		h.mu.Unlock()
		h.answer()
		h.wantNoneBlocked(before)
		left := h.unfinished()
		if len(left) == 0 {
			break
		}
		select {
		case <-came:
		case <-deadline:
			h.Fatalf("these do not end: %q\n%s", left, h.dump())
		}
	}
}

// wantNoneBlocked looks at what was written since.
func (h *house) wantNoneBlocked(since int) {
	h.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events[since:] {
		if e.Kind == rein.RunBlocked {
			h.Fatalf("%s is blocked: %s", e.Run, e.Data)
		}
	}
}

// answer answers what is open. What an old store holds is answered as it was then, without the digest of
// what was shown, and must take it so for ever.
func (h *house) answer() {
	h.Helper()
	for _, ask := range h.pending("") {
		if stateOf(ask.Run) == late {
			continue
		}
		c := ask.Reply(h.reply(ask))
		if h.old[ask.ID] {
			c.Answer.Shown = ""
		}
		h.send(c)
	}
}

func (h *house) unfinished() (left []string) {
	h.Helper()
	for r, err := range h.store.Runs(context.Background(), store.Filter{Unfinished: true}) {
		h.check(err)
		left = append(left, string(r.ID)+" "+string(r.Status))
	}
	return left
}

// ends writes down how runs ended, what was done to the world, each thing once, and the notes.
func (h *house) ends() string {
	h.Helper()
	var b strings.Builder
	for _, r := range h.runs() {
		end := r.End()
		asks, err := h.store.Asks(context.Background(), store.AskFilter{Tree: r.ID})
		h.check(err)
		fmt.Fprintf(&b, "%s: %s %q, asked %d", r.ID, end.End, end.Text, len(asks))
		if end.Failure != nil {
			fmt.Fprintf(&b, " because %s: %s", end.Failure.Code, end.Failure.Msg)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, line := range slices.Sorted(slices.Values(h.world.effects())) {
		b.WriteString(line + "\n")
	}
	tree := os.DirFS(filepath.Join(h.dir, "vault"))
	h.check(fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, ".") { // what commits leave behind
			return err
		}
		data, err := fs.ReadFile(tree, name)
		fmt.Fprintf(&b, "\n%s\n%s", name, data)
		return err
	}))
	return b.String()
}

// verify holds every log to its chain, and every transcript to its rules.
func (h *house) verify() {
	h.Helper()
	h.check(h.store.Audit(context.Background(), func(v store.Verdict) error {
		if len(v.Wrong) > 0 {
			h.Errorf("audit of %q: %q", v.Run, v.Wrong)
		}
		return nil
	}))
	for _, r := range h.runs() {
		if r.Erased {
			continue
		}
		if err := enginetest.ValidTranscripts(h.log(r.ID)); err != nil {
			h.Errorf("run %s: %v", r.ID, err)
		}
	}
}

// replay plays every tree again, without asking anybody. If something is wrong already, so would this
// be, and slowly.
func (h *house) replay() {
	h.Helper()
	if h.Failed() {
		return
	}
	ctx := context.Background()
	stage, err := replay.NewStage(ctx, replay.Options{Flows: flow.All(), Folder: h.TempDir(), Patience: patience / 6, OtherTools: true})
	h.check(err)
	defer func() { h.check(stage.Close()) }()
	for _, r := range h.runs() {
		if r.Erased || r.ID.Depth() > 0 {
			continue
		}
		tape, err := replay.Record(ctx, h.store, r.ID, h.worker, rein.Policy{})
		h.check(err)
		difference, err := stage.Play(ctx, tape)
		if err != nil || difference != nil {
			h.Fatalf("run %s plays otherwise: %v %v", r.ID, difference, err)
		}
	}
}
