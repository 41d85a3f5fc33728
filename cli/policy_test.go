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

const policyScript = `
when turn=1
call ask_user {"question":"Shall I go on?"}

when turn=2
wrong-tool list_directory {}

when turn=3
call get_current_time {}

when
say Done.
`

// A run keeps the policy of the settings it was started under, also if its task brings a policy of its
// own: a restart with looser settings loosens nothing, and its own policy cannot loosen them either.
//
// Attack: 55
func TestLooserSettingsLoosenNoRun(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]rein.Policy{
		"no policy of its own":   {},
		"one about other tools":  {Ask: []string{"read_file"}, Deny: []string{"load_skill"}},
		"one that would be free": {Allow: []string{"get_current_time", "list_directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const strict = "[tools]\nask = [\"get_current_time\"]\ndeny = [\"list_directory\"]\n"
			h := newHome(t, strict)
			h.write(".config/rein/demo.txt", policyScript)
			s := h.serve("--root", h.folder("work")).withToken()
			var run api.Started
			task := rein.Task{Policy: own, Tools: []string{"ask_user", "get_current_time", "list_directory", "read_file", "load_skill"}, Messages: []rein.Message{{Role: rein.User, Text: "Go."}}}
			s.check(json.Unmarshal([]byte(s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{Task: task})), &run))
			s.follow(run.ID, `"ask.opened"`)
			s.end(syscall.SIGTERM)

			h.write(".config/rein/rein.toml", strings.Replace(h.text(".config/rein/rein.toml"), strict, "", 1))
			next := h.serve("--root", h.folder("work"))
			next.token = s.token
			next.ok("answer", string(run.ID)+":4.ask", "yes")
			next.follow(run.ID, "Allow get_current_time")
			if shown := next.ok("show", string(run.ID)); !strings.Contains(shown, `tool "list_directory" is denied by the policy`) {
				t.Errorf("list_directory was not denied:\n%s", shown)
			}
		})
	}
}

// A run that is played again under other settings is the same run: what they make stricter is no
// difference unless it made one.
func TestReplayUnderStricterSettings(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.ok("run", "Hi.")
	var run api.Run
	h.check(json.Unmarshal([]byte(h.ok("runs", "--json")), &run))
	h.write(".config/rein/rein.toml", h.text(".config/rein/rein.toml")+"[tools]\nask = [\"get_current_time\"]\n")
	if out, wrong, code := h.rein("replay", string(run.ID)); code != exitOK {
		t.Errorf("exit %d\n%s%s", code, out, wrong)
	}
}
