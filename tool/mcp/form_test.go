package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rein"
)

// A form is filled in field by field, each as its type wants it; what is wrong is asked for again, and a form that nobody
// could fill in is declined without asking.
func TestForm(t *testing.T) {
	t.Parallel()
	const fields = `{"type":"object","required":["age","ok"],"properties":{
		"age":{"type":"integer"},"height":{"type":"number"},"name":{"type":"string","title":"Your\n name","description":"as\nin a passport"},
		"ok":{"type":"boolean"},"pet":{"type":"string","oneOf":[{"const":"c","title":"Cat"},{"const":"d","title":"Dog"}]},
		"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}}}`
	for said, want := range map[string]string{
		"41|1.8|Ann|yes|Dog|a, c": `{"age":41,"height":1.8,"name":"Ann","ok":true,"pet":"d","tags":["a","c"]}`,
		"x|41|-|-|no|-|-":         `{"age":41,"ok":false}`,
		"41|Inf|NaN|x":            `null`,
		"-|-|-":                   `null`, // a required field cannot be left out
		"41|-|-|maybe|c|yes|c|-":  `{"age":41,"ok":true,"pet":"c"}`,
		"41|-|-|DECLINE":          `null`,
	} {
		words := strings.Split(said, "|")
		got, err := fill(t.Context(), "ABOUT", json.RawMessage(fields), func(_ context.Context, q rein.Question) (rein.Answer, error) {
			if !strings.Contains(q.Text, "ABOUT\n") || strings.Contains(q.Text, "\nin a passport") || strings.Contains(q.Text, "Your\n") {
				t.Errorf("%s", q.Text)
			}
			word := words[0]
			if words = words[1:]; word == "DECLINE" {
				return rein.Answer{State: rein.AskDeclined}, nil
			}
			return rein.Answer{State: rein.AskAnswered, Text: word}, nil
		})
		if data, _ := json.Marshal(got); err != nil || string(data) != want || len(words) > 0 {
			t.Errorf("%s: %s %v, not said: %q", said, data, err, words)
		}
	}
	nobody := func(context.Context, rein.Question) (rein.Answer, error) {
		t.Error("somebody is asked")
		return rein.Answer{State: rein.AskDeclined}, nil
	}
	many := map[string]any{}
	for i := range 21 {
		many[fmt.Sprint(i)] = map[string]any{"type": "string"}
	}
	long := map[string]any{"type": "string", "enum": strings.Split(strings.Repeat("a ", 60), " ")}
	for _, fields := range []map[string]any{many, {"long": long}} {
		if got, _ := fill(t.Context(), "", map[string]any{"type": "object", "properties": fields}, nobody); got != nil {
			t.Errorf("%v", got)
		}
	}
	for word, agreed := range map[string]bool{"yes": true, "no": false} {
		got, err := fill(t.Context(), "", nil, func(context.Context, rein.Question) (rein.Answer, error) {
			return rein.Answer{State: rein.AskAnswered, Text: word}, nil
		})
		if err != nil || (got != nil) != agreed {
			t.Errorf("%s: %v %v", word, got, err)
		}
	}
}
