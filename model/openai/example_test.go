package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"rein"
	"rein/model/openai"
)

// Any server that is compatible with OpenAI's API has a base URL and a name for its model.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"Hello!"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`)
	}))
	defer server.Close()

	m, err := openai.New(openai.Options{BaseURL: server.URL, Model: "qwen3:8b", Key: "not-needed-here"})
	if err != nil {
		panic(err)
	}
	reply, err := m.Generate(context.Background(), rein.ModelRequest{
		Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Hi."}}},
	}, nil)
	fmt.Println(reply.Message.Text, reply.Usage.Input, reply.Usage.Output, err)
	// Output: Hello! 9 2 <nil>
}

// A preset knows the address and the peculiarities of a server. Add the model.
func ExamplePreset() {
	o, err := openai.Preset("ollama", "")
	if err != nil {
		panic(err)
	}
	o.Model = "qwen3:8b"
	m, err := openai.New(o)
	fmt.Println(m.Info().Name, o.BaseURL, err)
	// Output: qwen3:8b http://127.0.0.1:11434/v1 <nil>
}
