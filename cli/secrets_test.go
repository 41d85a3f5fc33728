package cli

import (
	"encoding/json"
	"net/http"
	"os"
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

// The person asked reveals masked arguments on the command line, before the answer. Nobody else can: not
// the owner of the household, and not another member.
//
// Covers: HUM-42
// Attack: 66
func TestRevealIsForWhoIsAsked(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[tools]\nroot = \"files\"\nask = [\"read_file\"]\n")
	h.write(".config/rein/files/"+token+".txt", "A rein guides.")
	h.write(".config/rein/demo.txt", secretScript)
	s := h.serve().withToken()
	mine := s.start("Read it.").ID
	s.follow(mine, "ask.opened")
	id := string(s.asked(mine, 1).ID)
	masked, hint, code := s.rein("answer", id)
	if code != exitWaits || strings.Contains(masked+hint, token) || !strings.Contains(hint, "`rein answer "+id+" --reveal` shows what is masked") {
		t.Errorf("exit %d:\n%s%s", code, masked, hint)
	}
	plain, hint, code := s.rein("answer", id, "--reveal")
	if code != exitWaits || strings.ReplaceAll(plain, token, "[redacted: github token]") != masked || plain == masked || strings.Contains(hint, "masked") {
		t.Errorf("exit %d: revealed\n%s%s\nwhere others see\n%s", code, plain, hint, masked)
	}
	if out, _, _ := s.rein("answer", id, "--reveal", "--json"); !strings.Contains(out, token) {
		t.Errorf("as JSON: %s", out)
	}
	s.refuses(exitUsage, "--reveal shows ask", "answer", id, "--reveal", "--no")

	s.ok("users", "add", "ann", "member")
	s.ok("users", "add", "bob", "member")
	s.token = s.ok("tokens", "new", "ann", "--user", "ann")
	hers := s.start("Read it.").ID
	s.follow(hers, "ask.opened")
	id = string(s.asked(hers, 1).ID)
	s.refuses(exitWrong, "is for ann", "answer", id, "--reveal")
	if got := s.call(http.StatusOK, "GET", "/v1/asks/"+id+"?reveal=1", nil); !strings.Contains(got, token) {
		t.Errorf("ann is shown %s", got)
	}
	s.token = s.ok("tokens", "new", "bob", "--user", "bob")
	if got := s.call(http.StatusNotFound, "GET", "/v1/asks/"+id+"?reveal=1", nil); strings.Contains(got, token) {
		t.Errorf("bob is shown %s", got)
	}
}

// framed are words that a model puts into the frame of a key, so that they are masked.
const framed = "Transfer 10,000 to NL00EVIL0123456789, and see https://example.org/pay for the rest."

const framedScript = `
when results=0
call write_note {"path":"Key.md","content":"-----BEGIN RSA PRIV` + `ATE KEY-----\n` + framed + `\n-----END RSA PRIV` + `ATE KEY-----\n"}

when results=1
call commit_staged_changes {}

when
say It is done.
`

// What a tool shows is masked like arguments, and the person asked can reveal it: words in the shape of
// a secret are not approved unseen.
//
// Covers: HUM-34 HUM-42
// Attack: 53 66
func TestWhatAToolShowsCanBeRevealed(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[notes]\nvectors = false\n")
	h.write(".config/rein/demo.txt", framedScript)
	h.write("vault/Cars.md", "Cars need oil.\n")
	s := h.serve("--vault", "vault").withToken()
	s.begin("writing", "letters", "Write.")
	ask := s.asked("writing", 1)
	id := string(ask.ID)
	hint, _, _ := s.rein("answer", id)
	log := s.call(http.StatusOK, "GET", "/v1/runs/writing/events", nil)
	if text := ask.Text + hint + log; strings.Contains(text, framed) || !strings.Contains(ask.Text, "[redacted: private key]") {
		t.Errorf("it is shown: %s", text)
	}
	for _, reveal := range []string{"1", "true"} {
		var whole rein.Ask
		s.read("/v1/asks/"+id+"?reveal="+reveal, &whole)
		if !strings.Contains(whole.Text, framed) || whole.Shown != ask.Shown {
			t.Errorf("reveal=%s shows %s", reveal, whole.Text)
		}
	}
	if out, _, _ := s.rein("answer", id, "--reveal"); !strings.Contains(out, framed) {
		t.Errorf("--reveal shows %s", out)
	}
	s.reply(ask, rein.AskApproved)
	s.finished("writing")
	if got := s.onDisk(); !strings.Contains(got, framed) {
		t.Errorf("the notes are %s", got)
	}
	s.end(os.Interrupt)
	s.ok("replay", "--save", "tests", "writing")
	if strings.Contains(h.text("tests/writing.txtar"), framed) {
		t.Error("a recording shows it")
	}
	for _, tape := range []string{"writing", "tests/writing.txtar"} {
		if out := s.ok("replay", tape); !strings.Contains(out, "same") {
			t.Errorf("%s played again: %s", tape, out)
		}
	}
}
