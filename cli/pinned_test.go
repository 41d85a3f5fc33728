package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/api"
)

const writerScript = `
when user~"Write." results=0
call append_note {"path": "Cars.md", "text": "And tyres."}

when user~"Write." results=1
call commit_staged_changes {}

when user~"More." results=0
call write_note {"path": "Late.md", "content": "unseen"}

when user~"Undo." results=0
call undo_commit {"id": "writing:7"}

when
say Done.
`

// newWriter is rein serve with notes, and a model that changes them.
func newWriter(t *testing.T) *house {
	h := newHome(t, "[notes]\nvectors = false\n")
	h.write(".config/rein/demo.txt", writerScript)
	h.write("vault/Cars.md", "Cars need oil.\n")
	return h.serve("--vault", "vault").withToken()
}

// begin starts a run of a session.
func (s *house) begin(id rein.RunID, session, text string) {
	s.Helper()
	s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{ID: id, Task: rein.Task{
		Session: session, Messages: []rein.Message{{Role: rein.User, Text: text}},
		Tools: []string{"append_note", "write_note", "commit_staged_changes", "undo_commit"},
	}})
}

// asked waits for the nth approval of a run.
func (s *house) asked(id rein.RunID, n int) rein.Ask {
	s.Helper()
	sub := ".ask"
	if n > 1 {
		sub += string(rune('0' + n))
	}
	s.follow(id, sub+`"`)
	var asks api.Asks
	s.read("/v1/asks?tree="+string(id)+"&state=pending", &asks)
	if len(asks.Asks) != 1 {
		s.Fatalf("%d asks wait", len(asks.Asks))
	}
	return asks.Asks[0]
}

func (s *house) reply(ask rein.Ask, state rein.AskState) {
	s.Helper()
	s.call(http.StatusOK, "POST", "/v1/asks/"+string(ask.ID)+"/answer", ask.Reply(rein.Answer{State: state}).Answer)
}

// onDisk returns the notes.
func (s *house) onDisk() string {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "vault", "*.md"))
	s.check(err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		s.check(err)
		all.WriteString(filepath.Base(file) + ": " + string(text))
	}
	return all.String()
}

// As it is shipped: a commit is shown, another run of the session stages more, and then the person
// agrees to what they saw. Nothing is written; they are asked about what there is now.
//
// Covers: HUM-34
// Attack: 50
func TestServedCommitIsOfWhatWasShown(t *testing.T) {
	s := newWriter(t)
	s.begin("writing", "letters", "Write.")
	first := s.asked("writing", 1)
	s.begin("meanwhile", "letters", "More.")
	s.finished("meanwhile")
	s.reply(first, rein.AskApproved)
	second := s.asked("writing", 2)
	if strings.Contains(first.Text, "Late.md") || !strings.Contains(second.Text, "Late.md") {
		t.Errorf("shown first %q, then %q", first.Text, second.Text)
	}
	if got := s.onDisk(); got != "Cars.md: Cars need oil.\n" {
		t.Errorf("written unseen: %s", got)
	}
	s.reply(second, rein.AskApproved)
	s.finished("writing")
	if got := s.onDisk(); got != "Cars.md: Cars need oil.\nAnd tyres.\nLate.md: unseen" {
		t.Errorf("the notes are %s", got)
	}
	s.end(os.Interrupt)
	if out := s.ok("replay", "writing"); !strings.Contains(out, "same") {
		t.Errorf("played again: %s", out)
	}
}

// A run with an approved commit, and one with an approved undo, are the same when they are played again,
// from the log and from a file.
//
// Covers: HUM-14
func TestReplayOfApprovedWrites(t *testing.T) {
	s := newWriter(t)
	s.begin("writing", "letters", "Write.")
	s.reply(s.asked("writing", 1), rein.AskApproved)
	s.finished("writing")
	s.begin("undoing", "regrets", "Undo.")
	s.reply(s.asked("undoing", 1), rein.AskApproved)
	s.finished("undoing")
	if got := s.onDisk(); got != "Cars.md: Cars need oil.\n" {
		t.Errorf("the notes are %s", got)
	}
	s.end(os.Interrupt)
	for _, run := range []string{"writing", "undoing"} {
		s.ok("replay", "--save", "tests", run)
		for _, tape := range []string{run, "tests/" + run + ".txtar"} {
			if out, wrong, code := s.rein("replay", tape); code != exitOK || !strings.Contains(out, "same") {
				t.Errorf("rein replay %s: exit %d\n%s%s", tape, code, out, wrong)
			}
		}
	}
}
