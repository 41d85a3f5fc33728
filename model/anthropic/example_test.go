package anthropic_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"rein"
	"rein/model/anthropic"
)

// At Anthropic itself, leave BaseURL out and pass your key.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello!"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}`)
	}))
	defer server.Close()

	m, err := anthropic.New(anthropic.Options{BaseURL: server.URL, Model: "claude-sonnet-4-6", Key: "not-needed-here"})
	if err != nil {
		panic(err)
	}
	reply, err := m.Generate(context.Background(), rein.ModelRequest{
		Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Hi."}}},
	}, nil)
	fmt.Println(reply.Message.Text, reply.Usage.Input, reply.Usage.Output, err)
	// Output: Hello! 9 2 <nil>
}
