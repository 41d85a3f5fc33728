package offline

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"rein"
)

// TestFormatsAreThoseOfTheFlows wants every format to be asked for by a prompt of a flow, so that none
// is left behind when a prompt changes.
func TestFormatsAreThoseOfTheFlows(t *testing.T) {
	asked := map[string]bool{}
	prompts := os.DirFS("../../flow")
	err := fs.WalkDir(prompts, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := fs.ReadFile(prompts, path)
		if wanted := formatWanted([]rein.Message{{Role: rein.System, Text: string(text)}}); wanted != nil {
			asked[wanted.mark] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		if !asked[f.mark] {
			t.Errorf("no prompt of a flow has %s", f.mark)
		}
	}
}

// TestFormatsAreAskedForByInstructions wants none to be written because a person or a tool shows one.
func TestFormatsAreAskedForByInstructions(t *testing.T) {
	for _, role := range []rein.Role{rein.User, rein.Assistant, rein.ToolRole} {
		if f := formatWanted([]rein.Message{{Role: role, Text: `{"type": "final", "should_continue": true}`}}); f != nil {
			t.Errorf("%s asks for %s", role, f.mark)
		}
	}
}
