package anthropic_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"rein/model/anthropic"
)

// canned answers from memory: a fuzzer wants the same way through the code each time.
type canned struct{ kind, body string }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Header: http.Header{"Content-Type": {c.kind}},
		Body: io.NopCloser(strings.NewReader(c.body)),
	}, nil
}

func (c canned) model(t *testing.T) *anthropic.Model {
	m, err := anthropic.New(anthropic.Options{Name: "m", Model: "m", BaseURL: "http://model.example", HTTP: &http.Client{Transport: c}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// No answer makes the model panic or hang, and what it made of it can go back.
func FuzzAnswers(f *testing.F) {
	for _, x := range builtin() {
		f.Add(x.Response, x.Stream)
	}
	f.Fuzz(func(t *testing.T, response string, stream bool) {
		kind := map[bool]string{true: sseType, false: jsonType}[stream]
		reply, shown, err := generate(canned{kind, response}.model(t), ask("Hello"), stream)
		if err != nil {
			if err := clean(err, true); err != nil {
				t.Fatal(err)
			}
			return
		}
		if stream && shown != reply.Message.Text {
			t.Fatalf("shown %q, text %q", shown, reply.Message.Text)
		}
		r := ask("Hello")
		r.Messages = append(r.Messages, reply.Message)
		if _, _, err := generate(canned{jsonType, builtin()[0].Response}.model(t), r, false); err != nil {
			t.Fatal(err)
		}
	})
}
