package cli

import (
	"bufio"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

const leakScript = `
when offered=read_file results=0 last~"over /v1"
call read_file {"path":"` + token + `.txt"}

when
say Your token is ` + token + `, and the address postgres://ann:pw-3Xample@db/x, so keep them.
`

// leak is what a person says who does not take care of a secret.
const leak = "Is " + token + " my token? over "

// A secret in what a person says, in a call, in the error of a tool and in the model's reply is shown by
// no way out: not by the API and its streams, the dialects, the command line, a recording, the log
// with debug lines.
//
// Covers: HUM-42
// Attack: 66
func TestNoWayOutShowsASecret(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[tools]\nroot = \"files\"\n[telemetry]\ndebug = true\n")
	h.folder(".config/rein/files")
	h.write(".config/rein/demo.txt", leakScript)
	s := h.serve().withToken()
	ways := map[string]string{}

	run := s.start(leak + "/v1").ID
	ways["stream"] = s.follow(run, "event: end")
	for name, path := range map[string]string{"run": "/v1/runs/" + string(run), "events": "/v1/runs/" + string(run) + "/events", "tree": "/v1/runs/" + string(run) + "/tree", "runs": "/v1/runs"} {
		ways[name] = s.call(http.StatusOK, "GET", path, nil)
	}

	d := s.dialogue("?conversation_id=talk")
	d.says(`{"type":"chat","conversation_id":"talk","content":"` + leak + `/ws"}`)
	ways["/ws"] = d.hears("response_complete")

	ways["/agent/stream"] = s.lines("/agent/stream?prompt=" + url.QueryEscape(leak+"/agent"))
	ways["/agent/tree"] = s.call(http.StatusOK, "GET", "/agent/tree", nil)

	ways["/chat"] = s.call(http.StatusOK, "POST", "/chat", map[string]string{"message": leak + "/chat"})
	ways["/chat/stream"] = s.call(http.StatusOK, "POST", "/chat/stream", map[string]string{"message": leak + "/chat"})
	ways["/chat/history"] = s.call(http.StatusOK, "GET", "/chat/history", nil)

	ways["command line"] = s.ok("runs", "--all") + s.ok("runs", "--all", "--json") + s.ok("show", string(run)) + s.ok("show", "--json", string(run)) + s.ok("tree") + s.ok("tree", "--json") + s.ok("replay", string(run))
	s.logs(`"run ended","run":"` + string(run))
	ways["log"] = s.errors.String()

	for way, text := range ways {
		for _, secret := range []string{token[:12], token[20:], "pw-3Xample"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q:\n%s", way, secret, text)
			}
		}
		if way != "log" && way != "/agent/tree" && !strings.Contains(text, rein.Mask) { // those two have no words
			t.Errorf("%s shows nothing in the place of secrets:\n%s", way, text)
		}
	}
}

// lines reads a stream to its end.
func (s *house) lines(path string) string {
	s.Helper()
	all := ""
	for lines := bufio.NewScanner(s.do("GET", path, nil).Body); lines.Scan(); {
		all += lines.Text() + "\n"
	}
	return all
}

// A recording that is saved for others holds no secret either.
func TestARecordingHoldsNoSecret(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[tools]\nroot = \"files\"\n")
	h.folder(".config/rein/files")
	h.write(".config/rein/demo.txt", leakScript)
	s := h.serve().withToken()
	run := s.start(leak + "/v1").ID
	s.finished(run)
	s.ok("replay", "--save", filepath.Join(h.dir, "tapes"), string(run))
	files, err := filepath.Glob(filepath.Join(h.dir, "tapes", "*"))
	s.check(err)
	if len(files) == 0 {
		t.Fatal("nothing was saved")
	}
	for _, file := range files {
		name, err := filepath.Rel(h.dir, file)
		s.check(err)
		if text := h.text(name); strings.Contains(text, token) || strings.Contains(text, "pw-3Xample") {
			t.Errorf("%s holds the secret:\n%s", name, text)
		}
	}
}
