package oldstore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/work/pace"
	"rein/follow/notify"
	"rein/household/memory"
	"rein/household/people"
	"rein/household/shelf"
	"rein/replay"
	"rein/store/storetest"
)

// recordAs names the store to record, if one is to be kept.
const recordAs = "REIN_RECORD_STORE"

// A store that today's program makes is one that it can carry on from. If REIN_RECORD_STORE names it, it
// is kept in testdata for later programs. A name that is taken is refused: what a recorded store is
// good for is that an older program made it, so it is never recorded again.
func TestRecord(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "now.tar.gz")
	if name := os.Getenv(recordAs); name != "" {
		file = filepath.Join("testdata", name+".tar.gz")
	}
	if _, err := os.Lstat(file); err == nil {
		t.Fatalf("%s is there: it was made by the program of then, and is never recorded again; take another name", file)
	}
	recorder := newHouse(t, t.TempDir())
	recorder.record()
	recorder.pack(file)
	h := newHouse(t, t.TempDir())
	h.unpack(file)
	h.now = later
	h.open()
	h.check(os.WriteFile(listOf(file), []byte(h.list()), 0o644))
	h.finish()
	h.check(os.WriteFile(endsOf(file), []byte(h.ends()), 0o644))
	h.verify()
	h.end()
}

// record makes runs rest in every state.
func (h *house) record() {
	h.furnish()
	h.recordEnded()
	h.recordBlocked()
	h.recordWaiting()
	h.recordAsked()
	h.recordTurn()
	h.recordCut()
	h.recordApproved()
}

// furnish writes the notes and makes the people.
func (h *house) furnish() {
	for path, text := range map[string]string{
		"Garden.md":       "# Garden\n\nGarlic grows beside the leeks.\n",
		"People/mum.md":   "---\ntags: [family]\n---\n# Mum\n\nLikes cards. See [[Garden]].\n",
		"Recipes/soup.md": "# Soup\n\nLeeks, garlic, patience.\n",
	} {
		file := filepath.Join(h.dir, "vault", path)
		h.check(os.MkdirAll(filepath.Dir(file), 0o700))
		h.check(os.WriteFile(file, []byte(text), 0o600))
	}
	h.open()
	ctx, host := context.Background(), rein.Host()
	for name, role := range map[string]rein.UserRole{"ann": rein.Owner, "bob": rein.Member, "cat": rein.Viewer, "bot": rein.Service, "gone": rein.Member} {
		_, err := h.people.AddUser(ctx, host, name, role)
		h.check(err)
	}
	_, err := h.people.AddHousehold(ctx, host, "lake", "zoe")
	h.check(err)
	h.check(h.people.SetRole(ctx, host, "cat", rein.Member))
	var known []string
	for _, want := range []people.TokenRequest{{User: "bot", Label: "the lamp"}, {User: "ann", Label: "my phone", Scopes: []rein.Scope{rein.ScopeRead}}, {User: "gone", Label: "old"}} {
		text, token, err := h.people.NewToken(ctx, host, want)
		h.check(err)
		known = append(known, text)
		if want.Label == "my phone" {
			h.check(h.people.RevokeToken(ctx, host, token.ID))
		}
	}
	h.check(h.people.DisableUser(ctx, host, "gone"))
	link, err := h.people.NewLoginLink(ctx, host, "ann")
	h.check(err)
	cookie, _, err := h.people.UseLoginLink(ctx, link, "")
	h.check(err)
	link, err = h.people.NewLoginLink(ctx, host, "bob")
	h.check(err)
	known = append(known, cookie, link)
	h.check(os.WriteFile(h.credentials(), []byte(strings.Join(known, "\n")), 0o600))
	h.check(h.store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := memory.SetPreference(ctx, tx, memory.Owner{Household: "home", User: "ann"}, memory.Preference{Name: "tone", Value: "dry", At: h.now()})
		return err
	}))
	h.end()
}

func (h *house) start(s scene) {
	h.Helper()
	_, err := h.engine.Start(context.Background(), s.id, s.task())
	h.check(err)
}

func (h *house) untilKind(run rein.RunID, kind rein.Kind) rein.Event {
	h.Helper()
	return h.until(fmt.Sprintf("%s of %s", kind, run), func(e rein.Event) bool { return e.Run == run && e.Kind == kind })
}

func (h *house) send(c rein.Command) {
	h.Helper()
	c.By = ownerOf(c.Run)
	_, err := h.engine.Command(context.Background(), c)
	h.check(err)
}

// recordEnded makes the runs that have ended, and the exchanges that critiques are of.
func (h *house) recordEnded() {
	h.disturb = func(ctx context.Context, r rein.ModelRequest) error {
		if stateOf(r.Run) == stopped {
			<-ctx.Done()
		}
		return ctx.Err()
	}
	h.open()
	h.serve()
	for _, s := range scenes(done, erased, stopped) {
		if s.flow == "critique" {
			h.exchange(s)
		}
		h.start(s)
		if s.state == stopped {
			h.send(rein.Command{Kind: rein.CommandStop, Run: s.id, Text: "that will do"})
		}
		h.until("the end of "+string(s.id), func(e rein.Event) bool { return e.Run == s.id && e.Kind.Ends() })
	}
	for _, s := range scenes(erased) {
		h.check(h.store.Erase(context.Background(), storetest.These(s.id)))
	}
	for _, s := range scenes(limited, running, blocked) {
		if s.flow == "critique" {
			h.exchange(s)
		}
	}
	h.end()
	h.disturb = nil
}

// exchange is what a critique looks back at.
func (h *house) exchange(s scene) {
	h.Helper()
	task := s.task()
	task.Flow, task.Messages = "chat", []rein.Message{{Role: rein.User, Text: "What is 2+2?"}}
	id := s.id + "-before"
	_, err := h.engine.Start(context.Background(), id, task)
	h.check(err)
	h.untilKind(id, rein.RunCompleted)
}

// recordBlocked lets a program that knows no flow take up runs that a crash cut.
func (h *house) recordBlocked() {
	h.cutModels(scenes(blocked))
	h.flows = map[string]rein.Flow{"none": h.flows["chat"]}
	h.open()
	h.serve()
	for _, s := range scenes(blocked) {
		h.untilKind(s.id, rein.RunBlocked)
	}
	h.end()
	h.flows = newHouse(h.T, h.dir).flows
}

// cutModels crashes while the models of these runs think.
func (h *house) cutModels(cut []scene) {
	thinking := make(chan rein.RunID, 100)
	h.disturb = func(ctx context.Context, r rein.ModelRequest) error {
		thinking <- r.Run
		<-ctx.Done()
		return ctx.Err()
	}
	h.open()
	h.serve()
	for _, s := range cut {
		h.start(s)
		h.until("the beginning of a model call of "+string(s.id), func(e rein.Event) bool {
			return e.Run == s.id && e.Kind == rein.StepStarted && strings.Contains(string(e.Data), `"prompt"`)
		})
		<-thinking
	}
	h.die()
	h.disturb = nil
}

// recordWaiting makes the runs that wait, and crashes in the calls of those whose outcome will be
// unknown.
func (h *house) recordWaiting() {
	h.disturb = func(_ context.Context, r rein.ModelRequest) error {
		s := stateOf(r.Run)
		switch {
		case s == summary && r.Phase != "compact" && r.Attempt == 1:
			return rein.Errorf(rein.CodeTooLong, "the prompt is too long")
		case s == limited, s == fork && r.Step == "6", s == summary && r.Phase != "compact":
			return &rein.Error{Code: rein.CodeRateLimited, Msg: "too many requests", RetryAfter: 9 * time.Minute}
		}
		return nil
	}
	h.open()
	h.serve()
	waiting := scenes(question, approval, approved, limited, summary, child, steered, modified, stopping, late, mended, folded, long, commitAsked, commitApproved)
	for _, s := range waiting {
		h.start(s)
	}
	h.startFork("operate-fork", "operate-done", "6")
	for _, s := range append(waiting, scenes(fork)...) {
		h.untilKind(s.id, rein.RunParked)
	}
	for _, s := range scenes(child) {
		h.until("the approval of a child", func(e rein.Event) bool { return e.Run.Parent() == s.id && e.Kind == rein.RunParked })
	}
	for _, s := range scenes(steered) {
		h.send(rein.Command{Kind: rein.CommandMessage, Run: s.id, Text: "And be quick."})
		h.send(rein.Command{Kind: rein.CommandComment, Run: s.id, Text: "This one is slow."})
	}
	h.cutCalls(scenes(unknown), func(i int) string { return []string{"before", "after"}[i%2] })
	h.die()
	h.disturb = nil
}

func (h *house) startFork(id, of rein.RunID, step rein.StepKey) {
	h.Helper()
	ctx := context.Background()
	tape, err := replay.Record(ctx, h.store, of, h.worker, rein.Policy{})
	h.check(err)
	task, err := replay.Fork(tape, step, nil, nil)
	h.check(err)
	task.Session = "s-" + string(id)
	_, err = h.engine.Start(ctx, id, task)
	h.check(err)
}

// cutCalls starts runs and waits until each is in the middle of a call.
func (h *house) cutCalls(cut []scene, where func(int) string) {
	h.Helper()
	for i, s := range cut {
		h.world.hold(s.id, where(i))
		h.start(s)
		if words := words[s.state]; strings.Contains(words, "BOOK") || strings.Contains(words, "PAY") || strings.Contains(words, "WRITE") {
			e := h.untilKind(s.id, rein.AskOpened)
			ask, err := rein.Payload[rein.Ask](e)
			h.check(err)
			h.send(ask.Reply(h.reply(ask)))
		}
		select {
		case <-h.world.came:
		case <-time.After(patience):
			h.Fatalf("%s makes no call\n%s", s.id, h.dump())
		}
	}
}

// recordAsked lets those whose outcome is unknown ask, tells a webhook of what waits, and leaves files.
func (h *house) recordAsked() {
	h.open()
	h.serve()
	for _, s := range scenes(unknown) {
		h.until("the question of "+string(s.id), func(e rein.Event) bool {
			return e.Run == s.id && e.Kind == rein.AskOpened && strings.Contains(string(e.Data), `"unknown"`)
		})
		h.until("the rest of "+string(s.id), func(e rein.Event) bool {
			return e.Run == s.id && e.Kind == rein.RunParked && strings.Contains(string(e.Data), "unknown")
		})
	}
	h.notify()
	kept := shelf.Shelf{Tables: h.store, Now: h.now}
	for _, s := range append(scenes(question), scenes(done)[0]) {
		task := s.task()
		place := rein.Place{Household: task.Household, User: task.User, Session: task.Session}
		_, err := kept.Put(context.Background(), place, "colours.txt", "text/plain", strings.NewReader("red\nblue\n"))
		h.check(err)
		_, err = kept.Put(context.Background(), place, "dot.png", "image/png", bytes.NewReader([]byte{0x89, 'P', 'N', 'G', 0, 1, 2}))
		h.check(err)
	}
	h.end()
}

// notify tells a webhook, which takes some and not others.
func (h *house) notify() {
	came := make(chan struct{}, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("strict-")) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		came <- struct{}{}
	}))
	defer receiver.Close()
	n, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{{
		Name: "phone", URL: receiver.URL, Private: true, Secret: func() string { return "a secret of the environment" },
	}}, Link: func(run rein.RunID, _ rein.AskID) string { return "https://rein.example/" + string(run) }})
	h.check(err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- n.Serve(ctx) }()
	for range 5 {
		<-came
	}
	cancel()
	h.check(<-served)
}

// recordTurn makes a run wait because this program asks too often.
func (h *house) recordTurn() {
	h.tweak = func(o *engine.Options) { o.Worker.Pace = pace.New(pace.Limits{Requests: 1, Window: time.Minute}, nil) }
	h.open()
	h.serve()
	for _, s := range scenes(turn) {
		h.start(s)
		h.untilKind(s.id, rein.StepWaiting)
		h.untilKind(s.id, rein.RunParked)
	}
	h.end()
	h.tweak = nil
}

// recordCut crashes in the middle of calls, of tools and of models.
func (h *house) recordCut() {
	thinking := make(chan rein.RunID, 100)
	h.disturb = func(ctx context.Context, r rein.ModelRequest) error {
		if s := stateOf(r.Run); s == running || s == childcut && r.Run.Depth() > 0 {
			thinking <- r.Run
			<-ctx.Done()
		}
		return ctx.Err()
	}
	h.open()
	h.serve()
	h.cutCalls(scenes(sent, edited, commitSent), func(int) string { return "before" })
	h.cutCalls(scenes(paid, posted, commitMade), func(int) string { return "after" })
	h.cutCalls(scenes(cut), func(i int) string { return []string{"after", "before"}[i%2] })
	for _, s := range scenes(running) {
		h.start(s)
		if got := <-thinking; got != s.id {
			h.Fatalf("%s thinks before %s", got, s.id)
		}
	}
	for _, s := range scenes(childcut) {
		h.start(s)
		h.untilKind(s.id, rein.RunParked)
		<-thinking
		<-thinking
	}
	h.die()
	h.disturb = nil
}

// recordApproved approves while nobody drives, and takes the folder's name out of the journal.
func (h *house) recordApproved() {
	h.open()
	ctx := context.Background()
	for _, s := range scenes(approved, commitApproved) {
		asks := h.pending(s.id)
		if len(asks) != 1 {
			h.Fatalf("%s asks %v", s.id, asks)
		}
		_, err := h.store.Command(ctx, asks[0].Reply(h.reply(asks[0])), h.now())
		h.check(err)
	}
	for s, kind := range map[state]rein.CommandKind{modified: rein.CommandModify, stopping: rein.CommandStop} {
		for _, s := range scenes(s) {
			_, err := h.store.Command(ctx, rein.Command{Kind: kind, Run: s.id, By: ownerOf(s.id), Text: "Never mind the colour."}, h.now())
			h.check(err)
		}
	}
	h.check(h.store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE note_commits SET vault = '/vault'`)
		return err
	}))
	h.end()
	if wal, err := os.Stat(filepath.Join(h.dir, "data", "rein.db-wal")); err == nil && wal.Size() > 0 {
		h.Fatal("the log of the file is not folded into it")
	}
}
