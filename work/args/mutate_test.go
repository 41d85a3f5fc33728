package args

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rein"
)

// goodCalls are valid arguments of tools of many shapes.
var goodCalls = []struct{ schema, args string }{
	{fileSchema, `{"content":"line one\nline \"two\"","path":"notes/a.md"}`},
	{fileSchema, `{"line":12,"mode":"replace","path":"b"}`},
	{fileSchema, `{"force":true,"opts":{"deep":1.5,"list":[1,2,3]},"path":"c","tags":["x","y"]}`},
	{`{"type":"object"}`, `{}`},
	{`{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer"}},"required":["command"],"additionalProperties":false}`, `{"command":"grep -rn \"{x}\" . | head -5","timeout":30}`},
	{`{"type":"object","properties":{"query":{"type":"string"},"k":{"type":"integer","maximum":50},"tags":{"type":"array","items":{"type":"string"}}},"required":["query"]}`, `{"k":20,"query":"the cost of {braces}, and more","tags":["work/rein","a b"]}`},
	{`{"type":"object","properties":{"url":{"type":"string","pattern":"^https?://"}},"required":["url"]}`, `{"url":"https://example.org/a?b=c&d=e"}`},
	{`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`, `{"expression":"(1 + 2) * 3 / 4 - [5]"}`},
	{`{"type":"object","properties":{"question":{"type":"string"},"choices":{"type":"array","items":{"type":"string"}}},"required":["question"]}`, `{"choices":["yes","no, never"],"question":"Shall I delete it? It's old."}`},
	{`{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"}},"required":["old","new"],"additionalProperties":false}}},"required":["edits"]}`, `{"edits":[{"new":"b","old":"a"},{"new":"}","old":"{"}]}`},
	{`{"type":"object","properties":{"when":{"type":"string"},"title":{"type":"string"},"minutes":{"type":"number"}},"required":["title"]}`, `{"minutes":45,"title":"Zahnarzt für Jürg","when":"2026-11-15T08:30:00Z"}`},
	{`{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"]}`, `{"lat":46.95,"lon":-7.45}`},
	{`{"type":"object","properties":{"filter":{"anyOf":[{"type":"string"},{"type":"null"}]},"limit":{"type":["integer","null"]}}}`, `{"filter":null,"limit":10}`},
	{`{"type":"object","$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"]}},"properties":{"root":{"$ref":"#/$defs/node"}},"required":["root"]}`, `{"root":{"kids":[{"name":"b"},{"kids":[],"name":"c"}],"name":"a"}}`},
	{`{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`, `{"id":12345678901234567890}`},
	{`{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}`, `{"code":"def f(x):\n    return {\"a\": [x, 'b']}\n"}`},
	{`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"},"urgent":{"type":"boolean"}},"required":["to","body"],"additionalProperties":false}`, `{"body":"Dear Ann,\n\nSee you at 5.\n","to":"ann@example.org","urgent":false}`},
	{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"apples":3,"pears":0}`},
	{`{"type":"object","properties":{"op":{"enum":["add","sub"]},"args":{"type":"array","items":{"type":"number"},"minItems":2}},"required":["op","args"]}`, `{"args":[1,2.50],"op":"add"}`},
	{`{"type":"object","properties":{"matrix":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},"required":["matrix"]}`, `{"matrix":[[1,2],[3,4]]}`},
	{`{"type":"object","properties":{"text":{"type":"string","maxLength":200}},"required":["text"]}`, `{"text":"“smart” quotes, emoji 😀, tab\tand C:\\path"}`},
}

// mutations each damage a text in one way that models and streams do.
var mutations = []struct {
	name string
	do   func(r *rand.Rand, text string) string
}{
	{"cut off", func(r *rand.Rand, s string) string { return s[:r.IntN(len(s)+1)] }},
	{"drop a byte", func(r *rand.Rand, s string) string { i := r.IntN(len(s)); return s[:i] + s[i+1:] }},
	{"double a byte", func(r *rand.Rand, s string) string { i := r.IntN(len(s)); return s[:i+1] + s[i:] }},
	{"change a byte", func(r *rand.Rand, s string) string {
		i := r.IntN(len(s))
		return s[:i] + string("{}[]\",:'\\ax0 \n"[r.IntN(14)]) + s[i+1:]
	}},
	{"single quotes", func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, `"`, `'`) }},
	{"typographers' quotes", func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, `"`, `”`) }},
	{"trailing comma", func(_ *rand.Rand, s string) string { return s[:len(s)-1] + ",}" }},
	{"fence", func(_ *rand.Rand, s string) string { return "```json\n" + s + "\n```" }},
	{"open fence", func(_ *rand.Rand, s string) string { return "```\n" + s }},
	{"prose", func(_ *rand.Rand, s string) string {
		return "Sure, here are the arguments:\n" + s + "\nTell me if that's ok."
	}},
	{"comment", func(_ *rand.Rand, s string) string { return s[:1] + " // the arguments\n" + s[1:] }},
	{"Python", func(_ *rand.Rand, s string) string {
		return strings.NewReplacer("true", "True", "false", "False", "null", "None").Replace(s)
	}},
	{"numbers as text", func(_ *rand.Rand, s string) string {
		return strings.NewReplacer(":12,", `:"12",`, ":30}", `:"30"}`, ":20,", `:"20",`, ":10}", `:"10"}`, ":true", `:"true"`).Replace(s)
	}},
	{"wrapped", func(_ *rand.Rand, s string) string { return `{"arguments":` + s + `}` }},
	{"wrapped as text", func(_ *rand.Rand, s string) string {
		text, _ := json.Marshal(s)
		return `{"parameters":` + string(text) + `}`
	}},
	{"as text", func(_ *rand.Rand, s string) string { text, _ := json.Marshal(s); return string(text) }},
	{"no braces", func(_ *rand.Rand, s string) string { return s[1 : len(s)-1] }},
	{"brace too many", func(_ *rand.Rand, s string) string { return s + "}" }},
	{"lines in strings", func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, `\n`, "\n") }},
	{"keys without quotes", func(_ *rand.Rand, s string) string {
		return strings.NewReplacer(`{"`, `{`, `":`, `:`, `,"`, `,`).Replace(s)
	}},
	{"names in another case", func(_ *rand.Rand, s string) string {
		return strings.NewReplacer(`"path":`, `"file_path":`, `"query":`, `"Query":`, `"command":`, `"COMMAND":`, `"title":`, `"Title":`).Replace(s)
	}},
	{"twice", func(_ *rand.Rand, s string) string { return s + "\n" + s }},
}

// TestMutatedCalls damages valid calls in thousands of ways: whatever is accepted fits the schema,
// and nothing that had to be guessed is taken for what the model wrote.
//
// Covers: TAB-B9
func TestMutatedCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	total, understood, equal := 0, 0, 0
	for _, call := range goodCalls {
		tl := tool(call.schema)
		if ready, err := Prepare(tl, json.RawMessage(call.args), rein.Task{}); err != nil || ready.How != AsWritten || string(ready.Args) != call.args {
			t.Fatalf("%s is not valid as it is: %s %q %v", call.args, ready.Args, ready.How, err)
		}
		for _, m := range mutations {
			for range 5 {
				text := m.do(r, call.args)
				if r.IntN(4) == 0 {
					text = mutations[r.IntN(4)].do(r, text+" ")
				}
				total++
				ready, err := Prepare(tl, json.RawMessage(text), rein.Task{})
				if err != nil {
					continue
				}
				understood++
				if string(ready.Args) == call.args {
					equal++
				}
				if err := Check(tl.Schema, ready.Args); err != nil {
					t.Errorf("%s: %q gave %s: %v", m.name, text, ready.Args, err)
				}
				if ready.How == AsWritten && !asWritten(text, ready.Args) {
					t.Errorf("%s: %q gave %s as if written so", m.name, text, ready.Args)
				}
			}
		}
	}
	if total < 1000 {
		t.Fatalf("only %d mutations", total)
	}
	fmt.Printf("args: of %d damaged calls %.1f%% were understood and %.1f%% came out as they were meant\n",
		total, percent(understood, total), percent(equal, total))
	// A letter lost inside of a word cannot be brought back, so this is far from all of them.
	if percent(understood, total) < 80 || percent(equal, total) < 60 {
		t.Error("fewer calls are understood than there used to be")
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// asWritten reports whether the arguments are what strict JSON says of the text, in a fence or not.
func asWritten(text string, args json.RawMessage) bool {
	body := strings.TrimSpace(text)
	if strings.HasPrefix(body, "```") {
		body = strings.Trim(strings.TrimPrefix(strings.Trim(body, "`"), "json"), "` \n")
	}
	if body == "" {
		return string(args) == "{}"
	}
	value, err := decodeStrict([]byte(body))
	if err != nil {
		return false
	}
	same, err := encode(value)
	return err == nil && string(same) == string(args)
}
