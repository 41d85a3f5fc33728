package wire

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// TestEventsAreSentAsJSON sends events whose payload is not encoded again: what arrives is what encoding/json writes.
func TestEventsAreSentAsJSON(t *testing.T) {
	event := rein.Event{Run: "r", Seq: 3, At: time.Unix(1, 2).UTC(), Kind: rein.StepDone, Step: "1", By: `"hash":"x"`, Spend: rein.Amount{Tokens: 1}, Hash: rein.Hash{1}}
	for name, data := range map[string]string{
		"none": "", "small": `{"text":"a <b> & \"hash\":"}`, "spread": "{\n \"a\": 1 }", "large": `{"text":"` + strings.Repeat("é<", 40_000) + `"}`,
	} {
		e := event
		e.Data, e.Erased = json.RawMessage(data), data == ""
		for _, line := range []*api.Line{{Cursor: "3", Event: &e}, {Delta: &rein.Delta{Text: data, Said: []byte(data)}}} {
			got := httptest.NewRecorder()
			if !NewStream(got).Send(Message{ID: "3", Event: "event", Data: line}, Message{Data: struct{}{}}) {
				t.Fatal("nobody reads")
			}
			var want bytes.Buffer
			want.WriteString("id: 3\nevent: event\ndata: ")
			if err := encode(&want, line); err != nil {
				t.Fatal(err)
			}
			want.WriteString("\ndata: {}\n\n")
			if got.Body.String() != want.String() {
				t.Errorf("%s: sent is\n%.300s\nwant\n%.300s", name, got.Body.String(), want.String())
			}
		}
	}
}

// flushes counts how often an answer is sent on its way.
type flushes struct {
	*httptest.ResponseRecorder
	n int
}

func (f *flushes) Flush() { f.n++ }

// TestQueue sends what is queued with the next message.
func TestQueue(t *testing.T) {
	w := &flushes{ResponseRecorder: httptest.NewRecorder()}
	s := NewStream(w)
	if !s.QueueBegin("", Message{Event: "started", Data: 1}) || !s.Queue(Message{Event: "event", Data: 2}) || w.n != 0 {
		t.Fatalf("what is queued was sent in %d parts", w.n)
	}
	if !s.Send(Message{Event: "event", Data: 3}) || w.n != 1 {
		t.Fatalf("sent in %d parts, not one", w.n)
	}
	if got, want := w.Body.String(), "retry: 1000\n\nevent: started\ndata: 1\n\nevent: event\ndata: 2\n\nevent: event\ndata: 3\n\n"; got != want {
		t.Errorf("sent is %q, want %q", got, want)
	}
}
