package answer

import (
	"encoding/json"

	"rein"
)

// chip is the line that people see while a tool runs, with the argument that matters.
func (q *inquiry) chip(call rein.ToolCall) string {
	task := q.task
	var args map[string]any
	if json.Unmarshal([]byte(plainArgs(call.Args)), &args) != nil {
		return say(task, "use", call.Name)
	}
	if _, searches := args["queries"]; searches {
		k, ok := args["k"].(float64)
		if !ok {
			k = float64(q.set.K)
		}
		return say(task, "search", k)
	}
	if path, ok := args["path"].(string); ok && path != "" {
		if q.isChange(call) {
			return say(task, "change", clipLine(path, 80))
		}
		section, _ := args["section"].(string)
		return say(task, "read", clipLine(source{path, section}.String(), 80))
	}
	for _, name := range []string{"query", "q", "question", "url", "name", "command"} {
		if value, ok := args[name].(string); ok && value != "" {
			return say(task, "use with", call.Name, clipLine(value, 80))
		}
	}
	return say(task, "use", call.Name)
}
