package lenient

import "testing"

// builtIn are damaged texts of our own, each with what was meant. They are held exactly.
var builtIn = []repairCase{
	{Input: `{"city": "Bern", "days": 3,}`, Output: `{"city":"Bern","days":3}`},
	{Input: `{'city': 'Bern', 'open': True, 'note': None}`, Output: `{"city":"Bern","open":true,"note":null}`},
	{Input: `{city: "Bern", days: 3}`, Output: `{"city":"Bern","days":3}`},
	{Input: `{"a": [1, 2 3]}`, Output: `{"a":[1,2,3]}`},
	{Input: "{\"a\": 1 // one\n, \"b\": /* two */ 2}", Output: `{"a":1,"b":2}`},
	{Input: "{\"text\": \"first\nsecond\tthird\"}", Output: `{"text":"first\nsecond\tthird"}`},
	{Input: `{"text": "she said "yes" and left"}`, Output: `{"text":"she said \"yes\" and left"}`},
	{Input: `{"text": "she said "yes", then left", "n": 1}`, Output: `{"text":"she said \"yes\", then left","n":1}`},
	{Input: `{"text": "a "quoted""}`, Output: `{"text":"a \"quoted\""}`},
	{Input: `{"pattern": "\d+\.\w"}`, Output: `{"pattern":"\\d+\\.\\w"}`},
	{Input: `{"path": "C:\Users\ann"}`, Output: `{"path":"C:\\Users\\ann"}`},
	{Input: `{"a": "cut off in the mid`, Output: `{"a":"cut off in the mid"}`},
	{Input: `{"a": {"b": [1, {"c": "d`, Output: `{"a":{"b":[1,{"c":"d"}]}}`},
	{Input: `{"a": {"b": 1}, "c`, Output: `{"a":{"b":1},"c":null}`},
	{Input: `{"a": "b}`, Output: `{"a":"b"}`},
	{Input: `{"a: 1}`, Output: `{"a":1}`},
	{Input: `{"a": "b, "c": 2}`, Output: `{"a":"b","c":2}`},
	{Input: `{"a" "b", "c" 2}`, Output: `{"a":"b","c":2}`},
	{Input: `{"a": 1 "b": 2}`, Output: `{"a":1,"b":2}`},
	{Input: "{\"a\": \"x\"\n\"b\": \"y\"}", Output: `{"a":"x","b":"y"}`},
	{Input: `"a": 1, "b": {"c": 2}`, Output: `{"a":1,"b":{"c":2}}`},
	{Input: `path: "notes/x.md", deep: {"c": 2}`, Output: `{"path":"notes/x.md","deep":{"c":2}}`},
	{Input: `{\"a\": \"b\", \"n\": 1}`, Output: `{"a":"b","n":1}`},
	{Input: `{“a”: “b”}`, Output: `{"a":"b"}`},
	{Input: `{"a": 1}}`, Output: `{"a":1}`},
	{Input: `[{"a": 1}, {"b": 2},]`, Output: `[{"a":1},{"b":2}]`},
	{Input: `{"n": 007, "m": .5, "k": 12345678901234567890}`, Output: `{"n":"007","m":0.5,"k":12345678901234567890}`},
	{Input: `Here you are: {"a": 1.10} as you asked.`, Output: `{"a":1.10}`},
	{Input: "Sure!\n```json\n{\"a\": 1,}\n```\nAnything else?", Output: `{"a":1}`},
	{Input: "```json\n{\"a\": \"b\"\n```", Output: `{"a":"b"}`},
	{Input: `run({"a": 1});`, Output: `{"a":1}`},
	{Input: `{"a": "one" + "two"}`, Output: `{"a":"onetwo"}`},
	{Input: "\uFEFF{\"a\": 1,}", Output: `{"a":1}`},
	{Input: `{"half": "\ud83d", "whole": "\ud83d\ude00",}`, Output: `{"half":"�","whole":"😀"}`},
	{Input: ``, Error: "no text"},
	{Input: `{`, Output: `{}`},
	{Input: `{curly}`, Error: "no colon"},
	{Input: `{"a": "\u12x4",}`, Error: "no hex"},
}

func TestBuiltInCases(t *testing.T) {
	for _, c := range builtIn {
		found, err := Value(c.Input)
		if !c.right(string(found.JSON), err) {
			t.Errorf("%q: got %s, %v; want %s%s", c.Input, found.JSON, err, c.Output, c.Error)
		}
		if err == nil && !found.Repaired {
			t.Errorf("%q is not strict JSON and not marked as repaired", c.Input)
		}
	}
}
