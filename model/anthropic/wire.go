package anthropic

import "encoding/json"

// What is sent. The fields of each type are in the order in which they are written, so that a prompt that
// grows begins as the shorter one did.
type (
	messagesRequest struct {
		MaxTokens  int64        `json:"max_tokens,omitempty"`
		Messages   []turn       `json:"messages,omitempty"`
		Model      string       `json:"model"`
		System     []content    `json:"system,omitempty"`
		Thinking   *thinking    `json:"thinking,omitempty"`
		ToolChoice *typed       `json:"tool_choice,omitempty"`
		Tools      []toolSchema `json:"tools,omitempty"`
		Stream     bool         `json:"stream,omitempty"`
	}

	turn struct {
		Content []content `json:"content"`
		Role    string    `json:"role"`
	}

	// content is a block of a turn. One of an earlier reply goes back as it came, in raw.
	content struct {
		Text         string       `json:"text,omitempty"`
		ToolUseID    string       `json:"tool_use_id,omitempty"`
		IsError      bool         `json:"is_error,omitempty"`
		CacheControl *typed       `json:"cache_control,omitempty"`
		Content      []content    `json:"content,omitempty"`
		Source       *imageSource `json:"source,omitempty"`
		Type         string       `json:"type"`

		raw json.RawMessage
	}

	imageSource struct {
		Data      string `json:"data,omitempty"`
		MediaType string `json:"media_type,omitempty"`
		URL       string `json:"url,omitempty"`
		Type      string `json:"type"`
	}

	toolSchema struct {
		InputSchema  json.RawMessage `json:"input_schema"`
		Name         string          `json:"name"`
		Description  string          `json:"description,omitempty"`
		CacheControl *typed          `json:"cache_control,omitempty"`
	}

	thinking struct {
		Budget int64  `json:"budget_tokens,omitempty"`
		Type   string `json:"type"`
	}

	typed struct {
		Type string `json:"type"`
	}
)

// Whose turn it is.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

func textBlock(text string) content { return content{Text: text, Type: kindText} }

// MarshalJSON implements json.Marshaler.
func (c content) MarshalJSON() ([]byte, error) {
	if c.raw != nil {
		return c.raw, nil
	}
	type plain content
	return json.Marshal(plain(c))
}

// What comes back: a message, or an event of one.
type (
	messageBody struct {
		Type    string            `json:"type"`
		Content []json.RawMessage `json:"content"`
		Stop    *string           `json:"stop_reason"`
		Usage   *usageBody        `json:"usage"`
	}

	streamEvent struct {
		Type         string          `json:"type"`
		Index        int64           `json:"index"`
		Message      messageBody     `json:"message"`
		ContentBlock json.RawMessage `json:"content_block"`
		Delta        eventDelta      `json:"delta"`
		Usage        *usageBody      `json:"usage"`
	}

	eventDelta struct {
		Type        string          `json:"type"`
		Text        string          `json:"text"`
		PartialJSON string          `json:"partial_json"`
		Thinking    string          `json:"thinking"`
		Signature   string          `json:"signature"`
		Citation    json.RawMessage `json:"citation"`
		StopReason  string          `json:"stop_reason"`
	}

	usageBody struct {
		Input   *int64 `json:"input_tokens"`
		Output  *int64 `json:"output_tokens"`
		Read    int64  `json:"cache_read_input_tokens"`
		Write   int64  `json:"cache_creation_input_tokens"`
		Details struct {
			Thinking int64 `json:"thinking_tokens"`
		} `json:"output_tokens_details"`
	}
)
