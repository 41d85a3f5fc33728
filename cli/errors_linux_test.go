package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An error is told once and whole: what to do stands at its end.
func TestErrorsOnceAndWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The request was not understood by the gateway. ", 6) + "Set the header X-Project to go on."
	d := newDesk(t, "when\nfail provider \""+long+"\"\n")
	for _, flow := range []string{"operate", "answer", "chat"} {
		x := d.open("run", "--flow", flow, "Hello?")
		x.ends(exitWrong)
		flat := strings.ReplaceAll(x.rows(), "\n┊ ", " ")
		if n := strings.Count(flat, "to go on."); n != 1 {
			t.Errorf("%s: the advice is there %d times:\n%s", flow, n, flat)
		}
		if !strings.Contains(flat, "failed") {
			t.Errorf("%s: it does not say that it failed:\n%s", flow, flat)
		}
	}
}

// A server that is not there is not called overloaded, and is named once, however often it is tried.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	d := newDesk(t, "when\nsay Hello.\n")
	settings := "model = \"far\"\n[models.far]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"" + address + "/v1\"\nkey_env = \"HOME\"\n"
	if err := os.WriteFile(filepath.Join(d.home, ".config/rein/rein.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	x := d.open("run", "Hello?")
	x.sees("nothing listens there: start the server, or check the base URL")
	x.sees("for the same reason")
	x.types("\x03")
	x.ends(exitStopped)
	if rows := x.rows(); strings.Contains(rows, "overloaded") || strings.Count(rows, "nothing listens there") != 1 {
		t.Errorf("the screen:\n%s", rows)
	}
}
