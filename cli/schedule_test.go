package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"rein/api"
)

// A reminder that was missed while nothing ran is delivered when a server comes, once, however often that is killed: as a
// message, in the chat, and in the history of the job.
//
// Covers: NEU-57
func TestReminderThroughAServer(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	var job api.Job
	h.check(json.Unmarshal([]byte(h.ok("schedule", "add", "dentist", "--at", time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339), "--json")), &job))
	var fired api.JobRun
	h.check(json.Unmarshal([]byte(h.ok("schedule", "run", job.ID, "--json")), &fired))
	if out, note, _ := h.rein("schedule", "runs", job.ID); !strings.Contains(out, "due") {
		t.Errorf("without a server:\n%s%s", out, note)
	}
	for range 3 {
		s := h.serve().withToken()
		s.hears("dentist")
		var all api.Messages
		s.read("/v1/messages", &all)
		if len(all.Messages) != 1 || all.Messages[0].Kind != "reminder" || all.Messages[0].Text != "Reminder: dentist" || all.Messages[0].Run != fired.Run {
			t.Errorf("messages: %+v", all.Messages)
		}
		var history struct {
			Messages []struct{ Role, Content string }
		}
		s.read("/chat/history", &history)
		if len(history.Messages) != 1 || history.Messages[0].Role != "assistant" || history.Messages[0].Content != "Reminder: dentist" {
			t.Errorf("history: %+v", history.Messages)
		}
		if out := s.ok("schedule", "runs", job.ID); !strings.Contains(out, "done") || strings.Contains(out, "due") {
			t.Errorf("runs:\n%s", out)
		}
		h.check(s.cmd.Process.Signal(os.Kill))
		_ = s.ended()
	}
}

// hears waits for a message with the text.
func (s *house) hears(text string) {
	s.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for late := time.After(30 * time.Second); ; {
		if strings.Contains(s.call(200, "GET", "/v1/messages", nil), text) {
			return
		}
		select {
		case <-look.C:
		case <-late:
			s.Fatalf("there is no message %q\n%s", text, s.errors)
		}
	}
}
