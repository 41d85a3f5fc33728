package openai

import "encoding/json"

// builtin are exchanges of our own, for where the recordings are not.
func builtin() []*exchange {
	tool := func(name, args string) (t struct {
		Name string
		Args json.RawMessage
	},
	) {
		t.Name, t.Args = name, json.RawMessage(args)
		return t
	}
	type tools = []struct {
		Name string
		Args json.RawMessage
	}
	return []*exchange{
		{
			API: chatAPI, Status: 200, File: "plain text",
			Response: `{"model":"x","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Good day.","refusal":null,"annotations":[]}}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}`,
			want:     &expectation{Verdict: "agree", Text: "Good day.", Stop: "stop"},
		},
		{
			API: chatAPI, Status: 200, File: "two calls in fragments", Stream: true,
			Response: ": beat\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}}]}\n\n" +
				"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":\"}}]}}]}\n\n" +
				"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}}]}\n\n" +
				"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}}]}\n\n" +
				"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
			want: &expectation{Verdict: "agree", Stop: "tool_calls", Tools: tools{tool("look", `{"x":1}`), tool("look", `{}`)}},
		},
		{
			API: chatAPI, Status: 200, File: "thinking, then cut by the limit", Stream: true,
			Response: "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"Hm\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Wel\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
			want:     &expectation{Verdict: "agree", Text: "Wel", Stop: "length"},
		},
		{
			API: chatAPI, Status: 200, File: "an error in a good stream", Stream: true,
			Response: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"He\"}}]}\n\ndata: {\"error\":{\"code\":502,\"message\":\"upstream broke\"}}\n\ndata: [DONE]\n\n",
			want:     &expectation{Verdict: "contested"},
		},
		{
			API: chatAPI, Status: 429, File: "too fast",
			Headers:  map[string][]string{"retry-after": {"3"}},
			Response: `{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`,
			want:     &expectation{Verdict: "http-error"},
		},
		{
			API: responsesAPI, Status: 200, File: "reasoning and a call",
			Response: `{"model":"x","status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"zzz"},{"type":"function_call","id":"fc_1","call_id":"c1","name":"look","arguments":"{\"x\":2}","status":"completed"}],"usage":{"input_tokens":5,"output_tokens":7,"total_tokens":12}}`,
			want:     &expectation{Verdict: "agree", Stop: "completed", Tools: tools{tool("look", `{"x":2}`)}},
		},
		{
			API: responsesAPI, Status: 200, File: "text by events", Stream: true,
			Response: "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"output\":[]}}\n\n" +
				"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Hel\"}\n\nevent: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"lo\"}\n\n" +
				"event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello\"}]}]}}\n\n",
			want: &expectation{Verdict: "agree", Text: "Hello", Stop: "completed"},
		},
	}
}
