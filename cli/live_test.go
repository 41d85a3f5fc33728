package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
)

func hello() []rein.Message { return []rein.Message{{Role: rein.User, Text: "Hi."}} }

// socket is the API on the socket of the process that has the home's data open.
func (h *home) socket() *client.Client {
	return client.Unix(filepath.Join(h.dir, ".local", "share", "rein", socketName))
}

// edit replaces a part of the settings.
func (h *home) edit(old, with string) {
	h.Helper()
	text := h.text(".config/rein/rein.toml")
	if !strings.Contains(text, old) {
		h.Fatalf("the settings have no %q:\n%s", old, text)
	}
	h.write(".config/rein/rein.toml", strings.Replace(text, old, with, 1))
}

// A task that says nothing but what is wanted is completed alike, on the network and on every socket.
//
// Covers: ENG-56
func TestTasksAreCompletedAlike(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[budget]\nrounds = 7\n")
	h.edit("model = \"demo\"", "model = \"demo\"\nlanguage = \"nl\"")
	s := h.serve().withToken()
	over := s.start("Hi.")
	s.finished(over.ID)
	there, err := h.socket().Start(t.Context(), "served", rein.Task{Messages: hello()})
	h.check(err)
	s.finished(there.ID)
	s.end(syscall.SIGTERM)

	owner := h.command("run", "Think.") // it hangs, and owns the data meanwhile
	h.check(owner.Start())
	t.Cleanup(func() {
		_ = owner.Process.Kill()
		_ = owner.Wait()
	})
	h.until("the run owns the data", func() bool {
		_, err := h.socket().Health(t.Context())
		return err == nil
	})
	own, err := h.socket().Start(t.Context(), "owned", rein.Task{Messages: hello()})
	h.check(err)
	h.ok("run", "Hi.") // is handed over
	h.check(owner.Process.Signal(syscall.SIGINT))
	_ = owner.Wait()
	for _, id := range []rein.RunID{over.ID, there.ID, own.ID} {
		task := h.frozen(id)
		if task.Flow != "operate" || task.Model != "demo" || task.Language != "nl" || task.Budget.Rounds != 7 || len(task.Tools) == 0 {
			t.Errorf("%s began with %+v", id, task)
		}
	}
}

// frozen reads what a run was started with.
func (h *home) frozen(id rein.RunID) rein.Task {
	h.Helper()
	var e struct {
		Data rein.RunStart `json:"data"`
	}
	first, _, _ := strings.Cut(h.ok("show", "--json", string(id), "--data", filepath.Join(h.dir, ".local", "share", "rein")), "\n")
	h.check(json.Unmarshal([]byte(first), &e))
	return e.Data.Task
}

// A request that is sent again is the same run, also if the settings and the preset that complete it
// were changed in between.
//
// Covers: ENG-39
func TestSameKeyAfterAnEdit(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[budget]\nrounds = 7\n[presets.hello]\nflow = \"operate\"\nprompt = \"Hi.\"\n")
	s := h.serve().withToken()
	body := api.NewRun{Preset: "hello", Task: rein.Task{Messages: hello()}}
	var first, second, other api.Started
	send := func(status int, into *api.Started, key string) {
		t.Helper()
		s.check(json.Unmarshal([]byte(s.call(status, "POST", "/v1/runs", body, "Idempotency-Key: "+key)), into))
	}
	send(http.StatusCreated, &first, "one")
	s.finished(first.ID)
	h.edit("rounds = 7", "rounds = 8")
	h.edit("prompt = \"Hi.\"", "prompt = \"Hi there.\"\nmodel = \"offline\"")
	send(http.StatusOK, &second, "one")
	if second.ID != first.ID {
		t.Errorf("sent again it is run %s, not %s", second.ID, first.ID)
	}
	send(http.StatusCreated, &other, "two")
	s.finished(other.ID)
	if was, is := h.frozen(first.ID), h.frozen(other.ID); was.Budget.Rounds != 7 || is.Budget.Rounds != 8 || was.Model != "demo" || is.Model != "offline" || is.Messages[0].Text != "Hi there." {
		t.Errorf("began with %+v, later with %+v", was, is)
	}
}

// An edit of the settings holds for the runs that start after it: their budget, tools, models and
// policy. A wrong one changes nothing; the log, the notices of runs and the doctor report it.
//
// Covers: HUM-55/seams
func TestSettingsAreReadAgain(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[budget]\nrounds = 7\n")
	s := h.serve().withToken()
	before := s.start("Hi.")
	s.finished(before.ID)
	h.write(".config/rein/other.txt", "when\nsay Good day.\n")
	h.edit("model = \"demo\"", "model = \"other\"\nlanguage = \"nl\"")
	h.edit("rounds = 7", "rounds = 8\n[tools]\ndeny = [\"get_current_time\"]\n[models.other]\nkind = \"script\"\nfile = \"other.txt\"\n")
	after := s.start("Hi.")
	if end := s.finished(after.ID).Outcome; end == nil || end.Text != "Good day." {
		t.Errorf("the new model said %+v", end)
	}
	was, is := h.frozen(before.ID), h.frozen(after.ID)
	if was.Budget.Rounds != 7 || is.Budget.Rounds != 8 || is.Model != "other" || is.Language != "nl" || strings.Contains(strings.Join(is.Tools, " "), "get_current_time") {
		t.Errorf("began with %+v, later with %+v", was, is)
	}

	h.edit("rounds = 8", "rounds = \"many\"")
	broken := s.start("Hi.")
	s.finished(broken.ID)
	is = h.frozen(broken.ID)
	if is.Budget.Rounds != 8 || is.Model != "other" || !strings.Contains(strings.Join(is.Notices, "\n"), "rein.toml:") || !strings.Contains(strings.Join(is.Notices, "\n"), "budget.rounds") {
		t.Errorf("after a wrong edit: %+v", is)
	}
	if log := s.errors.String(); strings.Count(log, "budget.rounds") != 1 {
		t.Errorf("the log does not say it once:\n%s", log)
	}
	// The doctor reads the file itself first, so it needs a right one from elsewhere.
	h.write("right.toml", "model = \"offline\"\n")
	out, _, code := h.rein("doctor", "--config", "right.toml")
	if code != exitWrong || !strings.Contains(out, "wrong  live") || !strings.Contains(out, "budget.rounds") {
		t.Errorf("the doctor (exit %d) says\n%s", code, out)
	}
	h.edit("rounds = \"many\"", "rounds = 9\n[telemetry]\nmetrics = false")
	fixed := s.start("Hi.")
	s.finished(fixed.ID)
	if is = h.frozen(fixed.ID); is.Budget.Rounds != 9 || len(is.Notices) > 0 {
		t.Errorf("after it was corrected: %+v", is)
	}
	if out, _, _ := h.rein("doctor"); !strings.Contains(out, "warn   live") || !strings.Contains(out, "telemetry.metrics") {
		t.Errorf("the doctor says\n%s", out)
	}
	if err := os.Remove(filepath.Join(h.dir, ".config/rein/rein.toml")); err != nil {
		t.Fatal(err)
	}
	gone := s.start("Hi.")
	s.finished(gone.ID)
	if is = h.frozen(gone.ID); is.Model != "offline" {
		t.Errorf("without a file: %+v", is)
	}
}

// Flags are for the run that they are typed with, not for those that other terminals hand over.
func TestFlagsAreForOneRun(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	owner := h.command("run", "--yes-to", "commit_staged_changes", "--flow", "chat", "Think.")
	h.check(owner.Start())
	t.Cleanup(func() {
		_ = owner.Process.Kill()
		_ = owner.Wait()
	})
	h.until("the run owns the data", func() bool {
		_, err := h.socket().Health(t.Context())
		return err == nil
	})
	_, err := h.socket().Start(t.Context(), "other", rein.Task{Messages: hello()})
	h.check(err)
	h.check(owner.Process.Signal(syscall.SIGINT))
	_ = owner.Wait()
	if task := h.frozen("other"); task.Flow != "operate" || len(task.Policy.Allow) > 0 {
		t.Errorf("it began with %+v", task)
	}
}
