package anthropic_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"rein"
	"rein/model/anthropic"
)

// Whatever comes from a server is a sign of life, also what is not shown to anybody.
//
// Covers: ENG-10
func TestEverySignOfLifeCounts(t *testing.T) {
	heard := make(chan struct{}, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"event: ping\ndata: {\"type\": \"ping\"}\n\n", "event: ping\ndata: {\"type\": \"ping\"}\n\n"} {
			_, _ = w.Write([]byte(piece))
			w.(http.Flusher).Flush()
			select {
			case <-heard:
			case <-r.Context().Done():
				return
			}
		}
		_, _ = w.Write([]byte(`event: message_start
data: {"type":"message_start","message":{"type":"message","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}

event: message_stop
data: {"type":"message_stop"}

`))
	}))
	defer s.Close()
	m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: s.URL, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	first := true
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "hello"}}}, Heard: func() {
		if first { // that the server answers at all
			first = false
			return
		}
		heard <- struct{}{}
	}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reply, err := m.Generate(ctx, r, func(string) {})
	if err != nil || reply.Message.Text != "hi" {
		t.Errorf("the reply is %+v, %v", reply, err)
	}
}

// A server on this machine is known as one: nobody's rate limits are used up there.
func TestLocalServersAreKnown(t *testing.T) {
	for url, want := range map[string]bool{
		"http://127.0.0.1:11434/v1": true, "http://localhost/v1": true, "http://[::1]:8080": true,
		"https://example.org/v1": false, "http://192.168.1.5:8000/v1": false, "http://localhost.example.org": false,
	} {
		m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: url, Key: "k"})
		if err != nil || m.Info().Local != want {
			t.Errorf("%s: local is %v, %v", url, m.Info().Local, err)
		}
	}
}
