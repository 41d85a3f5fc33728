package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"rein"
)

// notJSON marks an answer that no chat or responses API gives.
const notJSON = "not_json"

// A fault is what a server says went wrong.
type fault struct {
	Message string
	Type    string
	Code    string
	Status  int // of HTTP; zero: the answer began as a good one
}

func (f *fault) Error() string { return f.Message }

// at gives the fault the status of its answer, which counts more than one that is told inside.
func (f *fault) at(status int) *fault {
	f.Status = status
	return f
}

// faultJSON has the fields of all the shapes that servers give to an error.
type faultJSON struct {
	Error      json.RawMessage `json:"error"`
	Message    json.RawMessage `json:"message"`
	Detail     json.RawMessage `json:"detail"`
	Type       any             `json:"type"`
	Code       any             `json:"code"`
	Status     any             `json:"status"`
	StatusCode any             `json:"status_code"`
	Metadata   struct {
		Raw any `json:"raw"` // OpenRouter: what the provider behind it said
	} `json:"metadata"`
}

// parseFault reads an error object, a list of them, an error inside a chunk, or plain text.
func parseFault(data []byte) *fault {
	data = bytes.TrimSpace(data)
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	var j faultJSON
	if decode(data, &j) != nil {
		return &fault{Message: plain(data)}
	}
	for depth := 0; depth < 3 && isSet(j.Error); depth++ { // some wrap the error of another server
		data = j.Error
		if data[0] != '{' {
			return &fault{Message: plain(data), Code: word(j.Code), Status: number(j.StatusCode, j.Status, j.Code)}
		}
		j = faultJSON{}
		_ = decode(data, &j) // it is a part of what was read before
	}
	f := &fault{Type: word(j.Type), Code: word(j.Code), Status: number(j.StatusCode, j.Code, j.Status)}
	for _, text := range []json.RawMessage{j.Message, j.Detail, data} {
		if f.Message == "" && isSet(text) {
			f.Message = plain(text)
		}
	}
	if behind := word(j.Metadata.Raw); behind != "" {
		f.Message += ": " + plain([]byte(behind))
	}
	return f
}

// plain returns a text, quoted or not, on one line and not too long.
func plain(data []byte) string {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	return rein.Clip(s, 1000)
}

func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// number returns the first of the values that is a status of HTTP.
func number(values ...any) int {
	for _, v := range values {
		if n, err := strconv.Atoi(word(v)); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	return 0
}
