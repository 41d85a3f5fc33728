package cli

import (
	"bufio"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/store/sqlite"
)

const presetScript = `
when any~"talk like a pirate"
say Arr.

when
say Hello.
`

// presetTools are those that were selected, and those that every run of the flow has.
const presetTools = "get_current_time read_result read_session_file session_files"

// startedWith returns what a run was started with.
func (s *house) startedWith(run rein.RunID) rein.Task {
	s.Helper()
	db, err := sqlite.OpenReader(s.Context(), filepath.Join(s.dir, ".local/share/rein/rein.db"))
	s.check(err)
	defer db.Close()
	first, err := db.Event(s.Context(), run, 1)
	s.check(err)
	start, err := rein.Payload[rein.RunStart](first)
	s.check(err)
	return start.Task
}

// lastRun is the newest run.
func (s *house) lastRun() rein.RunID {
	s.Helper()
	var list api.Runs
	s.read("/v1/runs?newest=1&roots=1&limit=1", &list)
	return list.Runs[0].ID
}

// How a run works is saved under a name, and others start from it over every door.
//
// Covers: TREE-80
func TestSavedPresets(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[presets.hello]\nflow = \"chat\"\nprompt = \"Hi.\"\n")
	h.write(".config/rein/demo.txt", presetScript)
	s := h.serve().withToken()
	task := rein.Task{
		Flow: "operate", Tools: []string{"get_current_time"}, Settings: []byte(`{"rounds":3}`), Texts: map[string]string{"SOUL": "You talk like a pirate.", "rule/AGENTS": "of a folder"},
		Messages: []rein.Message{{Role: rein.User, Text: "zanzibar"}}, Budget: &rein.Budget{Amount: rein.Amount{Rounds: 5, ToolCalls: 6, Tokens: 70000, Micros: 1000, DrivenMS: 60000, Runs: 2}, Depth: 1},
		Policy: rein.Policy{Allow: []string{"get_current_time"}}, Mode: rein.ModeEdits,
	}
	var first api.Started
	s.check(json.Unmarshal([]byte(s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{Task: task})), &first))
	s.finished(first.ID)
	s.ok("preset", "save", string(first.ID), "pirate", "--about", "talks like one")
	shown := s.ok("preset", "show", "pirate", "--json")
	for word, want := range map[string]bool{"zanzibar": false, "of a folder": false, `"allow"`: false, `"mode"`: false, "like a pirate": true, `"from":"own"`: true, "talks like one": true} {
		if strings.Contains(shown, word) != want {
			t.Errorf("show: %q is %v there:\n%s", word, !want, shown)
		}
	}
	if list := s.ok("preset", "list"); !strings.Contains(list, "pirate") || !strings.Contains(list, "settings") {
		t.Errorf("list:\n%s", list)
	}

	for door, start := range map[string]func(){
		"POST /v1/runs": func() {
			s.call(http.StatusCreated, "POST", "/v1/runs", map[string]any{"preset": "pirate", "task": map[string]any{"messages": []rein.Message{{Role: rein.User, Text: "Hi."}}}})
		},
		"messages": func() {
			s.call(http.StatusOK, "POST", "/v1/sessions/new/messages", map[string]any{"text": "Hi.", "preset": "pirate"})
		},
		"rein run":      func() { s.ok("run", "--preset", "pirate", "Hi.") },
		"/agent/stream": func() { readAll(s.do("GET", "/agent/stream?prompt=Hi.&preset=pirate", nil)) },
		"/chat": func() {
			s.call(http.StatusOK, "POST", "/chat", map[string]any{"message": "Hi.", "preset": "pirate"})
		},
		"/ws": func() {
			d := s.dialogue("?conversation_id=talk")
			d.says(`{"type":"chat","conversation_id":"talk","agent_mode":false,"content":"Hi.","preset":"pirate"}`)
			d.hears("response_complete")
		},
	} {
		start()
		run := s.lastRun()
		info, got := s.finished(run), s.startedWith(run)
		if info.Outcome == nil || info.Outcome.Text != "Arr." {
			t.Errorf("%s: it came to %+v", door, info.Outcome)
		}
		if got.Flow != "operate" || strings.Join(got.Tools, " ") != presetTools || got.Budget.Rounds != 5 || !strings.Contains(string(got.Settings), `"rounds":3`) || got.Preset != "pirate" {
			t.Errorf("%s: it started with %+v", door, got)
		}
		if len(got.Policy.Allow) > 0 || got.Mode != "" && got.Mode != rein.ModeAsk {
			t.Errorf("%s: it may do more than whoever started it: %+v, mode %s", door, got.Policy, got.Mode)
		}
	}
	s.call(http.StatusBadRequest, "POST", "/v1/runs", map[string]any{"preset": "pirat", "task": map[string]any{}})
	s.refuses(exitWrong, "is in the settings, which come first", "preset", "save", string(first.ID), "hello")
	s.call(http.StatusConflict, "PUT", "/v1/presets/hello", map[string]any{"run": first.ID})
}

func readAll(answer *http.Response) {
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
	}
}

// Nobody sees or starts from what another saved, unless an admin shared it; and it is erased with its user.
func TestPresetsAreTheirOwners(t *testing.T) {
	t.Parallel()
	s := newHome(t, "[limits.run]\nrounds = 300\n").serve().withToken()
	owner := s.token
	s.ok("users", "add", "ann", "member")
	s.ok("users", "add", "bob", "member")
	ann, bob := s.ok("tokens", "new", "ann's", "--user", "ann"), s.ok("tokens", "new", "bob's", "--user", "bob")
	big := rein.Task{Flow: "operate", Tools: []string{"get_current_time", "gone_tool"}, Budget: &rein.Budget{Amount: rein.Amount{Rounds: 5000, ToolCalls: 6, Tokens: 70000, Micros: 1000, DrivenMS: 60000, Runs: 2}, Depth: 1}}
	s.token = ann
	run := s.start("Hi.").ID
	s.finished(run)
	s.call(http.StatusOK, "PUT", "/v1/presets/mine", api.NewPreset{Run: run})
	s.call(http.StatusOK, "PUT", "/v1/presets/made", api.NewPreset{Task: &big})
	s.call(http.StatusForbidden, "PUT", "/v1/presets/mine?shared=1", api.NewPreset{Run: run})
	s.call(http.StatusBadRequest, "PUT", "/v1/presets/none", api.NewPreset{})
	s.call(http.StatusBadRequest, "PUT", "/v1/presets/a%2Fb", api.NewPreset{Run: run})
	s.call(http.StatusBadRequest, "PUT", "/v1/presets/odd", api.NewPreset{Task: &rein.Task{Flow: "remember"}})
	var begun api.Started
	s.check(json.Unmarshal([]byte(s.call(http.StatusCreated, "POST", "/v1/runs", map[string]any{"preset": "made", "task": map[string]any{"messages": []rein.Message{{Role: rein.User, Text: "Hi."}}}})), &begun))
	if got := s.startedWith(begun.ID); got.Budget.Rounds != 300 || strings.Join(got.Tools, " ") != presetTools || !strings.Contains(strings.Join(got.Notices, " "), "gone_tool is not there any more") {
		t.Errorf("it started with %q, %q, %+v", got.Tools, got.Notices, got.Budget)
	}
	s.finished(begun.ID)

	s.token = bob
	if list := s.call(http.StatusOK, "GET", "/v1/presets", nil); strings.Contains(list, "mine") || strings.Contains(list, "made") {
		t.Errorf("bob sees %s", list)
	}
	s.call(http.StatusNotFound, "GET", "/v1/presets/mine", nil)
	s.call(http.StatusNotFound, "DELETE", "/v1/presets/mine", nil)
	s.call(http.StatusNotFound, "PUT", "/v1/presets/stolen", api.NewPreset{Run: run})
	s.call(http.StatusBadRequest, "POST", "/v1/runs", map[string]any{"preset": "mine", "task": map[string]any{}})

	s.token = owner
	s.call(http.StatusOK, "PUT", "/v1/presets/ours?shared=1", api.NewPreset{Run: run, About: "for all"})
	s.token = bob
	if list := s.call(http.StatusOK, "GET", "/v1/presets/ours", nil); !strings.Contains(list, `"from":"shared"`) || !strings.Contains(list, "for all") {
		t.Errorf("bob sees %s", list)
	}
	s.call(http.StatusForbidden, "DELETE", "/v1/presets/ours?shared=1", nil)
	s.token = owner
	listed, wrong, _ := s.rein("erase", "user", "ann")
	for _, name := range []string{"mine", "made", "ours"} { // the last was made from a run of hers
		if !strings.Contains(listed, name) {
			t.Errorf("erase lists no %s:\n%s%s", name, listed, wrong)
		}
	}
	s.ok("erase", "user", "ann", "--yes")
	if list := s.call(http.StatusOK, "GET", "/v1/presets", nil); strings.Contains(list, `"name"`) {
		t.Errorf("after the erasure there are %s", list)
	}
}
