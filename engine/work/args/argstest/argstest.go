// Package argstest makes damaged tool calls, for tests of code that must cope with them.
package argstest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// FileSchema is the schema of a tool that writes files.
const FileSchema = `{"type":"object","properties":{
	"path":{"type":"string"},"content":{"type":"string"},"line":{"type":"integer","minimum":1},"force":{"type":"boolean"},
	"mode":{"enum":["Append","replace"]},"tags":{"type":"array","items":{"type":"string"}},
	"opts":{"type":"object","properties":{"deep":{"type":"number"},"list":{"type":"array","items":{"type":"integer"}}},"additionalProperties":false}},
	"required":["path"],"additionalProperties":false}`

// Calls are valid arguments of tools of many shapes.
var Calls = []struct{ Schema, Args string }{
	{FileSchema, `{"content":"line one\nline \"two\"","path":"notes/a.md"}`},
	{FileSchema, `{"line":12,"mode":"replace","path":"b"}`},
	{FileSchema, `{"force":true,"opts":{"deep":1.5,"list":[1,2,3]},"path":"c","tags":["x","y"]}`},
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

// Mutations each damage a text in one way that models and streams do.
var Mutations = []struct {
	Name string
	Do   func(r *rand.Rand, text string) string
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

// Damage damages a text in one way, and now and then in a second.
func Damage(r *rand.Rand, mutation int, text string) string {
	text = Mutations[mutation].Do(r, text)
	if r.IntN(4) == 0 {
		text = Mutations[r.IntN(4)].Do(r, text+" ")
	}
	return text
}
