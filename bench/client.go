package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A client speaks to the mock. The bare loop and the model adapter of rein share it, so that what
// differs between them is not the provider's protocol.
type client struct {
	url   string
	model string
	http  *http.Client
}

func newClient(s spec) *client {
	return &client{
		url: s.Base + "/v1/chat/completions", model: modelName(s),
		// Go keeps only two idle connections per host by default; at 64 that would measure TCP.
		http: &http.Client{Transport: &http.Transport{MaxIdleConns: 1024, MaxIdleConnsPerHost: 1024, DisableCompression: true, IdleConnTimeout: time.Minute}},
	}
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireCall struct {
	Index    int          `json:"index,omitempty"`
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireRequest struct {
	Model    string          `json:"model"`
	Messages []wireMessage   `json:"messages"`
	Tools    json.RawMessage `json:"tools"`
	Stream   bool            `json:"stream"`
}

type wireChunk struct {
	Choices []struct {
		Delta wireMessage `json:"delta"`
	} `json:"choices"`
}

var wireTools = json.RawMessage(`[{"type":"function","function":{"name":"lookup","description":"Look something up","parameters":` + lookupSchema + `}}]`)

const lookupSchema = `{"type":"object","properties":{"q":{"type":"string","description":"query"}},"required":["q"]}`

// chat sends a conversation and returns the answer, whose text it shows as it comes.
func (c *client) chat(ctx context.Context, messages []wireMessage, show func(string)) (wireMessage, error) {
	body, err := json.Marshal(wireRequest{c.model, messages, wireTools, true})
	if err != nil {
		return wireMessage{}, err
	}
	return c.send(ctx, body, show)
}

// send sends a request and returns the answer.
func (c *client) send(ctx context.Context, body []byte, show func(string)) (wireMessage, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return wireMessage{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer x")
	response, err := c.http.Do(request)
	if err != nil {
		return wireMessage{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return wireMessage{}, fmt.Errorf("the mock says %s", response.Status)
	}
	return readAnswer(bufio.NewReaderSize(response.Body, 8192), show)
}

func readAnswer(r *bufio.Reader, show func(string)) (wireMessage, error) {
	m := wireMessage{Role: "assistant"}
	var text strings.Builder
	for {
		line, err := r.ReadSlice('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return m, err
		}
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		if !ok || data[0] == '[' {
			continue
		}
		var chunk wireChunk
		if err := json.Unmarshal(data, &chunk); err != nil {
			return m, err
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		delta := chunk.Choices[0].Delta
		if delta.Content != nil && *delta.Content != "" {
			text.WriteString(*delta.Content)
			show(*delta.Content)
		}
		m.add(delta.ToolCalls)
	}
	content := text.String()
	m.Content = &content
	return m, nil
}

// add puts the pieces of calls together.
func (m *wireMessage) add(pieces []wireCall) {
	for _, piece := range pieces {
		for len(m.ToolCalls) <= piece.Index {
			m.ToolCalls = append(m.ToolCalls, wireCall{Type: "function"})
		}
		call := &m.ToolCalls[piece.Index]
		call.ID += piece.ID
		call.Function.Name += piece.Function.Name
		call.Function.Arguments += piece.Function.Arguments
	}
}
