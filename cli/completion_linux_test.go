package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script for bash works in a real bash, which asks a real rein.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	d := newDesk(t, "when\nsay x\n")
	name := d.link()
	script := filepath.Join(d.home, "complete.sh")
	text := shells["bash"] + `
COMP_WORDS=(rein "$@"); COMP_CWORD=$#; _rein; printf '%s\n' "${COMPREPLY[@]}"
`
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"und"}, "undo"},
		{[]string{"run", "--mode", "pl"}, "plan"},
		{[]string{"notes", "se"}, "search"},
		{[]string{"run", "--mod"}, "--model --mode"},
	} {
		cmd := exec.CommandContext(t.Context(), bash, append([]string{"--norc", script}, c.words...)...)
		cmd.Env = append(d.environ(), "PATH="+filepath.Dir(name)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != c.want {
			t.Errorf("%q: %q %v, want %q", c.words, got, err, c.want)
		}
	}
}
