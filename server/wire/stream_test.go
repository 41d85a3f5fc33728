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
