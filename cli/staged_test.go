package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

const stagedScript = `
when turn=1 user~"Twice."
call append_note {"path":"Beans.md","text":"First line."}

when turn=2 user~"Twice."
call append_note {"path":"Beans.md","text":"Second line."}

when last~"Hidden."
call write_note {"path":"New.md","content":"safe \u202e and \u001b[2J gone\n"}

when turn=1 user~"Private."
call append_note {"path":"Private/Key.md","text":"More."}

when turn=1 user~"Ask to commit."
call append_note {"path":"Beans.md","text":"By a run."}

when turn=2 user~"Ask to commit."
call commit_staged_changes {}

when
say Done.
`

const beans = "# Beans\n\nWarm soil.\n"

// newStage is a home with a vault and a workspace that has another.
func newStage(t *testing.T, more string) *home {
	t.Helper()
	h := newHome(t, "[notes]\nvectors = false\n[workspaces.field]\nvault = \"../../field\"\n"+more)
	h.edit("model = \"demo\"", "model = \"demo\"\nvault = \"../../vault\"")
	h.write(".config/rein/demo.txt", stagedScript)
	h.write("vault/Beans.md", beans)
	h.write("vault/Private/Key.md", "# Key\n\nThe secret key.\n")
	h.write("field/Corn.md", "# Corn\n\nCorn wants sun.\n")
	h.write("field/Beans.md", "# Field beans\n")
	return h
}

// staged returns what is staged in a session.
func (h *home) staged(session string) (found api.StagedSession) {
	h.Helper()
	out, wrong, code := h.rein("notes", "commit", "--session", session, "--json")
	if code != exitWaits {
		h.Fatalf("exit %d\n%s%s", code, out, wrong)
	}
	h.check(json.Unmarshal([]byte(out), &found))
	return found
}

var shownLine = regexp.MustCompile(`(?m)^shown ([0-9a-f]{64})$`)

// A person sees, commits and takes back what runs staged, without a model: bound to what was shown.
//
// Covers: HUM-34
func TestStagedByCommand(t *testing.T) {
	t.Parallel()
	h := newStage(t, "")
	if out := h.ok("notes", "staged"); !strings.Contains(out, "there are no runs yet") {
		t.Error(out)
	}
	h.ok("run", "Hello.")
	if out := h.ok("notes", "staged"); out != "nothing is staged" {
		t.Error(out)
	}
	h.refuses(exitWrong, "nothing is staged", "notes", "commit")
	h.ok("run", "--session", "s1", "Twice.")
	if out := h.ok("notes", "staged"); !strings.Contains(out, "session s1, workspace ") || !strings.Contains(out, "~ Beans.md  changed  run r") {
		t.Error(out)
	}
	diff := h.ok("notes", "diff")
	if !strings.Contains(diff, "+First line.\n") || !strings.Contains(diff, "+Second line.") || strings.Count(diff, "--- Beans.md") != 1 {
		t.Errorf("the diff of two changes of one note:\n%s", diff)
	}
	h.refuses(exitUsage, "--yes needs --shown", "notes", "commit", "--yes")
	h.refuses(exitUsage, "give both", "notes", "commit", "--shown", "x")
	h.refuses(exitWrong, "not what you were shown", "notes", "commit", "--yes", "--shown", strings.Repeat("a", 64))
	out, _, code := h.rein("notes", "commit")
	shown := shownLine.FindStringSubmatch(out)
	if code != exitWaits || shown == nil || !strings.Contains(out, "+Second line.") || h.text("vault/Beans.md") != beans {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	h.ok("run", "--session", "s1", "Hidden.")
	h.refuses(exitWrong, "not what you were shown", "notes", "commit", "--yes", "--shown", shown[1])
	if diff = h.ok("notes", "diff"); !strings.Contains(diff, `+safe \u202e and \x1b[2J gone`) || strings.ContainsAny(diff, "\x1b\u202e") {
		t.Errorf("what is not seen is not spelled out:\n%q", diff)
	}
	if out := h.ok("notes", "discard", "New.md"); out != "discarded New.md" {
		t.Error(out)
	}
	h.refuses(exitWrong, "is not staged", "notes", "discard", "Other.md")
	out = h.ok("notes", "commit", "--yes", "--shown", shown[1]) // it is again what was shown
	id := regexp.MustCompile(`^committed (own-[0-9a-f]{16})\n  ~ Beans.md$`).FindStringSubmatch(out)
	if id == nil || h.text("vault/Beans.md") != beans+"First line.\nSecond line.\n" {
		t.Fatalf("%s\n%s", out, h.text("vault/Beans.md"))
	}
	if out := h.ok("notes", "staged"); out != "nothing is staged" {
		t.Error(out)
	}
	h.undoes(id[1])
}

// undoes takes the newest commit back, after a later edit stood in its way.
func (h *home) undoes(id string) {
	h.Helper()
	if out := h.ok("notes", "history"); !strings.Contains(out, id+"  by owner\n  ~ Beans.md") {
		h.Error(out)
	}
	written := h.text("vault/Beans.md")
	out, _, code := h.rein("notes", "undo", id)
	shown := shownLine.FindStringSubmatch(out)
	if code != exitWaits || shown == nil || !strings.Contains(out, "-Second line.") {
		h.Fatalf("exit %d:\n%s", code, out)
	}
	h.write("vault/Beans.md", written+"Mine.\n")
	h.refuses(exitWrong, "what was written after the commit would be lost", "notes", "undo", id, "--yes", "--shown", shown[1])
	if h.text("vault/Beans.md") != written+"Mine.\n" {
		h.Error("an undo wrote over a later edit")
	}
	h.write("vault/Beans.md", written)
	h.refuses(exitWrong, "not what you were shown", "notes", "undo", id, "--yes", "--shown", "other")
	h.refuses(exitWrong, "there is no commit", "notes", "undo", "own-none")
	h.ok("notes", "undo", id, "--yes", "--shown", shown[1])
	if got := h.text("vault/Beans.md"); got != beans {
		h.Error(got)
	}
	if out := h.ok("notes", "history"); !strings.Contains(out, "undid "+id) || !strings.Contains(out, "undone by own-") {
		h.Error(out)
	}
	h.refuses(exitWrong, "was undone before", "notes", "undo", id, "--yes", "--shown", shown[1])
	if diff := h.ok("notes", "diff", id); !strings.Contains(diff, "+Second line.") {
		h.Error(diff)
	}
}

// A note that changed under what is staged is left alone, and so are notes that may not be used any more
// or cannot be written.
//
// Covers: HUM-34 HUM-41/notes
func TestCommitThatCannotBe(t *testing.T) {
	t.Parallel()
	h := newStage(t, "")
	h.ok("run", "--session", "s1", "Twice.")
	h.ok("run", "--session", "s2", "Private.")
	h.refuses(exitUsage, "say which with --session: s1, s2", "notes", "commit")
	shown := h.staged("s1").Shown

	h.write("vault/Beans.md", beans+"Mine.\n")
	h.refuses(exitWrong, "was changed by someone else", "notes", "commit", "--session", "s1", "--yes", "--shown", shown)
	if out := h.ok("notes", "staged"); !strings.Contains(out, "! Beans.md") || !strings.Contains(out, "changed on the disk since") {
		t.Error(out)
	}
	if got := h.text("vault/Beans.md"); got != beans+"Mine.\n" {
		t.Error(got)
	}
	h.write("vault/Beans.md", beans)
	h.check(os.Chmod(filepath.Join(h.dir, "vault/Beans.md"), 0o400))
	h.refuses(exitWrong, "is read-only", "notes", "commit", "--session", "s1", "--yes", "--shown", shown)
	h.check(os.Chmod(filepath.Join(h.dir, "vault/Beans.md"), 0o600))

	private := h.staged("s2").Shown
	h.edit("vectors = false", "vectors = false\nexclude = [\"Private\"]")
	h.refuses(exitWrong, "may not be used", "notes", "commit", "--session", "s2", "--yes", "--shown", private)
	for _, args := range [][]string{{"notes", "staged", "--json"}, {"notes", "diff", "--session", "s2"}} {
		if out := h.ok(args...); strings.Contains(out, "secret key") || !strings.Contains(out, "Key.md") {
			t.Error(out)
		}
	}
	if got := h.text("vault/Private/Key.md"); strings.Contains(got, "More.") {
		t.Error(got)
	}
	h.ok("notes", "discard", "--session", "s2")
	h.ok("notes", "commit", "--yes", "--shown", shown) // of the only session that is left
	if _, _, code := h.rein("notes", "staged"); code != exitOK {
		t.Error(code)
	}
}

// Users see their own changes only, each workspace has its own notes, and over the network only those
// workspaces exist that the settings give to the household.
//
// Covers: HUM-34 HUM-41/notes
// Attack: 40
func TestStagedOverTheNetwork(t *testing.T) {
	t.Parallel()
	h := newStage(t, "[workspaces.away]\nvault = \"../../field\"\nhousehold = \"away\"\n[workspaces.kept]\nvault = \"../../field\"\ndeny = [\"commit_staged_changes\"]\n")
	s := h.serve()
	h.ok("workspace", "add", "private", "vault", "--vault", "field")
	h.ok("users", "add", "mia", "member")
	h.ok("users", "add", "max", "member")
	mia := s.withToken("--user", "mia").token
	begin := func(id, session, workspace string) {
		t.Helper()
		s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{ID: rein.RunID(id), Task: rein.Task{Workspace: workspace, Session: session, Messages: []rein.Message{{Role: rein.User, Text: "Twice."}}}})
		s.finished(rein.RunID(id))
	}
	begin("mia-1", "mia-here", "")
	begin("mia-2", "mia-there", "field")
	begin("mia-3", "mia-kept", "kept")
	s.withToken("--user", "max")
	begin("max-1", "max-here", "")

	var found api.StagedNotes
	s.read("/v1/notes/staged", &found)
	if len(found.Sessions) != 1 || found.Sessions[0].Session != "max-here" {
		t.Errorf("max sees %+v", found)
	}
	s.call(http.StatusNotFound, "GET", "/v1/notes/staged/mia-here", nil)
	s.token = mia
	s.read("/v1/notes/staged", &found)
	if len(found.Sessions) != 3 {
		t.Fatalf("mia sees %+v", found)
	}
	s.read("/v1/notes/staged?workspace=field", &found)
	if len(found.Sessions) != 1 || found.Sessions[0].Workspace != "field" {
		t.Errorf("of the field mia sees %+v", found)
	}
	for _, name := range []string{"private", "away", "nowhere"} {
		for _, target := range []string{"/v1/notes?", "/v1/notes/search?q=corn&", "/v1/notes/read?path=Corn.md&", "/v1/notes/file?path=Corn.md&", "/v1/notes/links?path=Corn.md&", "/v1/notes/staged?", "/v1/notes/commits?"} {
			if text := s.call(http.StatusNotFound, "GET", target+"workspace="+name, nil); !strings.Contains(text, "there is no workspace") || strings.Contains(text, "sun") {
				t.Errorf("%s of %s: %s", target, name, text)
			}
		}
	}
	if text := s.call(http.StatusOK, "GET", "/v1/notes/search?q=sun&workspace=field", nil); !strings.Contains(text, "Corn.md") {
		t.Error(text)
	}
	if text := s.call(http.StatusOK, "GET", "/v1/notes/search?q=sun", nil); strings.Contains(text, "Corn.md") {
		t.Error(text)
	}
	var kept api.StagedSession
	s.read("/v1/notes/staged/mia-kept", &kept)
	if text := s.call(http.StatusForbidden, "POST", "/v1/notes/staged/mia-kept/commit", api.Agreed{Shown: kept.Shown}); !strings.Contains(text, "denied by the policy") {
		t.Error(text)
	}
	h.commitsThere(s)

	h.ok("run", "--session", "own", "Twice.") // by the service, and so are these
	if out := h.ok("notes", "staged"); !strings.Contains(out, "session own,") || strings.Contains(out, "mia") {
		t.Error(out)
	}
	h.ok("notes", "commit", "--yes", "--shown", h.staged("own").Shown)
	if h.text("vault/Beans.md") == beans {
		t.Error("it was not written")
	}
}

// commitsThere commits what mia staged in the other workspace, and nobody else's.
func (h *home) commitsThere(s *house) {
	h.Helper()
	var staged api.StagedSession
	s.read("/v1/notes/staged/mia-there", &staged)
	mia := s.token
	s.withToken("--user", "mia", "--scopes", "read,act")
	s.call(http.StatusForbidden, "POST", "/v1/notes/staged/mia-there/commit", api.Agreed{Shown: staged.Shown})
	s.withToken("--user", "max")
	s.call(http.StatusNotFound, "POST", "/v1/notes/staged/mia-there/commit", api.Agreed{Shown: staged.Shown})
	s.token = mia
	s.call(http.StatusBadRequest, "POST", "/v1/notes/staged/mia-there/commit", api.Agreed{})
	s.call(http.StatusConflict, "POST", "/v1/notes/staged/mia-there/commit", api.Agreed{Shown: "other"})
	once := func() (done api.NoteCommit) {
		h.check(json.Unmarshal([]byte(s.call(http.StatusOK, "POST", "/v1/notes/staged/mia-there/commit", api.Agreed{Shown: staged.Shown}, "Idempotency-Key: k1")), &done))
		return done
	}
	done, again := once(), once()
	if done.ID != again.ID || done.By != "mia" || done.Run != "" || done.Session != "mia-there" {
		h.Errorf("a commit twice: %+v, %+v", done, again)
	}
	if h.text("field/Beans.md") != "# Field beans\nFirst line.\nSecond line.\n" || h.text("vault/Beans.md") != beans {
		h.Errorf("it was written elsewhere: %q %q", h.text("field/Beans.md"), h.text("vault/Beans.md"))
	}
	var page api.NoteCommits
	if s.read("/v1/notes/commits", &page); len(page.Commits) != 0 {
		h.Errorf("of the default notes mia committed %+v", page)
	}
	if s.read("/v1/notes/commits?workspace=field", &page); len(page.Commits) != 1 || page.Commits[0].ID != done.ID {
		h.Errorf("of the field mia committed %+v", page)
	}
	s.read("/v1/notes/commits/"+done.ID+"?workspace=field", &done)
	s.withToken("--user", "max")
	s.call(http.StatusNotFound, "GET", "/v1/notes/commits/"+done.ID+"?workspace=field", nil)
	s.call(http.StatusNotFound, "POST", "/v1/notes/commits/"+done.ID+"/undo?workspace=field", api.Agreed{Shown: done.Shown})
	s.token = mia
	s.call(http.StatusOK, "POST", "/v1/notes/commits/"+done.ID+"/undo?workspace=field", api.Agreed{Shown: done.Shown})
	if h.text("field/Beans.md") != "# Field beans\n" {
		h.Error("it was not taken back")
	}
}

// Commands know the notes of workspaces, the history tells which run committed, and the copies that a
// commit leaves beside the notes go without a service.
//
// Covers: HUM-34
func TestHistoryOfRunsAndCopies(t *testing.T) {
	t.Parallel()
	h := newStage(t, "")
	for _, args := range [][]string{{"notes"}, {"notes", "search", "sun"}, {"notes", "links", "Corn"}} {
		if out := h.ok(append(args, "--workspace", "field")...); strings.Contains(out, "nothing was found") {
			t.Errorf("%q: %s", args, out)
		}
	}
	h.refuses(exitWrong, "there is no workspace", "notes", "--workspace", "none")
	_, wrong, code := h.rein("run", "--park", "Ask to commit.")
	if code != exitWaits {
		t.Fatalf("exit %d\n%s", code, wrong)
	}
	run := h.only("Ask to commit.", 1)[0]
	listed, notes, _ := h.rein("asks")
	if !strings.Contains(listed, " lines]") || !strings.Contains(notes, "asks --full` shows them whole") {
		t.Errorf("%s%s", listed, notes)
	}
	if full := h.ok("asks", "--full"); !strings.Contains(full, "+By a run.") {
		t.Error(full)
	}
	var ask rein.Ask
	h.check(json.Unmarshal([]byte(h.ok("asks", "--json")), &ask))
	h.ok("answer", string(ask.ID), "--yes", "--shown", ask.Shown)
	if out, wrong, _ := h.rein("resume", run); !strings.Contains(wrong, "wrote Beans.md") || strings.Contains(wrong, "home") {
		t.Errorf("%s%s", out, wrong)
	}
	if out := h.ok("notes", "history"); !strings.Contains(out, "  "+run+":") || !strings.Contains(out, "by owner, run "+run) {
		t.Error(out)
	}
	copies := func() []string {
		found, err := filepath.Glob(filepath.Join(h.dir, "vault/.rein/*"))
		h.check(err)
		return found
	}
	if len(copies()) == 0 {
		t.Fatal("the commit left no copy, so nothing can be swept")
	}
	tamper(t, filepath.Join(h.dir, ".local/share/rein"), fmt.Sprintf("UPDATE note_commits SET changed = changed - %d", time.Hour.Microseconds()))
	h.ok("notes")
	if left := copies(); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
}
