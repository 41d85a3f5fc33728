package openai_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"rein"
	"rein/model/openai"
)

// Whatever comes from a server is a sign of life, also what is not shown to anybody.
//
// Covers: ENG-10
func TestEverySignOfLifeCounts(t *testing.T) {
	heard := make(chan struct{}, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{": ping\n\n", "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n", ": ping\n\n"} {
			_, _ = w.Write([]byte(piece))
			w.(http.Flusher).Flush()
			select {
			case <-heard:
			case <-r.Context().Done():
				return
			}
		}
		_, _ = w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"))
	}))
	defer s.Close()
	m, err := openai.New(openai.Options{Model: "m", BaseURL: s.URL, Key: "k"})
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
		m, err := openai.New(openai.Options{Model: "m", BaseURL: url, Key: "k"})
		if err != nil || m.Info().Local != want {
			t.Errorf("%s: local is %v, %v", url, m.Info().Local, err)
		}
	}
}
