package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rein"
	"rein/api"
)

// token is a secret in the arguments of a call that a person is asked about.
const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"

const secretScript = `
when turn=1
call read_file {"path":"` + token + `.txt"}

when
say It is done.
`

// Arguments with a secret are masked wherever they are shown, and revealed only to the person asked.
// What is approved is what was recorded; an edit that holds the mask is refused.
//
// Covers: HUM-42
// Attack: 66
func TestSecretsInArgumentsAreMasked(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[tools]\nroot = \"files\"\nask = [\"read_file\"]\n")
	h.write(".config/rein/files/"+token+".txt", "A rein guides.")
	h.write(".config/rein/demo.txt", secretScript)
	s := h.serve().withToken()
	run := s.start("Read it.").ID
	seen := s.follow(run, "ask.opened")
	var asks api.Asks
	list := s.call(http.StatusOK, "GET", "/v1/asks?state=pending", nil)
	s.check(json.Unmarshal([]byte(list), &asks))
	id := string(asks.Asks[0].ID)
	cli := s.ok("asks") + s.ok("asks", "--json") + s.ok("show", string(run)) + s.ok("show", "--json", string(run)) + s.ok("tree", "--json")
	for where, text := range map[string]string{
		"stream": seen, "list": list, "ask": s.call(http.StatusOK, "GET", "/v1/asks/"+id, nil), "command line": cli,
		"tree": s.call(http.StatusOK, "GET", "/v1/runs/"+string(run)+"/tree", nil),
	} {
		if strings.Contains(text, token) || !strings.Contains(text, "[redacted: github token]") {
			t.Errorf("%s shows the secret, or nothing in its place:\n%s", where, text)
		}
	}

	owner := s.token
	s.token = s.ok("tokens", "new", "looker", "--scopes", "read")
	s.call(http.StatusForbidden, "GET", "/v1/asks/"+id+"?reveal=1", nil)
	s.token = owner
	var whole rein.Ask
	s.read("/v1/asks/"+id+"?reveal=1", &whole)
	if !strings.Contains(string(whole.Call.Args), token) {
		t.Errorf("revealed: %s", whole.Call.Args)
	}

	ask := asks.Asks[0]
	edited := api.Answer{Answer: rein.Answer{State: rein.AskEdited, Args: ask.Call.Args, Shown: ask.Shown}}
	if wrong := s.call(http.StatusBadRequest, "POST", "/v1/asks/"+id+"/answer", edited); !strings.Contains(wrong, "stands for a secret") {
		t.Error(wrong)
	}
	s.call(http.StatusOK, "POST", "/v1/asks/"+id+"/answer", api.Answer{Answer: rein.Answer{State: rein.AskApproved, Shown: ask.Shown}})
	if end := s.finished(run); end.Outcome == nil || end.Outcome.Text != "It is done." {
		t.Errorf("%+v", end.Outcome)
	}
	if text := s.call(http.StatusOK, "GET", "/v1/runs/"+string(run)+"/events", nil); strings.Contains(text, token) || !strings.Contains(text, "A rein guides.") {
		t.Errorf("the call was not run as it was approved, or its arguments are shown:\n%s", text)
	}
}
