package anthropic_test

import (
	"testing"

	"rein/model/anthropic"
)

// No answer makes the model panic or hang, and what it made of it can go back.
func FuzzAnswers(f *testing.F) {
	for _, x := range builtin() {
		f.Add(x.Response, x.Stream)
	}
	p := newPlayer(f)
	f.Fuzz(func(t *testing.T, response string, stream bool) {
		kind := map[bool]string{true: sseType, false: jsonType}[stream]
		p.load(-1, exchange{Status: 200, Headers: map[string][]string{"content-type": {kind}}, Response: response}, builtin()[0])
		m := p.model(t, 0, anthropic.Options{})
		reply, shown, err := generate(m, ask("Hello"), stream)
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
		if _, _, err := generate(m, r, false); err != nil {
			t.Fatal(err)
		}
	})
}
