package cli

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
)

// oldStore is a data folder that an earlier program left, with its vault; see internal/oldstore.
const oldStore = "../internal/oldstore/testdata/b0535ce.tar.gz"

// closingScript ends every flow as soon as it may.
const closingScript = `
when phase=compact
say They spoke of the garden.

when phase=reason
say It is done. {"plan": "", "finish": true, "final_answer": "All is done."}

when phase=observe
say {"type": "final", "message": "All is done.", "observation": "done", "should_continue": false, "final_answer": "All is done."}

when phase=decide
say {"confidence": "high", "enough": true}

when phase=clarify
say {"ambiguous": false}

when phase=question
say {"missing": false}

when phase=split
say {"questions": []}

when phase=plan
say {"goal": "", "next_action": "respond"}

when phase=reflect
say {"next_action": "respond"}

when phase=critique
say {"ok": true, "issues": []}

when phase=remember
say {"memories": [], "snapshots": []}

when phase=summarise
say {"points": ["All was done."]}

when
say All is done.
`

// unpackOld makes the data folder of the home, and a vault, of the old store.
func (h *home) unpackOld() (data string) {
	h.Helper()
	data = filepath.Join(h.dir, ".local", "share", "rein")
	packed, err := os.Open(oldStore)
	h.check(err)
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	h.check(err)
	for archive := tar.NewReader(zip); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return data
		}
		h.check(err)
		content, err := io.ReadAll(archive)
		h.check(err)
		name := header.Name
		if name, ok := strings.CutPrefix(name, "data/"); ok {
			h.write(filepath.Join(".local", "share", "rein", name), string(content))
			continue
		}
		h.write(name, string(content))
	}
}

// The program opens what an earlier one left: its commands list and verify it, and its service, which
// has none of the tools that the runs were using but those of notes, answers and ends what waits.
//
// Covers: ENG-17 LAW-10
func TestOldStoreServed(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[notes]\nvectors = false\n")
	h.write(".config/rein/demo.txt", closingScript)
	data := h.unpackOld()
	// The first is one that owns the data, since only an owner brings the schema up to date.
	for _, args := range [][]string{{"users"}, {"tokens"}, {"audit", "verify"}, {"runs"}, {"asks"}, {"usage"}, {"show", "operate-commit-approved"}, {"show", "explore-child"}} {
		if out := h.ok(args...); out == "" {
			t.Errorf("rein %s says nothing", strings.Join(args, " "))
		}
	}
	if out := h.ok("audit", "verify"); !strings.Contains(out, "nothing is wrong") {
		t.Error(out)
	}
	head := h.ok("audit", "head")
	s := h.serve("--vault", filepath.Join(h.dir, "vault"))
	s.finishOld(client.Unix(filepath.Join(data, socketName)))
	s.end(syscall.SIGTERM)
	if out := h.ok("audit", "verify", "--head", head); !strings.Contains(out, "nothing is wrong") {
		t.Error(out)
	}
	if note, err := os.ReadFile(filepath.Join(h.dir, "vault", "Inbox", "second.md")); err != nil || string(note) != "# Second\n\nWritten by the second run.\n" {
		t.Errorf("the commit that was approved made %q (%v)", note, err)
	}
}

// finishOld lets everybody answer what waits for them and resumes what is blocked, until everything has
// ended.
func (s *house) finishOld(c *client.Client) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	tokens := []string{s.ok("tokens", "new", "a", "--user", "ann"), s.ok("tokens", "new", "b", "--user", "bob"), s.ok("tokens", "new", "o")}
	resumed := map[rein.RunID]int64{} // and where its log ends with that
	told := map[string]bool{}         // what a token need not send again, by token and ask
	s.each(c, func(r api.Run) {
		if r.Status == rein.StatusBlocked {
			s.check(c.Resume(ctx, r.ID))
			resumed[r.ID] = r.Seq + 1
		}
	})
	for left := []rein.RunID{""}; len(left) > 0; {
		if ctx.Err() != nil {
			s.Fatalf("these do not end: %v", left)
		}
		for _, s.token = range tokens {
			s.answerOld(told)
		}
		left = nil
		s.each(c, func(r api.Run) {
			if r.Status == rein.StatusBlocked && r.Seq > resumed[r.ID] {
				s.Fatalf("%s is blocked:\n%s", r.ID, s.ok("show", string(r.ID)))
			}
			left = append(left, r.ID)
		})
		if len(left) > 0 {
			time.Sleep(100 * time.Millisecond) // a busy loop would ask too often
		}
	}
}

// answerOld answers what waits for the user of the token, once: until its run takes the answer, an ask is still listed, and
// on a busy machine that would be more requests than a token may send. Some expires meanwhile.
func (s *house) answerOld(told map[string]bool) {
	s.Helper()
	var list api.Asks
	s.read("/v1/asks?state=pending", &list)
	for _, ask := range list.Asks {
		this := s.token + " " + string(ask.ID)
		if told[this] {
			continue
		}
		answer := s.do("POST", "/v1/asks/"+url.PathEscape(string(ask.ID))+"/answer", replyOld(ask))
		switch answer.StatusCode {
		case http.StatusOK, http.StatusForbidden:
			told[this] = true
		case http.StatusConflict, http.StatusGone:
		default:
			text, _ := io.ReadAll(answer.Body)
			s.Fatalf("answer %s: %s %s", ask.ID, answer.Status, text)
		}
	}
}

// replyOld agrees to everything, and lets nothing happen twice.
func replyOld(ask rein.Ask) rein.Answer {
	switch ask.Kind {
	case rein.AskQuestion:
		return rein.Answer{State: rein.AskAnswered, Text: "blue", Shown: ask.Shown}
	case rein.AskUnknown:
		return rein.Answer{State: rein.AskAnswered, Text: rein.ItHappened, Shown: ask.Shown}
	}
	return rein.Answer{State: rein.AskApproved, Shown: ask.Shown}
}

// each calls do with the unfinished runs of the household.
func (h *home) each(c *client.Client, do func(api.Run)) {
	h.Helper()
	query := api.RunQuery{Status: api.Unfinished}
	for {
		page, err := c.Runs(context.Background(), query)
		h.check(err)
		for _, r := range page.Runs {
			do(r)
		}
		if query.After = page.Next; page.Next == "" {
			return
		}
	}
}
