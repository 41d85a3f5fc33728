//go:build linux

package cli

import (
	"net/http"
	"strings"
	"testing"
)

// At a terminal the banner stays in sight: what is asked of the server is not told, only what is
// wrong, in lines that people can read.
func TestServeTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, deskScript)
	x := d.open("serve", "--listen", "127.0.0.1:0")
	x.sees("Ctrl-C shuts it down; runs in progress are kept.\n")
	url := bannerAddress.FindStringSubmatch(x.text())[1]
	for _, path := range []string{"/healthz", "/docs", "/v1/me"} {
		answer, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	x.sees("route=/v1/me status=401")
	x.types("\x03")
	x.sees("shutting down; calls in progress finish first (Ctrl-C again leaves at once)\n")
	x.ends(exitOK)
	_, log, _ := strings.Cut(x.text(), "are kept.\n")
	if strings.Contains(log, "{") || strings.Contains(log, "/healthz") || strings.Count(log, "\n") != 3 || !strings.Contains(log, " \x1b[33mwarning:\x1b[0m request ") {
		t.Errorf("the terminal shows:\n%s", log)
	}
}
