package cli

import (
	"encoding/json"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"rein"
	"rein/api"
)

// tell starts a run of a session and waits for its end.
func (s *house) tell(id rein.RunID, session, text string) {
	s.Helper()
	body := newRun(text, nil)
	body.ID, body.Task.Session = id, session
	s.call(http.StatusCreated, "POST", "/v1/runs", body)
	s.finished(id)
}

// posts sends a body and reads the answer.
func (s *house) posts(status int, path string, body, into any) {
	s.Helper()
	s.check(json.Unmarshal([]byte(s.call(status, "POST", path, body)), into))
}

// conversation is the history of a session, as IDs.
func (s *house) conversation(session string) string {
	s.Helper()
	var page api.Runs
	s.read("/v1/sessions/"+session+"/history", &page)
	var ids []string
	for _, run := range page.Runs {
		ids = append(ids, string(run.ID))
	}
	return strings.Join(ids, " ")
}

// prompt is what a run's first model call was sent, as its log has it.
func (s *house) prompt(run rein.RunID) string {
	s.Helper()
	var page api.Steps
	s.read("/v1/runs/"+string(run)+"/steps", &page)
	for _, step := range page.Steps {
		var detail api.StepDetail
		s.read("/v1/runs/"+string(run)+"/steps/"+string(step.Key), &detail)
		if detail.Prompt != nil {
			var all []string
			for _, m := range detail.Prompt.Messages {
				all = append(all, m.Text)
			}
			return strings.Join(all, "\n")
		}
	}
	s.Fatalf("run %s has called no model", run)
	return ""
}

// A branch that was answered is there after kill -9, with what it inherits; asking for it again is the same one. Its
// runs are sent exactly what came before it. It can be forked and replayed like any session, and audited.
//
// Covers: SD-94
func TestServeBranches(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	s.tell("r0", "s1", "The first one.")
	s.tell("r1", "s1", "The second one.")
	s.tell("r2", "s1", "The third one.")
	s.call(http.StatusOK, "PUT", "/v1/sessions/s1/files/late.txt", "late", "Content-Type: text/plain")
	edited := api.NewBranch{Run: "r1", ID: "b", Task: newRun("Another second one.", nil).Task}
	var made, again api.Started
	s.posts(http.StatusCreated, "/v1/sessions/s1/branches", edited, &made)
	if made.ID != "b" || made.Session != "b" || made.Workspace == "" {
		t.Errorf("it was answered %+v", made)
	}
	s.check(s.cmd.Process.Signal(syscall.SIGKILL))
	_ = s.ended()
	token := s.token
	s = h.serve()
	s.token = token
	s.posts(http.StatusOK, "/v1/sessions/s1/branches", edited, &again)
	s.finished("b")
	if got := s.conversation("b"); got != "r0 b" {
		t.Errorf("the branch has %s", got)
	}
	sent := s.prompt("b")
	for text, want := range map[string]bool{"The first one.": true, "Another second one.": true, "The second one.": false, "The third one.": false, "late.txt": false} {
		if strings.Contains(sent, text) != want {
			t.Errorf("the prompt holds %q: %v\n%s", text, !want, sent)
		}
	}
	var session api.Session
	s.read("/v1/sessions/b", &session)
	if session.BranchOf == nil || *session.BranchOf != (rein.Branch{Session: "s1", Run: "r1"}) {
		t.Errorf("it is shown as a branch of %+v", session.BranchOf)
	}
	var replayed api.Replayed
	for _, run := range []string{"b", "r2"} {
		s.posts(http.StatusOK, "/v1/runs/"+run+"/replay", nil, &replayed)
		if !replayed.Same || replayed.Steps == 0 || len(replayed.Differences) > 0 || replayed.Why != "" {
			t.Errorf("the replay of %s: %+v", run, replayed)
		}
	}
	s.ok("replay", "b")
	out, _, _ := s.rein("erase", "r0")
	if !strings.Contains(out, "a branch that knows what session s1") {
		t.Errorf("the plan says\n%s", out)
	}
	s.ok("audit", "verify")
}

// A fork over the API goes the way of its run up to the step, says what was edited there, and goes on from it. A step
// that is not there, or has no text, is refused before anything starts.
func TestServeForks(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	s.tell("r0", "s1", "The first one.")
	var steps api.Steps
	s.read("/v1/runs/r0/steps", &steps)
	var last, read rein.StepKey
	for _, step := range steps.Steps {
		if step.Verb == rein.VerbModel {
			last = step.Key
		} else if read == "" && step.Tool == "" {
			read = step.Key
		}
	}
	text := `{"text": "not JSON"}`
	var fork, again api.Started
	body := api.NewFork{ID: "f", Step: last, Text: &text}
	s.posts(http.StatusCreated, "/v1/runs/r0/forks", body, &fork)
	info := s.finished("f")
	if fork.ID != "f" || fork.Session != "f" || info.Outcome == nil || info.Outcome.Text != text {
		t.Errorf("the fork %+v ended as %+v", fork, info.Outcome)
	}
	s.posts(http.StatusOK, "/v1/runs/r0/forks", body, &again)
	for path, body := range map[string]any{
		"/v1/runs/r0/forks":        api.NewFork{Step: "99"},
		"/v1/runs/r0/forks?tree=1": api.NewFork{},
		"/v1/runs/r0/forks?tree=0": api.NewFork{Step: last, Model: "no such model"},
		"/v1/runs":                 api.NewRun{Task: rein.Task{Flow: "operate", Fork: &rein.Fork{Run: "r0", Step: "99"}}},
	} {
		s.call(http.StatusBadRequest, "POST", path, body)
	}
	if n := s.countRuns("owner"); n != 2 {
		t.Errorf("there are %d runs, not the run and its fork", n)
	}
	var replayed api.Replayed
	s.posts(http.StatusOK, "/v1/runs/f/replay", nil, &replayed)
	if !replayed.Same {
		t.Errorf("the replay of the fork: %+v", replayed)
	}
}
