package anthropic_test

import (
	"strings"
	"testing"

	"rein"
	"rein/model/anthropic"
)

// Some servers answer a wish for a stream with the whole reply at once. It is read as it is.
//
// Covers: SD-19
func TestWholeReplyToAStream(t *testing.T) {
	const body = `{"type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"One moment."},{"type":"tool_use","id":"t1","name":"look","input":{"at":"a.md"}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":9}}`
	for _, c := range []struct {
		name, body string
		code       rein.Code
	}{
		{"a reply", body, ""},
		{"an error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, rein.CodeOverloaded},
		{"something else", `{"ok":true}`, rein.CodeProvider},
	} {
		p := newPlayer(t)
		p.load(-1, exchange{Status: 200, Headers: map[string][]string{"content-type": {jsonType}}, Response: c.body})
		var shown strings.Builder
		reply, err := p.model(t, 0, anthropic.Options{}).Generate(t.Context(), ask("Hello"), func(s string) { shown.WriteString(s) })
		if rein.CodeOf(err) != c.code {
			t.Errorf("%s: %s %v", c.name, rein.CodeOf(err), err)
		}
		if c.code != "" {
			continue
		}
		m := reply.Message
		if shown.String() != "One moment." || m.Text != "One moment." || len(m.Calls) != 1 || m.Calls[0].Name != "look" || string(m.Calls[0].Args) != `{"at":"a.md"}` || reply.Usage.Input != 7 || reply.Usage.Output != 9 {
			t.Errorf("shown %q, reply %+v %+v", shown.String(), m, reply.Usage)
		}
	}
}
