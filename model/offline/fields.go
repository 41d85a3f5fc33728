package offline

import "encoding/json"

// fields are the names that control blocks and schemas use, with what they are filled with.
// Whatever is not listed gets the smallest valid value.
var fields = map[string]func(*facts) any{
	"answer": answerOf, "observation": answerOf, "message": answerOf, "summary": answerOf, "text": answerOf, "content": answerOf,
	"response": answerOf, "reply": answerOf, "reflection": answerOf, "result": answerOf, "output": answerOf,
	"final_answer": func(f *facts) any { return f.ending() },

	"question": questionOf, "query": questionOf, "goal": questionOf, "task": questionOf, "topic": questionOf,
	"question_to_user": func(f *facts) any { return f.ask },
	"questions":        func(f *facts) any { return optional(f.ask) },
	"request_input": func(f *facts) any {
		if f.ask == "" {
			return nil
		}
		return map[string]any{"question": f.ask}
	},

	"finish": func(f *facts) any { return f.finish }, "finished": func(f *facts) any { return f.finish },
	"done": func(f *facts) any { return f.finish }, "is_done": func(f *facts) any { return f.finish },
	"complete":        func(f *facts) any { return f.finish },
	"should_continue": func(f *facts) any { return f.goOn }, "continue": func(f *facts) any { return f.goOn },
	"found": func(f *facts) any { return f.found }, "sufficient": func(f *facts) any { return f.found },
	"low_confidence": func(f *facts) any { return !f.found },
	"confidence": func(f *facts) any {
		if f.found {
			return "medium"
		}
		return "low"
	},

	"plan":              func(f *facts) any { return f.planText() },
	"response_outline":  func(f *facts) any { return f.plan[len(f.plan)-1] },
	"plan_steps":        planOf,
	"steps":             planOf,
	"tools_to_consider": func(f *facts) any { return list(f.tools) },
	"tools":             func(f *facts) any { return list(f.tools) },
	"next_action":       func(f *facts) any { return f.nextAction() },
	"action":            func(f *facts) any { return f.nextAction() },
	"type":              func(f *facts) any { return f.kind() },
	"kind":              func(f *facts) any { return f.kind() },
	"tool_calls":        callsOf,
	"tool":              func(f *facts) any { return f.callName() },
	"tool_name":         func(f *facts) any { return f.callName() },
	"args":              func(f *facts) any { return f.callArgs() },
	"arguments":         func(f *facts) any { return f.callArgs() },
	"parameters":        func(f *facts) any { return f.callArgs() },
}

func answerOf(f *facts) any   { return f.answer }
func questionOf(f *facts) any { return f.question }
func planOf(f *facts) any     { return list(f.plan) }

func optional(s string) []any {
	if s == "" {
		return []any{}
	}
	return []any{s}
}

func list(all []string) []any {
	out := []any{}
	for _, s := range all {
		out = append(out, s)
	}
	return out
}

func callsOf(f *facts) any {
	out := []any{}
	for _, c := range f.calls {
		out = append(out, map[string]any{"name": c.Name, "arguments": decoded(c.Args)})
	}
	return out
}

func (f *facts) callName() string {
	if len(f.calls) == 0 {
		return ""
	}
	return f.calls[0].Name
}

func (f *facts) callArgs() any {
	if len(f.calls) == 0 {
		return map[string]any{}
	}
	return decoded(f.calls[0].Args)
}

func decoded(raw json.RawMessage) any {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return map[string]any{}
	}
	return v
}
