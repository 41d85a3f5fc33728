package main

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein/internal/labs"
)

// Where the database cannot be reached, one line says so, and that is no failure.
func TestUnreachableDatabase(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	for _, db := range []string{gone.URL, broken.URL, "http://127.0.0.1:1/db"} {
		var out bytes.Buffer
		if err := run(t.Context(), "nowhere", db, &out, []string{"./..."}); err != nil {
			t.Errorf("%s: %v", db, err)
		}
		if text := out.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "NOT CHECKED") {
			t.Errorf("%s: said %q", db, text)
		}
	}
}

// With govulncheck itself: what is known to be vulnerable and is called fails, and what is not passes.
func TestFoundVulnerabilityFails(t *testing.T) {
	labs.Only(t)
	program := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.26.0\n",
		"main.go": "package main\n\nimport \"strings\"\n\nfunc main() { println(strings.ToUpper(\"a\")) }\n",
	} {
		if err := os.WriteFile(filepath.Join(program, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		symbol string
		found  bool
	}{{"ToUpper", true}, {"ToTitle", false}} {
		var out bytes.Buffer
		err := run(t.Context(), "../..", aDatabase(t, c.symbol), &out, []string{"-C", program, "./..."})
		if (err != nil) != c.found || strings.Contains(out.String(), "calls strings.ToUpper") != c.found {
			t.Errorf("%s: %v\n%s", c.symbol, err, out.String())
		}
	}
}

// aDatabase serves one that knows one vulnerable function of the package strings.
func aDatabase(t *testing.T, symbol string) string {
	const when = `"modified":"2026-01-02T03:04:05Z"`
	files := map[string]string{
		"/index/db.json":      `{` + when + `}`,
		"/index/modules.json": `[{"path":"stdlib","vulns":[{"id":"GO-2026-0001",` + when + `}]}]`,
		"/ID/GO-2026-0001.json": `{"schema_version":"1.3.1","id":"GO-2026-0001",` + when + `,"published":"2026-01-02T03:04:05Z","summary":"planted","database_specific":{"url":"https://pkg.go.dev/vuln/GO-2026-0001"},
			"affected":[{"package":{"name":"stdlib","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],
			"ecosystem_specific":{"imports":[{"path":"strings","symbols":["` + symbol + `"]}]}}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[strings.TrimSuffix(r.URL.Path, ".gz")]
		if !ok || !strings.HasSuffix(r.URL.Path, ".gz") {
			http.NotFound(w, r)
			return
		}
		packed := gzip.NewWriter(w)
		defer packed.Close()
		if _, err := packed.Write([]byte(text)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
