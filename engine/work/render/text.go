package render

import (
	"strings"

	"rein"
	"rein/internal/quote"
)

// asText writes calls as <tool_call> blocks of the assistant, and the results of a turn as
// <tool_result> blocks of one user message.
func asText(parts []part) []rein.Message {
	var out []rein.Message
	for _, p := range parts {
		switch {
		case p.orphan:
			out = append(out, p.note())
		case len(p.done) > 0:
			out = append(out, rein.Message{Role: rein.Assistant, Text: paragraphs(own(p.Text), callBlocks(p.done))})
			out = append(out, rein.Message{Role: rein.User, Text: resultBlocks(p.done), Images: p.images()})
		case p.Role == rein.User:
			// Results are user messages here, so what a user pastes must not pass for one.
			out = append(out, rein.Message{Role: rein.User, Text: quote.Escape(p.Text), Images: p.Images})
		case p.Role == rein.Assistant:
			out = append(out, rein.Message{Role: rein.Assistant, Text: own(p.Text)})
		default:
			out = append(out, p.Message)
		}
	}
	return out
}

// own is what the assistant wrote itself. If it made up a block, it will not find it there: it would
// take it for true. Its examples in fenced code stay, and the code ends where the text does.
func own(text string) string {
	if mark := quote.OpenFence(text); mark != "" {
		text = strings.TrimRight(text, "\n") + "\n" + mark
	}
	if len(quote.Blocks(text, quote.CallTag))+len(quote.Blocks(text, quote.ResultTag)) > 0 {
		return quote.Escape(text)
	}
	return text
}

func callBlocks(done []exchange) string {
	var blocks []string
	for _, e := range done {
		attrs := [][2]string{{"name", e.call.Name}, {"id", e.call.ID}}
		blocks = append(blocks, quote.Block(quote.CallTag, attrs, arguments(e.call)))
	}
	return strings.Join(blocks, "\n")
}

// arguments is what stands for the arguments of a call: as the model wrote them.
func arguments(call rein.ToolCall) string {
	if len(call.Args) == 0 {
		return "{}"
	}
	return string(call.Args)
}

func resultBlocks(done []exchange) string {
	var blocks []string
	for _, e := range done {
		status := "ok"
		if e.status().Failed() {
			status = "error"
		}
		attrs := [][2]string{{"name", e.call.Name}, {"id", e.call.ID}, {"status", status}}
		if e.result.FromPerson {
			attrs = append(attrs, [2]string{"from", "person"})
		}
		blocks = append(blocks, quote.Block(quote.ResultTag, attrs, e.heading()+e.result.Text))
	}
	return strings.Join(blocks, "\n")
}

// paragraphs joins what is not empty.
func paragraphs(texts ...string) string {
	var kept []string
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n\n")
}
