package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"rein"
	"rein/tool"
)

type place struct {
	City string `json:"city" jsonschema:"a town" min:"1"`
	Zip  string `json:"zip,omitempty"`
}

type everything struct {
	Text     string            `json:"text" jsonschema:"what to say" min:"1" max:"9"`
	Mood     string            `json:"mood,omitempty" enum:"glad,sad" default:"glad"`
	Count    int               `json:"count,omitempty" min:"1" max:"100" default:"7"`
	Share    *float64          `json:"share" min:"0" max:"1"`
	Level    uint8             `json:"level,omitempty" enum:"1,2"`
	Loud     bool              `json:"loud,omitempty" default:"true"`
	Words    []string          `json:"words,omitempty" enum:"a,b" max:"3"`
	Where    *place            `json:"where"`
	Places   []place           `json:"places,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	When     *time.Time        `json:"when"`
	Anything json.RawMessage   `json:"anything,omitempty"`
	User     string            `json:"user" trusted:"user"`
	Zone     string            `json:"zone,omitempty" trusted:"zone"`
	Inside   func()            `json:"-"`
}

var spec = tool.Spec{Name: "say", Text: "\nSays it.\r\n\r\nUse it often.\n", Effect: rein.Pure}

// Covers: SD-4
func TestNew(t *testing.T) {
	var got everything
	say, err := tool.New(tool.Spec{Name: "say", Text: spec.Text, Effect: rein.Unsafe, Timeout: time.Second, Approval: true, Polling: true},
		func(_ context.Context, inv rein.Invocation, args everything) (rein.Done, error) {
			got = args
			return rein.Done{Text: string(inv.Key)}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if say.Description != "Says it.\n\nUse it often." || say.Effect != rein.Unsafe || say.Timeout != time.Second || !say.Approval || !say.Polling || say.Ask != nil {
		t.Errorf("got %+v", say)
	}
	if diff := cmp.Diff([]string{"user", "zone"}, say.Trusted); diff != "" {
		t.Error(diff)
	}
	done, err := say.Do(t.Context(), rein.Invocation{Key: "k", Args: json.RawMessage(`{"text":"hi","share":0.5,"user":"ann","words":["a"],"anything":{"x":1}}`)})
	if err != nil || done.Text != "k" {
		t.Fatal(done, err)
	}
	half := 0.5
	want := everything{Text: "hi", Mood: "glad", Count: 7, Share: &half, Loud: true, Words: []string{"a"}, Anything: json.RawMessage(`{"x":1}`), User: "ann"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The schema says what the tags say, in the order of the fields, and is the same every time.
func TestSchema(t *testing.T) {
	const want = `{"type":"object","properties":{` +
		`"text":{"type":"string","description":"what to say","minLength":1,"maxLength":9},` +
		`"mood":{"type":"string","default":"glad","enum":["glad","sad"]},` +
		`"count":{"type":"integer","default":7,"minimum":1,"maximum":100},` +
		`"share":{"type":"number","minimum":0,"maximum":1},` +
		`"level":{"type":"integer","enum":[1,2],"minimum":0,"maximum":255},` +
		`"loud":{"type":"boolean","default":true},` +
		`"words":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":3},` +
		`"where":PLACE,"places":{"type":"array","items":PLACE},` +
		`"labels":{"type":"object","additionalProperties":{"type":"string"}},` +
		`"when":{"type":"string","format":"date-time"},"anything":true},` +
		`"required":["text"],"additionalProperties":false}`
	const inside = `{"type":"object","properties":{"city":{"type":"string","description":"a town","minLength":1},"zip":{"type":"string"}},"required":["city"],"additionalProperties":false}`
	for range 20 {
		say, err := tool.New(spec, func(context.Context, rein.Invocation, everything) (rein.Done, error) { return rein.Done{}, nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(want, "PLACE", inside), string(say.Schema)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestSchemaOfNoArguments(t *testing.T) {
	only, err := tool.New(spec, func(context.Context, rein.Invocation, struct {
		User string `json:"user" trusted:"user"`
	},
	) (rein.Done, error) {
		return rein.Done{}, nil
	})
	if err != nil || string(only.Schema) != `{"type":"object","properties":{},"additionalProperties":false}` || only.Effect != rein.Pure {
		t.Errorf("%s %v", only.Schema, err)
	}
	none, err := tool.New(spec, func(context.Context, rein.Invocation, struct{}) (rein.Done, error) { return rein.Done{Text: "ok"}, nil })
	if err != nil || !bytes.Equal(none.Schema, only.Schema) {
		t.Errorf("%s %v", none.Schema, err)
	}
	for _, args := range []string{"", " ", "{}"} {
		if done, err := none.Do(t.Context(), rein.Invocation{Args: json.RawMessage(args)}); err != nil || done.Text != "ok" {
			t.Errorf("%q: %v %v", args, done, err)
		}
	}
}

// What the pipeline should have stopped is an error, never a panic, and no second spelling of a name
// gets past the trusted one.
func TestArgumentsThatDoNotFit(t *testing.T) {
	say, err := tool.New(spec, func(context.Context, rein.Invocation, everything) (rein.Done, error) {
		return rein.Done{}, errors.New("it ran")
	})
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`null`: "one JSON object", `[1]`: "one JSON object", `{"text":`: "one JSON object", `{} {}`: "one JSON object", "\xff": "one JSON object",
		`{"USER":"eve","user":"ann"}`:  `no argument "USER"`,
		`{"zzz":1,"yyy":2}`:            `no argument "yyy"`,
		`{"count":"3"}`:                `argument "count": a JSON string does not fit; it must be a whole number`,
		`{"count":3.0}`:                "without a point",
		`{"text":{}}`:                  "it must be a text",
		`{"where":{"city":7}}`:         `argument "where.city"`,
		`{"words":"a"}`:                "it must be a list",
		`{"loud":1}`:                   "true or false",
		`{"share":"x"}`:                "it must be a number",
		`{"where":3}`:                  "it must be an object",
		`{"when":"yesterday morning"}`: "cannot be read",
	} {
		_, err := say.Do(t.Context(), rein.Invocation{Args: json.RawMessage(args)})
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "say") {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

func TestQuestion(t *testing.T) {
	type args struct {
		Text string `json:"text"`
	}
	ask := func(a args) (rein.Question, error) { return rein.Question{Text: a.Text + "?"}, nil }
	q, err := tool.Question(spec, ask)
	if err != nil || q.Do != nil || q.Effect != rein.Pure {
		t.Fatal(q, err)
	}
	if got, err := q.Ask(json.RawMessage(`{"text":"why"}`)); err != nil || got.Text != "why?" {
		t.Error(got, err)
	}
	if _, err := q.Ask(json.RawMessage(`{"text":3}`)); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	for want, s := range map[string]tool.Spec{
		"leave Effect empty": {Name: "q", Text: "t", Effect: rein.Unsafe}, "leave Approval out": {Name: "q", Text: "t", Approval: true}, "no Text": {Name: "q"},
	} {
		if _, err := tool.Question(s, ask); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := tool.Question[args](spec, nil); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

func TestSet(t *testing.T) {
	set, err := tool.Set(rein.Tool{Name: "a", Effect: rein.Pure}, rein.Tool{Name: "b_2.c", Effect: rein.Unsafe})
	if err != nil || len(set) != 2 || set["a"].Name != "a" {
		t.Errorf("%v %v", set, err)
	}
	for want, tools := range map[string][]rein.Tool{
		`two tools are named "a"`: {{Name: "a", Effect: rein.Pure}, {Name: "b", Effect: rein.Pure}, {Name: "a", Effect: rein.Pure}},
		`tool name ""`:            {{}},
		`tool name "é"`:           {{Name: "é"}},
		`tool name "a\n"`:         {{Name: "a\n"}},
		`tool name "a-b"`:         {{Name: "a-b"}},
		`tool name "a..b"`:        {{Name: "a..b"}},
		"1 to 64":                 {{Name: strings.Repeat("x", 65)}},
		`tool "b": no Effect is`:  {{Name: "a", Effect: rein.Pure}, {Name: "b"}},
	} {
		if set, err := tool.Set(tools...); set != nil || rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestMust(t *testing.T) {
	if got := tool.Must(rein.Tool{Name: "a"}, nil); got.Name != "a" {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("it did not panic")
		}
	}()
	tool.Must(rein.Tool{}, errors.New("wrong"))
}

// A schema must be one that a validator takes.
func TestSchemaResolves(t *testing.T) {
	say := tool.Must(tool.New(spec, func(context.Context, rein.Invocation, everything) (rein.Done, error) { return rein.Done{}, nil }))
	var s jsonschema.Schema
	if err := json.Unmarshal(say.Schema, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for args, valid := range map[string]bool{
		`{"text":"hi"}`: true, `{}`: false, `{"text":""}`: false, `{"text":"hi","user":"eve"}`: false, `{"text":"hi","count":101}`: false, `{"text":"hi","words":["c"]}`: false,
	} {
		var v map[string]any
		if err := json.Unmarshal([]byte(args), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); (err == nil) != valid {
			t.Errorf("%s: %v", args, err)
		}
	}
}
