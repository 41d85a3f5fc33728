package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/examples/flows"
)

// A flow of the program is one like rein's: its settings have a section in rein.toml and are completed and
// clamped, its runs get the tools of the session, and what it may ask is known before it starts.
func TestOwnFlow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(file, []byte("default_flow = \"proofread\"\n[proofread]\nspelling = \"American\"\n[presets.check]\nflow = \"proofread\"\nprompt = \"Check this.\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), Options{Data: filepath.Join(dir, "data"), Config: file, Env: []string{"REIN_PROOFREAD_ROUNDS=7"}, Flows: flows.Kinds()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	hello := []rein.Message{{Role: rein.User, Text: "Helo."}}
	task, err := a.owner.prepare(rein.Task{Messages: hello, Settings: []byte(`{"rounds": 99}`)})
	if err != nil || task.Flow != "proofread" || string(task.Settings) != `{"rounds":20,"spelling":"American"}` {
		t.Errorf("the task is for %s with %s (%v)", task.Flow, task.Settings, err)
	}
	if want := "proofread: rounds is 20 instead of 99: it must be from 1 to 20"; !slices.Contains(task.Notices, want) {
		t.Errorf("the notices are %q", task.Notices)
	}
	if !slices.Contains(task.Tools, "read_session_file") || slices.Contains(task.Tools, "request_input") {
		t.Errorf("the tools are %q", task.Tools)
	}
	for wrong, settings := range map[string]string{"unknown field": `{"round": 1}`, "one of": `{"spelling": "Dutch"}`} {
		if _, err := a.owner.prepare(rein.Task{Messages: hello, Settings: []byte(settings)}); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", settings, err)
		}
	}
	c := catalogue{a.owner}
	list := c.Flows()
	i := slices.IndexFunc(list, func(f api.Flow) bool { return f.Name == "proofread" })
	if i < 0 || list[i].About != "corrects a text" || !list[i].Default || string(list[i].Settings) != `{"rounds":7,"spelling":"American"}` {
		t.Errorf("the flows are %+v", list)
	}
	if asks := c.MayAsk(rein.Task{Flow: "proofread", Tools: []string{}, Messages: hello}); len(asks) != 0 {
		t.Errorf("proofread asks %+v", asks)
	}
	if asks := c.MayAsk(rein.Task{Flow: "letter", Tools: []string{}, Messages: hello}); len(asks) != 1 || asks[0].What != "ask" {
		t.Errorf("letter asks %+v", asks)
	}
}

// A value that a flow of the program does not take is a mistake in the file, told with its place.
func TestOwnFlowSettingsAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(file, []byte("[proofread]\nrounds = 21\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), Options{Data: filepath.Join(dir, "data"), Config: file, Env: []string{}, Flows: flows.Kinds()})
	if err == nil {
		a.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "rein.toml:2:10: proofread.rounds is 21 and must be from 1 to 20") {
		t.Errorf("it says %v", err)
	}
}
