package telemetry

import (
	"encoding/json"
	"strings"
	"time"

	"rein"
)

// The payloads of events, as far as telemetry reads them: what people, models and tools said stays
// undecoded until somebody asks for content.

type runStart struct {
	Task struct {
		Flow     string          `json:"flow"`
		Session  string          `json:"session"`
		Tools    []string        `json:"tools"`
		Messages json.RawMessage `json:"messages"`
	} `json:"task"`
	After rein.RunID `json:"after"`
}

type runEnd struct {
	End     rein.End      `json:"end"`
	Text    string        `json:"text"`
	Failure *rein.Failure `json:"failure"`
}

type stepStart struct {
	Sig string `json:"sig"`
	rein.About
	Prompt *struct {
		Model     string          `json:"model"`
		MaxTokens int64           `json:"max_tokens"`
		Stream    bool            `json:"stream"`
		Add       json.RawMessage `json:"add"`
	} `json:"prompt"`
	Call *rein.ToolCall `json:"call"`
	rein.Mend
	Child rein.RunID `json:"child"`
}

type stepEnd struct {
	Sig     string `json:"sig"`
	Message *struct {
		Text  string          `json:"text"`
		Stop  rein.Stop       `json:"stop"`
		Calls json.RawMessage `json:"calls"`
		Raw   *struct {
			API string `json:"api"`
		} `json:"raw"`
	} `json:"message"`
	Result   *rein.ToolResult  `json:"result"`
	Items    []json.RawMessage `json:"items"`
	Child    rein.RunID        `json:"child"`
	Outcome  *struct{ End rein.End }
	Failure  *rein.Failure `json:"failure"`
	Model    string        `json:"model"`
	Usage    *rein.Usage   `json:"usage"`
	Overrun  bool          `json:"overrun"`
	Whole    string        `json:"whole"`
	Duration time.Duration `json:"duration"`
}

// payload reads the payload of an event. One that was erased, or is not what it should be, is empty:
// telemetry tells what it can.
func payload[T any](ev rein.Event) T {
	var p T
	if len(ev.Data) > 0 && json.Unmarshal(ev.Data, &p) != nil {
		var none T
		return none
	}
	return p
}

// stepOf returns the step that a sub-event's key belongs to: "7.2.3.ask" is of step "7.2.3".
func stepOf(key rein.StepKey) rein.StepKey {
	for {
		i := strings.LastIndexByte(string(key), '.')
		if i < 0 || i+1 < len(key) && key[i+1] <= '9' {
			return key
		}
		key = key[:i]
	}
}
