package cli

import (
	"strings"
	"syscall"
	"testing"
)

// Who asks for the debug log reads in it what was searched and what real notes it found, redacted; who
// does not, reads nothing of it.
//
// Covers: HUM-80/notes HUM-81/notes HUM-82/notes HUM-83/notes
func TestServeDebugOfNotes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings string
		told     bool
	}{"asked for": {"[telemetry]\ndebug = true\n", true}, "by default": {"", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, "[notes]\nvectors = false\n[redact]\npatterns = [{name = \"badge\", regexp = \"B-[0-9]+\"}]\n"+c.settings)
			h.write("vault/moons.md", "# Moons\n\nJupiter has moons. The badge is B-4711. "+strings.Repeat("They are large. ", 20))
			h.write(".config/rein/demo.txt", "when results=0\ncall find_similar {\"queries\":[\"moons\"],\"k\":7}\n\nwhen\nsay Done.\n")
			h.env = append(h.env, "REIN_VAULT="+h.dir+"/vault")
			h.ok("notes", "--vault", h.dir+"/vault")
			s := h.serve().withToken()
			s.finished(s.start("Which moons?").ID)
			s.end(syscall.SIGTERM)
			log := s.errors.String()
			for _, part := range []string{`"msg":"tool call"`, "find_similar", `"msg":"retrieved"`, "moons.md", `"k":7`, `"chars":`} {
				if strings.Contains(log, part) != c.told {
					t.Errorf("%q is in the log: %v\n%s", part, !c.told, log)
				}
			}
			if strings.Contains(log, "B-4711") {
				t.Errorf("the log holds a secret:\n%s", log)
			}
		})
	}
}
