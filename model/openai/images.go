package openai

import (
	_ "embed"
	"slices"
	"strings"

	"rein"
	"rein/internal/jsontext"
)

//go:embed images.md
var imagesText string

// spread moves the images of results into a message of the user behind them, where the server takes none in a result:
// behind all of a turn, for nothing may stand between the results.
func (m *Model) spread(messages []rein.Message) []rein.Message {
	if m.inResults() || !slices.ContainsFunc(messages, hasResultImages) {
		return messages
	}
	var out []rein.Message
	var images []rein.Image
	for i, msg := range messages {
		if msg.Role == rein.ToolRole {
			images = append(images, msg.Images...)
			msg.Images = nil
		}
		out = append(out, msg)
		if len(images) > 0 && (i+1 == len(messages) || messages[i+1].Role != rein.ToolRole) {
			out = append(out, rein.Message{Role: rein.User, Text: strings.TrimSpace(imagesText), Images: images})
			images = nil
		}
	}
	return out
}

// settled counts the messages that a longer conversation writes in the same way: all, unless they end with results whose
// images come behind results that may follow.
func (m *Model) settled(messages []rein.Message) int {
	n := len(messages)
	for n > 0 && messages[n-1].Role == rein.ToolRole {
		n--
	}
	if m.inResults() || !slices.ContainsFunc(messages[n:], hasResultImages) {
		return len(messages)
	}
	return n
}

// inResults reports whether the server takes images in the result of a call.
func (m *Model) inResults() bool { return m.opt.API == Responses && !m.opt.Quirks.PlainResults }

func hasResultImages(m rein.Message) bool { return m.Role == rein.ToolRole && len(m.Images) > 0 }

// appendOutput writes the result of a call for Responses, with its images.
func appendOutput(b []byte, msg rein.Message) []byte {
	if len(msg.Images) == 0 {
		return jsontext.AppendString(b, msg.Text)
	}
	return append(appendInputParts(append(b, '['), msg), ']')
}
