package cli

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// A session is exported the same from a server, and from the data folder beside it: with the files of the session.
func TestExportFromServer(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	h.ok("run", "--session", "s1", "Say hello.")
	if r := s.do("PUT", "/v1/sessions/s1/files/report.csv", "a,b\n", "Content-Type: text/csv"); r.StatusCode != http.StatusOK {
		t.Fatal(r.Status)
	}
	here := h.ok("export", "s1", "--md")
	for _, want := range []string{"# Say hello.", "\nHello.\n", "- `report.csv`, text/csv, 4 bytes, "} {
		if !strings.Contains(here, want) {
			t.Errorf("the export has no %q:\n%s", want, here)
		}
	}
	h.write("token", s.token+"\n")
	there := h.ok("export", "s1", "--md", "--server", s.url, "--token-file", "token")
	if withoutTime(here) != withoutTime(there) {
		t.Errorf("from the server:\n%s\nfrom the folder:\n%s", there, here)
	}
	if page := h.ok("export", "last", "--html", "--server", s.url, "--token-file", filepath.Join(h.dir, "token")); !strings.Contains(page, "<p>Hello.</p>") {
		t.Error(page)
	}
	h.refuses(exitUsage, "needs a token", "export", "s1", "--md", "--server", s.url)
	h.refuses(exitWrong, `no session and no run "none"`, "export", "none", "--md", "--server", s.url, "--token-file", "token")
}

// A branch is exported with the runs that it inherits, which say where they come from.
func TestExportOfABranch(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	h.ok("run", "--session", "s1", "First.")
	h.ok("run", "--session", "s1", "Second.")
	var second struct{ Runs []struct{ ID string } }
	s.check(json.NewDecoder(s.do("GET", "/v1/runs?session=s1&newest=1&limit=1", nil).Body).Decode(&second))
	if len(second.Runs) != 1 {
		t.Fatal(second)
	}
	task := map[string]any{"flow": "chat", "messages": []map[string]string{{"role": "user", "text": "Otherwise."}}}
	if r := s.do("POST", "/v1/sessions/s1/branches", map[string]any{"run": second.Runs[0].ID, "id": "b1", "task": task}); r.StatusCode >= 300 {
		t.Fatal(r.Status)
	}
	got := h.ok("export", "b1", "--md")
	for _, want := range []string{"## Run 1: First.", "- from session: `s1`", "## Run 2: Otherwise."} {
		if !strings.Contains(got, want) {
			t.Errorf("the export has no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Second.") {
		t.Error(got)
	}
}

// withoutTime is an export without the line that says when it was made.
func withoutTime(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "- exported: ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
