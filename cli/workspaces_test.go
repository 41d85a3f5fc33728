package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"rein"
	"rein/api"
	"rein/app/texts"
	"rein/household/workspace"
)

const placeScript = `
when user~"Look again." tool~"the file of"
say Done.

when user~"Look again."
call read_file {"path":"here.txt"}

when turn=1 user~"Read."
call read_file {"path":"here.txt"}

when turn=1 user~"Ask and read."
call ask_user {"question":"Shall I?"}

when turn=2 user~"Ask and read."
call read_file {"path":"notes/Private/here.txt"}

when turn=3 user~"Ask and read."
call get_current_time {}

when turn=1 user~"Up."
call read_file {"path":"../b/here.txt"}

when turn=1 user~"Time."
wrong-tool get_current_time {}

when user~"Hold." attempt=1
hang

when
say Done.
`

// newPlaces is a home with two folders that hold a file of one name.
func newPlaces(t *testing.T, more string) *home {
	t.Helper()
	h := newHome(t, more)
	h.write(".config/rein/demo.txt", placeScript)
	h.write("a/here.txt", "the file of a")
	h.write("b/here.txt", "the file of b")
	return h
}

// in calls rein in a folder of the home.
func (h *home) in(folder string, args ...string) *exec.Cmd {
	cmd := h.command(args...)
	cmd.Dir = filepath.Join(h.dir, folder)
	return cmd
}

// said wants the log of a run to have some words and not others.
func (h *home) said(id, words string, without ...string) {
	h.Helper()
	shown := h.ok("show", "--full", id)
	if !strings.Contains(shown, words) {
		h.Errorf("run %s never had %q:\n%s", id, words, shown)
	}
	for _, w := range without {
		if strings.Contains(shown, w) {
			h.Errorf("run %s had %q:\n%s", id, w, shown)
		}
	}
}

// only returns the runs whose title is so.
func (h *home) only(title string, n int) []string {
	h.Helper()
	var ids []string
	for line := range strings.Lines(h.ok("runs", "--all", "--json")) {
		var info struct{ ID, Title string }
		h.check(json.Unmarshal([]byte(line), &info))
		if info.Title == title {
			ids = append(ids, info.ID)
		}
	}
	if len(ids) != n {
		h.Fatalf("%d runs are called %q, not %d: %q", len(ids), title, n, ids)
	}
	return ids
}

// Two folders at once: whichever process has the data open, each run sees the files of the folder in
// which it was typed, and no others.
//
// Covers: LAW-7
// Attack: 35
func TestTwoFoldersAtOnce(t *testing.T) {
	t.Parallel()
	h := newPlaces(t, "")
	owner := h.in("a", "run", "Hold.")
	h.check(owner.Start())
	t.Cleanup(func() {
		_ = owner.Process.Kill()
		_ = owner.Wait()
	})
	h.until("a run owns the data", func() bool {
		_, err := h.socket().Health(t.Context())
		return err == nil
	})
	var both sync.WaitGroup
	out := map[string]*keptText{"a": {}, "b": {}}
	for folder, text := range out {
		cmd := h.in(folder, "run", "--json", "Read.")
		cmd.Stdout = text
		h.check(cmd.Start())
		both.Go(func() { _ = cmd.Wait() })
	}
	both.Wait()
	for folder, text := range out {
		if got := text.String(); !strings.Contains(got, "the file of "+folder) || strings.Contains(got, "the file of "+map[string]string{"a": "b", "b": "a"}[folder]) {
			t.Errorf("in %s:\n%s", folder, got)
		}
	}
	up := h.in("a", "run", "Up.")
	if _, err := up.Output(); err != nil {
		t.Fatal(err)
	}
	h.said(h.only("Up.", 1)[0], "outside the allowed folder", "the file of b")
	h.check(owner.Process.Signal(syscall.SIGINT))
	_ = owner.Wait()
	for _, id := range h.only("Read.", 2) {
		if task := h.frozen(rein.RunID(id)); task.Workspace == "" || task.Rules == "" {
			t.Errorf("run %s is frozen without its place: %+v", id, task)
		}
	}
}

// A run that began in one folder goes on there, wherever it is resumed, also by a service; so does the
// next run of its session.
//
// Covers: LAW-7
func TestResumeWhereItBegan(t *testing.T) {
	t.Parallel()
	for _, served := range []bool{false, true} {
		h := newPlaces(t, "")
		h.write("a/notes/Private/here.txt", "kept in a")
		h.write("b/notes/Private/here.txt", "kept in b")
		begin := h.in("a", "run", "--park", "--session", "talk", "Ask and read.")
		_ = begin.Run() // it waits
		if code := begin.ProcessState.ExitCode(); code != exitWaits {
			t.Fatalf("exit %d", code)
		}
		id := h.only("Ask and read.", 1)[0]
		if served {
			s := h.serve()
			h.ok("answer", id+":4.ask", "yes")
			s.withToken().finished(rein.RunID(id))
			s.end(syscall.SIGTERM)
		} else {
			h.ok("answer", id+":4.ask", "yes")
			if out, err := h.in("b", "resume", id).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		h.said(id, "kept in a", "kept in b")
		if out, err := h.in("b", "run", "--session", "talk", "Look again.").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		h.said(h.only("Look again.", 1)[0], "the file of a", "the file of b")
		other := h.in("b", "run", "--session", "talk", "--root", ".", "Look again.")
		if out, err := other.CombinedOutput(); err == nil || !strings.Contains(string(out), "start another session") {
			t.Errorf("another folder in the same session: %v\n%s", err, out)
		}
	}
}

// Over the network only workspaces can be named that the settings give to the household, or that were
// shared with it; the rest do not exist, and neither do their folders.
//
// Attack: 40
func TestWorkspacesOverTheNetwork(t *testing.T) {
	t.Parallel()
	h := newPlaces(t, "[workspaces.ours]\nroot = \"../../a\"\n[workspaces.theirs]\nroot = \"../../b\"\nhousehold = \"away\"\n")
	s := h.serve()
	h.ok("workspace", "add", "private", "b")
	h.ok("workspace", "add", "common", "b", "--share")
	h.ok("users", "add", "mia", "member")
	s.withToken("--user", "mia")
	named := func(status int, name string) string {
		t.Helper()
		return s.call(status, "POST", "/v1/runs", api.NewRun{ID: rein.RunID("in-" + name), Task: rein.Task{Workspace: name, Messages: []rein.Message{{Role: rein.User, Text: "Read."}}}})
	}
	for _, name := range []string{"theirs", "private", "nowhere"} {
		if text := named(http.StatusNotFound, name); !strings.Contains(text, "there is no workspace") || strings.Contains(text, h.dir) {
			t.Errorf("%s: %s", name, text)
		}
		body := api.NewMessage{Text: "Read.", Task: rein.Task{Workspace: name}}
		s.call(http.StatusNotFound, "POST", "/v1/sessions/talk/messages", body)
	}
	for name, words := range map[string]string{"ours": "the file of a", "common": "the file of b"} {
		named(http.StatusCreated, name)
		s.finished(rein.RunID("in-" + name))
		h.said("in-"+name, words)
	}
	list := s.call(http.StatusOK, "GET", "/v1/workspaces", nil)
	for _, name := range []string{"ours", "common", workspace.Default} {
		if !strings.Contains(list, `"`+name+`"`) {
			t.Errorf("the list has no %s: %s", name, list)
		}
	}
	for _, name := range []string{"theirs", "private", h.dir} {
		if strings.Contains(list, name) {
			t.Errorf("the list has %s: %s", name, list)
		}
	}
	s.call(http.StatusForbidden, "POST", "/v1/workspaces", api.NewWorkspace{Name: "mine", Root: h.dir + "/b"})
	s.call(http.StatusForbidden, "DELETE", "/v1/workspaces/common", nil)
	s.call(http.StatusBadRequest, "POST", "/v1/runs", api.NewRun{Task: rein.Task{Rules: "x", Messages: hello()}})

	s.withToken() // of the owner, who is an admin
	s.call(http.StatusBadRequest, "POST", "/v1/workspaces", api.NewWorkspace{Name: "all", Root: "/", Force: true})
	s.call(http.StatusCreated, "POST", "/v1/workspaces", api.NewWorkspace{Name: "mine", Root: h.dir + "/b", Shared: true})
	named(http.StatusNotFound, "private")
}

// A run is bound by the rules that it started under and by those of now: loosening them does not loosen
// it while it waits, and tightening them does tighten it.
//
// Attack: 55
func TestRulesOfAWaitingRun(t *testing.T) {
	t.Parallel()
	const loose, strict = "root = \"../../a\"\nvault = \"../../a/notes\"\n", "root = \"../../a\"\nvault = \"../../a/notes\"\nexclude = [\"Private\"]\nask = [\"get_current_time\"]\n"
	for name, c := range map[string]struct{ before, after string }{"loosened": {strict, loose}, "tightened": {loose, strict}, "tightened by the folder": {loose, loose}, "as it was": {loose, loose}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newPlaces(t, "[notes]\nvectors = false\n[workspaces.garden]\n"+c.before)
			h.write("a/notes/Private/here.txt", "a secret of the garden")
			s := h.serve().withToken()
			s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{ID: "waiting", Task: rein.Task{Workspace: "garden", Messages: []rein.Message{{Role: rein.User, Text: "Ask and read."}}}})
			s.follow("waiting", `"ask.opened"`)
			h.edit(c.before, c.after)
			if name == "tightened by the folder" {
				h.write("a/rein.toml", "[notes]\nexclude = [\"Private\"]\n[tools]\nask = [\"get_current_time\"]\n")
			}
			h.ok("answer", "waiting:4.ask", "yes")
			if name == "as it was" {
				s.finished("waiting")
				h.said("waiting", "a secret of the garden")
				return
			}
			s.follow("waiting", "Allow get_current_time") // is asked for
			h.said("waiting", "may not be seen", "a secret of the garden")
		})
	}
}

// What the settings allow beforehand and no longer do is asked for, also in a run that started while
// they did.
func TestAllowIsTakenBack(t *testing.T) {
	t.Parallel()
	h := newPlaces(t, "[tools]\nask = []\nallow = [\"commit_staged_changes\"]\nroot = \"../../a\"\n[notes]\nvectors = false\n")
	h.edit("model = \"demo\"", "model = \"demo\"\nvault = \"../../a/notes\"")
	h.write("a/notes/x.md", "x")
	h.write(".config/rein/demo.txt", "when turn=1\ncall write_note {\"path\":\"y.md\",\"content\":\"y\"}\n\nwhen turn=2\ncall ask_user {\"question\":\"Shall I?\"}\n\nwhen turn=3\ncall commit_staged_changes {}\n\nwhen\nsay Done.\n")
	s := h.serve().withToken()
	s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{ID: "waiting", Task: rein.Task{Messages: hello()}})
	s.follow("waiting", `"ask.opened"`)
	h.edit("allow = [\"commit_staged_changes\"]\n", "")
	var asks api.Asks
	s.read("/v1/asks?tree=waiting&state=pending", &asks)
	h.ok("answer", string(asks.Asks[0].ID), "yes")
	s.follow("waiting", `"approval"`)
	if _, err := os.Stat(filepath.Join(h.dir, "a/notes/y.md")); err == nil {
		t.Error("it was committed without asking")
	}
}

// The settings of a folder make things stricter there, and can do nothing else.
//
// Attack: 55
func TestSettingsOfAFolder(t *testing.T) {
	t.Parallel()
	h := newPlaces(t, "[budget]\nrounds = 7\ntokens = 500_000\n")
	for _, bad := range []string{
		"[tools]\nallow = [\"commit_staged_changes\"]\n", "[tools]\nroot = \"/\"\n", "[models.evil]\nkind = \"offline\"\n", "model = \"offline\"\n",
		"[webhooks.x]\nurl = \"https://example.org\"\nsecret_env = \"X\"\n", "[redact]\nenv = [\"HOME\"]\n", "[workspaces.x]\nroot = \"/\"\n", "vault = \"/\"\n", "[server]\nhosts = [\"x\"]\n",
	} {
		h.write("a/rein.toml", bad)
		out, err := h.in("a", "run", "Time.").CombinedOutput()
		if err == nil || !strings.Contains(string(out), filepath.Join("a", "rein.toml")+":") || !strings.Contains(string(out), "cannot be set by a folder") {
			t.Errorf("%s: %v\n%s", bad, err, out)
		}
	}
	h.write("a/rein.toml", "[budget]\nrounds = 3\ntokens = 900_000\n[tools]\ndeny = [\"get_current_time\"]\n")
	h.write("a/AGENTS.md", "Speak of the harvest.")
	h.trusts("a")
	if out, err := h.in("a", "run", "Time.").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	id := h.only("Time.", 1)[0]
	h.said(id, "is denied by the policy")
	task := h.frozen(rein.RunID(id))
	if task.Budget.Rounds != 3 || task.Budget.Tokens != 500_000 {
		t.Errorf("the budget is %+v", task.Budget)
	}
	if !strings.Contains(task.Texts[texts.AgentsRule], "harvest") {
		t.Errorf("the texts are %q", task.Texts)
	}
}

// Workspaces are added, listed and removed; a run whose workspace is gone sees nothing.
func TestWorkspaceCommands(t *testing.T) {
	t.Parallel()
	h := newPlaces(t, "[workspaces.garden]\nroot = \"../../a\"\n")
	if out := h.ok("workspace", "add", "field", "b"); out != "workspace field: files in "+filepath.Join(h.dir, "b") {
		t.Error(out)
	}
	h.ok("workspace", "add", "field", "b") // again
	h.refuses(exitWrong, "there is a workspace \"field\" already", "workspace", "add", "field", "a")
	h.refuses(exitWrong, "the settings have a workspace", "workspace", "add", "garden", "b")
	h.refuses(exitWrong, "is a home folder", "workspace", "add", "home", ".")
	h.refuses(exitWrong, "there is no folder", "workspace", "add", "none", "none")
	h.refuses(exitWrong, "choose another name", "workspace", "add", "default", "b")
	out := h.ok("workspace", "list")
	for _, words := range []string{"default ", "garden   settings  yes", "field    added     no"} {
		if !strings.Contains(out, words) {
			t.Errorf("the list has no %q:\n%s", words, out)
		}
	}
	h.ok("run", "--workspace", "field", "--session", "talk", "Read.")
	h.said(h.only("Read.", 1)[0], "the file of b")
	h.refuses(exitWrong, "there is no workspace \"filed\" for you: leave it out, or name one that `rein workspace list` lists", "run", "--workspace", "filed", "Read.")
	h.ok("workspace", "remove", "field")
	h.refuses(exitWrong, "there is no workspace", "workspace", "remove", "field")
	h.refuses(exitWrong, "there is no workspace", "run", "--session", "talk", "Read.")
}
