package offline_test

import (
	"encoding/json"
	"testing"

	"rein"
)

// toolbox are the tools of the tests, by name. Their schemas are those of the specification.
var toolbox = map[string]rein.Tool{
	"read_file": {
		Description: "Reads a text file.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1},"from_line":{"type":"integer","minimum":1},"lines":{"type":"integer"}},"required":["path"],"additionalProperties":false}`),
	},
	"read_note": {
		Description: "Reads a note.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"section":{"type":"string"},"max_chars":{"type":"integer","minimum":100}},"required":["path"]}`),
	},
	"list_directory": {
		Description: "Lists a folder.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`),
	},
	"get_current_time": {
		Description: "Tells the time.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}},"additionalProperties":false}`),
	},
	"execute_command": {
		Description: "Runs a shell command.", Effect: rein.Unsafe, Approval: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string","minLength":1}},"required":["command"],"additionalProperties":false}`),
	},
	"find_similar": {
		Description: "Searches the notes.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string","minLength":1},"minItems":1},"k":{"type":"integer","minimum":1,"maximum":8},"filter":{"type":"object"}},"required":["queries","k"]}`),
	},
	"search_web": {
		Description: "Searches the web.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`),
	},
	"read_result": {
		Description: "Reads the rest of a clipped result.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"handle":{"type":"string"},"find":{"type":"string"}},"required":["handle"]}`),
	},
	"ask_user": {
		Description: "Asks the person.", Effect: rein.Pure,
		Schema: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string","minLength":1}},"required":["question"]}`),
	},
	"write_file": {
		Description: "Writes a file.", Effect: rein.Unsafe, Approval: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`),
	},
	"rm": {
		Description: "Deletes a file.", Effect: rein.Unsafe,
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	},
}

func offered(t testing.TB, names ...string) []rein.Tool {
	var all []rein.Tool
	for _, name := range names {
		tool, ok := toolbox[name]
		if !ok {
			t.Fatalf("the toolbox has no %q", name)
		}
		tool.Name = name
		all = append(all, tool)
	}
	return all
}

func user(text string) rein.Message { return rein.Message{Role: rein.User, Text: text} }

func generate(t testing.TB, r rein.ModelRequest) rein.Message {
	t.Helper()
	reply, err := model.Generate(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Message
}
