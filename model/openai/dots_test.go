package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// lookalikes are tools that only the provider's way of writing names could confuse.
func lookalikes() rein.ModelRequest {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Go."}}}}
	turn := rein.Message{Role: rein.Assistant}
	for i, name := range []string{"a.b", "a_b", "a__b", "a.b_c", "a_b.c"} {
		id := fmt.Sprint("c", i)
		r.Offered = append(r.Offered, rein.Tool{Name: name})
		turn.Calls = append(turn.Calls, rein.ToolCall{ID: id, Name: name, Args: json.RawMessage(`{}`)})
		r.Messages = append(r.Messages, rein.Message{Role: rein.ToolRole, CallID: id, Text: name})
	}
	r.Messages = append([]rein.Message{r.Messages[0], turn}, r.Messages[1:]...)
	return r
}

var sentName = regexp.MustCompile(`"name":"([^"]*)"`)

// Names with dots reach the model without them, in the list of tools and in the history, and come back
// with them, in a stream and whole. No two tools get the same name.
func TestDottedNamesGoThereAndBack(t *testing.T) {
	wire := []string{"a-b", "a_b", "a__b", "a-b_c", "a_b-c"}
	var chat, responses []string
	for i, name := range wire {
		chat = append(chat, fmt.Sprintf(`{"index":%d,"id":"n%d","function":{"name":%q,"arguments":"{}"}}`, i, i, name))
		responses = append(responses, fmt.Sprintf(`{"type":"function_call","call_id":"n%d","name":%q,"arguments":"{}"}`, i, name))
	}
	const finish = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	list := strings.Join(responses, ",")
	for name, c := range map[string]struct {
		api  string
		body string
	}{
		"chat":               {Chat, chatBodyOf(`{"tool_calls":[`+strings.Join(chat, ",")+`]}`, "tool_calls")},
		"chat, streamed":     {Chat, eventsOf(`{"choices":[{"index":0,"delta":{"tool_calls":[`+strings.Join(chat, ",")+`]}}]}`, finish, "[DONE]")},
		"response":           {Responses, `{"status":"completed","output":[` + list + `]}`},
		"response, streamed": {Responses, eventsOf(`{"type":"response.completed","response":{"status":"completed","output":[` + list + `]}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []byte
			m := serve(t, Options{API: c.api}, func(w http.ResponseWriter, r *http.Request) {
				sent, _ = io.ReadAll(r.Body)
				answer(200, c.body)(w, r)
			})
			r := lookalikes()
			got, err := m.Generate(t.Context(), r, func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			var names, back []string
			for _, found := range sentName.FindAllSubmatch(sent, -1) {
				names = append(names, string(found[1]))
			}
			if diff := cmp.Diff(append(wire[:len(wire):len(wire)], wire...), names); diff != "" {
				t.Errorf("%s\n%s", diff, sent)
			}
			for i, call := range got.Message.Calls {
				if back = append(back, call.Name); call.Name != r.Offered[i].Name {
					t.Errorf("came back as %q", back)
				}
			}
			if len(back) != len(wire) {
				t.Errorf("came back: %q", back)
			}
		})
	}
}
