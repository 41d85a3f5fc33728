package cli

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/engine/work/render"
	"rein/internal/lenient"
	"rein/internal/quote"
	"rein/internal/secret"
	"rein/vault/parse"
	"rein/vault/stage"
)

// hostileUnits are what texts are made of that could make a careless parser take much memory.
var hostileUnits = []string{
	"}{", "{}", "{", "[", `"`, `\\`, "<", "</", "<a>", "&lt;", "```json\n", "<tool_call>", "<tool_call>{}</tool_call>", "</untrusted>",
	"\n", " ", "a", "é", "\u200b", "\xff", "sk-", "ghp_", "AKIA", "password: x\n", "-----BEGIN PRIVATE KEY-----\n", "eyJ.", "://a:b@",
	`{"a":`, `{"a":1,`, "Action Input: {\n", "- ", "#", "# a\n", "[[", "a\n",
}

// TestParsersTakeLittleMemory holds what each parser takes of memory to a multiple of the text, also
// what it lets go again. It counts, it does not time.
//
// Attack: 71
func TestParsersTakeLittleMemory(t *testing.T) {
	const size, most = 1 << 16, 400 // bytes for each byte of the text
	redactor, err := guard.NewRedactor(nil, map[string]string{"k": "abcdefghijklmnop"})
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range parsers(redactor) {
		for _, unit := range hostileUnits {
			text := strings.Repeat(unit, size/len(unit))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read(text)
			runtime.ReadMemStats(&after)
			if each := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); each > most {
				t.Errorf("%s of many %q takes %d bytes for each", name, unit, each)
			}
		}
	}
}

// parsers are all that read what models, notes and people write.
func parsers(redactor *guard.Redactor) map[string]func(string) {
	tool := rein.Tool{Name: "x", Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
	return map[string]func(string){
		"lenient.Value":    func(s string) { _, _ = lenient.Value(s) },
		"lenient.First":    func(s string) { _, _ = lenient.First(s, "a") },
		"lenient.Last":     func(s string) { _, _ = lenient.Last(s) },
		"args.Prepare":     func(s string) { _, _ = args.Prepare(tool, json.RawMessage(s), rein.Task{}) },
		"args.Check":       func(s string) { _ = args.Check(tool.Schema, json.RawMessage(s)) },
		"quote.Untrusted":  func(s string) { quote.Untrusted("x", s) },
		"quote.Blocks":     func(s string) { quote.Blocks(s, "tool_call") },
		"quote.JSONBlocks": func(s string) { quote.JSONBlocks(s, "tool_call") },
		"secret.Find":      func(s string) { secret.Find(s) },
		"redact":           func(s string) { redactor.Text(s) },
		"render.Calls": func(s string) {
			for _, r := range []rein.Rendering{"text", "json"} {
				render.Calls(r, rein.ModelInfo{}, rein.Message{Text: s}, 1)
			}
		},
		"parse.Parse": func(s string) { parse.Parse([]byte(s)) },
		"stage.Diff": func(s string) {
			stage.Diff([]stage.Change{{Path: "a.md", Base: []byte(s), Content: []byte("b" + s)}}, 100_000)
		},
		"guard.ClipResult": func(s string) { guard.ClipResult(s, 1000, "h") },
	}
}
