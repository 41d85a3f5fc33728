package lenient

import (
	"strings"
	"testing"
)

// block writes a fenced block without its line of words.
func block(tag, body string) string { return "```" + tag + "\n" + body + "\n```" }

// TestTable is table B.1: each row of it for all three functions. An empty want means an error.
//
// Covers: TAB-B1
func TestTable(t *testing.T) {
	type want struct {
		json     string
		at       string // the part of the text that it stood in
		repaired bool
	}
	same := func(json, at string) [3]want { return [3]want{{json, at, false}, {json, at, false}, {json, at, false}} }
	picked := func(json, at string) [3]want { return [3]want{{json, at, true}, {json, at, false}, {json, at, false}} }
	mended := func(json, at string) [3]want { return [3]want{{json, at, true}, {json, at, true}, {json, at, true}} }
	const a = `{"a":1}`
	tests := []struct {
		name, text string
		want       [3]want // Value, First("a"), Last
	}{
		{"whole text", a, same(a, a)},
		{"white space", " \r\n" + a + "\r\n", same(a, a)},
		{"byte order mark", "\uFEFF" + a, same(a, a)},
		{"CRLF inside", "{\r\n\"a\":1\r\n}", same(a, "{\r\n\"a\":1\r\n}")},
		{"fence", block("json", a), same(a, block("json", a))},
		{"bare fence", block("", a), same(a, block("", a))},
		{"fence on one line", "```json " + a + "```", same(a, "```json "+a+"```")},
		{"fence with CRLF", "```json\r\n" + a + "\r\n```\r\n", same(a, "```json\r\n"+a+"\r\n```")},
		{"fence in prose", "so: " + block("json", a) + "\nok", picked(a, block("json", a))},
		{"prose around", "so: " + a + " ok", picked(a, a)},
		{"text after the block", a + "\nThat is all.", picked(a, a)},
		{"braces in strings", `x {"a":"}{\"}"} y`, picked(`{"a":"}{\"}"}`, `{"a":"}{\"}"}`)},
		{"nested", `x {"b":{"c":[{}]},"a":1} y`, picked(`{"a":1,"b":{"c":[{}]}}`, `{"b":{"c":[{}]},"a":1}`)},
		{"two objects", `{"a":1} and {"a":2}`, [3]want{{a, a, true}, {a, a, false}, {`{"a":2}`, `{"a":2}`, false}}},
		{"the key decides", `{"b":1} and {"a":1}`, [3]want{{`{"b":1}`, `{"b":1}`, true}, {a, a, false}, {a, a, false}}},
		{"the key is not searched inside", `x {"b":{"a":1}} y`, [3]want{{`{"b":{"a":1}}`, `{"b":{"a":1}}`, true}, {}, {`{"b":{"a":1}}`, `{"b":{"a":1}}`, false}}},
		{"a fence before what is bare", `{"a":0} ` + block("json", a), [3]want{{a, block("json", a), true}, {a, block("json", a), false}, {a, block("json", a), false}}},
		{"a bare block after a fence", block("json", `{"a":0}`) + " " + a, [3]want{{`{"a":0}`, block("json", `{"a":0}`), true}, {`{"a":0}`, block("json", `{"a":0}`), false}, {a, a, false}}},
		{"between two fences", block("", `{"a":0}`) + a + block("", `{"b":0}`), [3]want{{`{"a":0}`, block("", `{"a":0}`), true}, {`{"a":0}`, block("", `{"a":0}`), false}, {`{"b":0}`, block("", `{"b":0}`), false}}},
		{"a fence of code", block("go", "func f() { return }") + a, picked(a, a)},
		{"prose braces", `a {set} and it's {"a":1}`, picked(a, a)},
		{"stray brace in prose", `open { then {"a":1}`, picked(a, a)},
		{"quote in prose", `a 5" pipe: {"a":1}`, picked(a, a)},
		{"astray", `{"key to it, then {"a":1}`, [3]want{{`{"key to it, then {\"a":1}`, `{"key to it, then {"a":1}`, true}, {a, a, false}, {`{"key to it, then {\"a":1}`, `{"key to it, then {"a":1}`, true}}},
		{"strict before mended", `{b:1,} {"a":1}`, picked(a, a)},
		{"equal keys", `{"a":0,"a":1}`, same(a, `{"a":0,"a":1}`)},
		{"unterminated brace", `so {"a":1`, mended(a, `{"a":1`)},
		{"unterminated string", `so {"a":"b`, mended(`{"a":"b"}`, `{"a":"b`)},
		{"unterminated in a fence", "so\n```json\n{\"a\":1", mended(a, "```json\n{\"a\":1")},
		{"its inside is not it", `{"a":{"b":1},"c":`, mended(`{"a":{"b":1},"c":null}`, `{"a":{"b":1},"c":`)},
		{"quotes that hide braces", `{"a":"` + strings.Repeat(`{" x`, 600) + `",}`, mended(`{"a":"`+strings.Repeat(`{\" x`, 600)+`"}`, `{"a":"`+strings.Repeat(`{" x`, 600)+`",}`)},
		{"trailing comma", `{"a":1,}`, mended(a, `{"a":1,}`)},
		{"array", `[{"a":1}]`, [3]want{{`[{"a":1}]`, `[{"a":1}]`, false}, {}, {}}},
		{"array in a fence", block("json", `[{"a":1}]`), [3]want{{`[{"a":1}]`, block("json", `[{"a":1}]`), false}, {}, {}}},
		{"damaged array", `[{"a":1},]`, [3]want{{`[{"a":1}]`, `[{"a":1},]`, true}, {}, {}}},
		{"cut array", `[{"a":1},{"b":`, [3]want{{`[{"a":1},{"b":null}]`, `[{"a":1},{"b":`, true}, {}, {}}},
		{"null", "null", [3]want{{"null", "null", false}, {}, {}}},
		{"string", `"a"`, [3]want{{`"a"`, `"a"`, false}, {}, {}}},
		{"empty", "", [3]want{}},
		{"only space", " \n", [3]want{}},
		{"prose", "there is nothing", [3]want{{`"there is nothing"`, "there is nothing", true}, {}, {}}},
		{"big numbers", `{"a":12345678901234567890,"b":1.10}`, same(`{"a":12345678901234567890,"b":1.10}`, `{"a":12345678901234567890,"b":1.10}`)},
		{"not for browsers", `{"a":"<b>&"}`, same(`{"a":"<b>&"}`, `{"a":"<b>&"}`)},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", mended(`{"a":"�"}`, "{\"a\":\"\xff\"}")},
		{"half a surrogate pair", `{"a":"\ud800"}`, mended(`{"a":"�"}`, `{"a":"\ud800"}`)},
		{"a whole pair", `{"a":"\ud83d\ude00"}`, same(`{"a":"😀"}`, `{"a":"\ud83d\ude00"}`)},
		{"deep", strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600), [3]want{}},
		{"deep array", strings.Repeat(`[`, 600) + strings.Repeat("]", 600), [3]want{}},
		{"deep and cut off", strings.Repeat(`{"a":`, 100_000), [3]want{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, call := range calls {
				found, err := call.of(tt.text)
				want := tt.want[i]
				if want.json == "" {
					if err == nil {
						t.Errorf("%s: %s, want an error", call.name, found.JSON)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", call.name, err)
					continue
				}
				if string(found.JSON) != want.json || found.Repaired != want.repaired {
					t.Errorf("%s: %s, repaired %t; want %s, %t", call.name, found.JSON, found.Repaired, want.json, want.repaired)
				}
				if at := tt.text[found.Start:found.End]; at != want.at {
					t.Errorf("%s: found in %q, want %q", call.name, at, want.at)
				}
			}
		})
	}
}

var calls = []struct {
	name string
	of   func(string) (Found, error)
}{
	{"Value", Value},
	{"First", func(text string) (Found, error) { return First(text, "a") }},
	{"Last", Last},
}

func TestCut(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":"b`: true, `{"a":["b`: true, `{"a":"`: true, `{"a": "b", "c": "some { text`: true, `{"a`: true, `{"a":`: true,
		`{`: true, "{\n ": true, `{"a":1,`: true, `{"a":[`: true, `{"a":[1, `: true, `{"a":{`: true, `{"a":[1`: false, `{"a":[],}`: false, `{"a":1, ...`: false,
		`{"a":"b"`: false, `{"a":"b}`: false, `{"a":["b]}`: false, `{"a":1,}`: false, `{"a":"b"}`: false, `{"a":}`: false,
	} {
		if found, err := Value(text); err != nil || found.Cut != want {
			t.Errorf("%s: cut %t, %v", text, found.Cut, err)
		}
		if found, err := Last("so: " + text); err != nil || found.Cut != want {
			t.Errorf("the last of %s: cut %t, %v", text, found.Cut, err)
		}
	}
}

func TestErrors(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 600)
	for _, call := range calls {
		if _, err := call.of(deep); err == nil || !strings.Contains(err.Error(), "more than 500 deep") {
			t.Errorf("%s of a deep text: %v", call.name, err)
		}
	}
	_, err := Value(`{"a": "\u00zz"}`)
	if e, ok := err.(*Error); !ok || e.Offset != 11 {
		t.Errorf("a bad escape: %#v, want the offset 11", err)
	}
	if _, err := First("nothing", "a"); err == nil || !strings.Contains(err.Error(), "no JSON object") {
		t.Errorf("no object: %v", err)
	}
}
