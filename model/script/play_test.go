package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rein"
	"rein/model/script"
)

func parse(t testing.TB, text string) *script.Model {
	t.Helper()
	m, err := script.Parse("t", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// request makes a prompt of lines "role: text"; a line "call: id" is an assistant's with one call.
func request(lines ...string) rein.ModelRequest {
	var r rein.ModelRequest
	for _, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		m := rein.Message{Role: rein.Role(role), Text: text}
		if role == "call" {
			m = rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: text, Name: "search"}}}
		}
		r.Messages = append(r.Messages, m)
	}
	return r
}

// answer returns the text of the reply, or the error in brackets.
func answer(m *script.Model, r rein.ModelRequest) string {
	reply, err := m.Generate(context.Background(), r, nil)
	if err != nil {
		return fmt.Sprintf("[%s] %v", rein.CodeOf(err), err)
	}
	return reply.Message.Text
}

func TestConditions(t *testing.T) {
	r := request("system: You are kind.", "user: first", "call: c1", "tool: 503 error", "user: second part")
	r.Phase, r.Round, r.Run, r.Step, r.Model = "decide", 2, "r1.3", "7.repair", "big"
	r.Tools, r.Closing, r.Schema = []string{"search", "read"}, true, json.RawMessage("{}")
	tests := []struct {
		cond string
		want bool
	}{
		{"", true},
		{"phase=decide", true},
		{"phase=dec*", true},
		{"phase=*i*e", true},
		{"phase=*x*", false},
		{"phase=decid", false},
		{"phase!=decide", false},
		{"phase=de*ide*decide", false},
		{"run=r1.*", true},
		{"run=r2.*", false},
		{"step=*.repair", true},
		{"model=big", true},
		{"offered=search", true},
		{"offered=delete*", false},
		{"offered!=delete", true},
		{"turn=2", true},
		{"turn=1", false},
		{"turn!=1", true},
		{"turn=1..2", true},
		{"turn=3..", false},
		{"turn=..2", true},
		{"round=2", true},
		{"results=1", true},
		{"results=0", false},
		{"attempt=1", true},
		{"nth=1", true},
		{"nth=2..", false},
		{`last="second part"`, true},
		{"last~part", true},
		{"last~PART", false},
		{"last!~part", false},
		{"user~first", false},
		{"tool~503", true},
		{`tool~"503 error"`, true},
		{"tool=503", false},
		{"system~kind", true},
		{"any~first", true},
		{"any~third", false},
		{"closing=yes", true},
		{"closing=no", false},
		{"closing!=yes", false},
		{"schema=yes", true},
		{"phase=decide turn=2 last~part", true},
		{"phase=decide turn=2 last~other", false},
	}
	for _, tt := range tests {
		m := parse(t, "when "+tt.cond+"\nsay yes")
		if got := answer(m, r) == "yes"; got != tt.want {
			t.Errorf("when %s: matches is %v, want %v", tt.cond, got, tt.want)
		}
	}
	// A message that is not there has no text, not even an empty one.
	if got := answer(parse(t, "when last=\"\"\nsay yes"), rein.ModelRequest{}); got == "yes" {
		t.Error(`last="" matches a prompt without messages`)
	}
}

// Covers: ENG-55
func TestReply(t *testing.T) {
	tests := []struct {
		name, text string
		want       rein.Message
	}{
		{"line", "say  \"Hi\" # there ", rein.Message{Text: `"Hi" # there`}},
		{"lines", "say a\nsay\nsay b", rein.Message{Text: "a\n\nb"}},
		{"heredoc", "say <<END\na\n\n  b\n# c\nEND", rein.Message{Text: "a\n\n  b\n# c"}},
		{"indented", "  say <<END\n  a\n    b\n  END", rein.Message{Text: "a\n  b"}},
		{"carriage returns", "say a\r\ncall read\r\n", rein.Message{Text: "a", Calls: calls("c2-1 read {}")}},
		{"call", `call search {"q": "a b"}`, rein.Message{Calls: calls(`c2-1 search {"q": "a b"}`)}},
		{"calls", "say x\ncall search {\"q\":1} id=k\ncall read id=\"l m\" [2]\ncall read", rein.Message{
			Text: "x", Calls: []rein.ToolCall{
				{ID: "k", Name: "search", Args: json.RawMessage(`{"q":1}`)},
				{ID: "l m", Name: "read", Args: json.RawMessage(`[2]`)},
				{ID: "c2-3", Name: "read", Args: json.RawMessage(`{}`)},
			},
		}},
		{"long call", "call search id=k <<END\n{\n  \"q\": 1\n}\nEND", rein.Message{Calls: calls("k search {\n  \"q\": 1\n}")}},
		{"wrong tool", "wrong-tool rm {\"all\":true}", rein.Message{Calls: calls(`c2-1 rm {"all":true}`)}},
		{"malformed", "malformed", rein.Message{Calls: calls(`c2-1 search {"broken": "`)}},
		{"malformed call", "call read\nmalformed read `{\"q\": ` id=k", rein.Message{Calls: append(calls("c2-1 read {}"), calls(`k read {"q": `)...)}},
		{"malformed id first", "malformed read id=k \"\"", rein.Message{Calls: calls(`k read `)}},
		{"malformed text", `malformed "<tool_call>{\xff"`, rein.Message{Text: "<tool_call>{\xff"}},
		{"empty", "empty", rein.Message{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request("user: q", "assistant: a", "user: q2")
			r.Offered = []rein.Tool{{Name: "search"}, {Name: "read"}}
			reply, err := parse(t, "when\n"+tt.text).Generate(t.Context(), r, nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Role = rein.Assistant
			if !reflect.DeepEqual(reply.Message, tt.want) {
				t.Errorf("reply is\n  %q\nwant\n  %q", fmt.Sprint(reply.Message), fmt.Sprint(tt.want))
			}
			if reply.Model != "script" {
				t.Errorf("model is %q", reply.Model)
			}
		})
	}
}

// calls makes one call of "id name args".
func calls(s string) []rein.ToolCall {
	f := strings.SplitN(s, " ", 3)
	return []rein.ToolCall{{ID: f[0], Name: f[1], Args: json.RawMessage(f[2])}}
}

func TestMalformedWithoutTools(t *testing.T) {
	if got := answer(parse(t, "when\nsay x\nmalformed"), request("user: q")); got != "x\n{\"broken\": \"" {
		t.Errorf("reply is %q", got)
	}
}

func TestCallsMustFitTheOffer(t *testing.T) {
	r := request("user: q")
	r.Tools = []string{"search"}
	m := parse(t, "turn 1\ncall serach\nturn 2\nwrong-tool search")
	if got := answer(m, r); !strings.Contains(got, "[invalid] script t:2: call serach: it was not offered (offered: search); to call it nevertheless use wrong-tool") {
		t.Error(got)
	}
	r.Messages = append(r.Messages, rein.Message{Role: rein.Assistant})
	if got := answer(m, r); got != "[invalid] script t:4: wrong-tool search: it was offered; use call" {
		t.Error(got)
	}
}

// After a compaction the turns count from the start again, while old calls may still be there.
func TestIDsAreNewInTheirTranscript(t *testing.T) {
	r := request("call: c2-1", "tool: x")
	r.Tools = []string{"search"}
	reply, err := parse(t, "turn 2\ncall search\ncall search id=c2-1x").Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := reply.Message.Calls[0].ID; got != "c2-1xx" {
		t.Errorf("ID is %s, want c2-1xx", got)
	}
}

func TestUsage(t *testing.T) {
	const price = "price in=2 out=10\nmax_output 100\nwhen\n"
	tests := []struct {
		text string
		want *rein.Usage
	}{
		{"say one two three", &rein.Usage{Input: 5, Output: 3, Micros: 40}},
		{"say one\ncall search {\"q\": 1}", &rein.Usage{Input: 5, Output: 4, Micros: 50}},
		{"say one\nusage in=120 out=30", &rein.Usage{Input: 120, Output: 30, Micros: 540}},
		{"say one\nusage out=1 micros=7", &rein.Usage{Output: 1, Micros: 7}},
		{"say one\nusage none", nil},
		{"empty", &rein.Usage{Input: 5, Micros: 10}},
	}
	r := request("user: 20 bytes are counted")
	r.Messages[0].Text = strings.Repeat("x", 20)
	r.Tools = []string{"search"}
	for _, tt := range tests {
		reply, err := parse(t, price+tt.text).Generate(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(reply.Usage, tt.want) {
			t.Errorf("%s: usage is %+v, want %+v", tt.text, reply.Usage, tt.want)
		}
	}
}

func TestPriceIsRoundedUp(t *testing.T) {
	reply, err := parse(t, "price in=0.000001\nwhen\nsay x\nusage in=1").Generate(t.Context(), request(), nil)
	if err != nil || reply.Usage.Micros != 1 {
		t.Errorf("usage is %+v, %v; want 1 micro", reply.Usage, err)
	}
}

func TestOverrun(t *testing.T) {
	for _, header := range []string{"", "max_output 100\nwindow 50000\n"} {
		m := parse(t, header+"when\nsay x\noverrun")
		r := request("user: " + strings.Repeat("x", 1000))
		r.MaxTokens = 30
		r.Offered = []rein.Tool{{Schema: make(json.RawMessage, 5000)}}
		r.Schema = make(json.RawMessage, 7000)
		reply, err := m.Generate(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if u := reply.Usage; u.Input <= max(13_000, m.Info().Window) || u.Output <= 30 {
			t.Errorf("usage is %+v: within the bounds", u)
		}
	}
}

func TestNothingMatches(t *testing.T) {
	m := parse(t, `
when phase=final
say a
when phase=decide turn=1
say b
when phase=decide turn=3 last~"weather"
say c
when phase=other turn=9 last~x
say d
when phase=decide
fail provider times=1
`)
	r := request("user: what is\nit", "call: c1", "tool: no results")
	r.Phase, r.Round, r.Run, r.Step, r.Attempt = "decide", 2, "r1", "4", 2
	r.Tools = []string{"search"}
	want := `[invalid] script t: nothing answers this call: phase=decide round=2 turn=2 results=1 attempt=2 run=r1 step=4
  offered: search
  last message (tool): "no results"
The nearest entries:
  t:2: when phase=final (phase is "decide")
  t:4: when phase=decide turn=1 (turn is 2)
  t:10: when phase=decide (its faults are over at attempt 2)`
	if got := answer(m, r); got != want {
		t.Errorf("error is\n%s\nwant\n%s", got, want)
	}
	if got := answer(m, rein.ModelRequest{}); !strings.Contains(got, `phase="" round=0 turn=1`) || !strings.Contains(got, "no user or tool message") {
		t.Error(got)
	}
}
