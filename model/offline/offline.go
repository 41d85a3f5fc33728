package offline

import (
	"context"
	"unicode"

	"rein"
)

// modelName is what the model is called in a configuration and in the log.
const modelName = "offline"

const (
	window      = 200_000 // tokens; nothing in the rules depends on it, but compaction wants a number
	maxOutput   = 2048    // tokens of one reply
	bytesPerTok = 4       // tokens are not counted but estimated: bytes / 4
)

// A Model answers by rules. It keeps nothing between calls: the same request gets the same reply.
type Model struct{}

var _ rein.Model = Model{}

// Info returns the model's bounds. It costs nothing.
func (Model) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: modelName, Window: window, MaxOutput: maxOutput, NoText: true}
}

// Generate answers a request. The reply is never empty: it has text or calls, and only calls of
// offered tools. Text is shown word by word, without pauses; the only error is that of the context.
// The usage is an estimate of one token per four bytes.
func (Model) Generate(ctx context.Context, r rein.ModelRequest, show func(text string)) (rein.ModelReply, error) {
	if err := ctx.Err(); err != nil {
		return rein.ModelReply{}, err
	}
	msg := compose(r)
	if err := tell(ctx, msg.Text, show); err != nil {
		return rein.ModelReply{}, err
	}
	return rein.ModelReply{Message: msg, Usage: usage(r, msg), Model: modelName}, nil
}

// compose decides what kind of reply the request wants.
func compose(r rein.ModelRequest) rein.Message {
	t := newTurn(r)
	limit := byteLimit(r.MaxTokens)
	switch {
	case len(r.Schema) > 0:
		return prose(fillSchema(t, limit), limit)
	case r.Phase == "compact" || r.Phase == "summary":
		return prose(summarise(t), limit)
	}
	if r.Phase == "write" {
		if text := reported(t); text != "" {
			return prose(text, limit)
		}
	}
	if tag := t.handOver(); tag != "" && len(r.Offered) == 0 {
		return prose(tag, limit)
	}
	wanted := formatWanted(r.Messages)
	if calls := plan(t); len(calls) > 0 && size(calls) <= limit && (wanted == nil || !wanted.hasCalls) {
		return rein.Message{Role: rein.Assistant, Calls: calls}
	}
	if wanted != nil {
		return prose(wanted.write(t, limit), limit)
	}
	return prose(answer(t), limit)
}

func prose(text string, limit int) rein.Message {
	return rein.Message{Role: rein.Assistant, Text: clip(clean(text), limit)}
}

// byteLimit returns how long a reply of so many tokens may be.
func byteLimit(maxTokens int64) int {
	if maxTokens <= 0 || maxTokens > maxOutput {
		maxTokens = maxOutput
	}
	return int(maxTokens) * bytesPerTok
}

func size(calls []rein.ToolCall) int {
	n := 0
	for _, c := range calls {
		n += len(c.Name) + len(c.Args)
	}
	return n
}

func usage(r rein.ModelRequest, reply rein.Message) *rein.Usage {
	in := len(r.Schema)
	for _, m := range r.Messages {
		in += len(m.Text) + size(m.Calls)
	}
	for _, t := range r.Offered {
		in += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	return &rein.Usage{Input: tokens(in), Output: tokens(len(reply.Text) + size(reply.Calls))}
}

func tokens(n int) int64 { return int64((n + bytesPerTok - 1) / bytesPerTok) }

// tell shows the text word by word until the context ends.
func tell(ctx context.Context, text string, show func(string)) error {
	if show == nil {
		return ctx.Err()
	}
	for text != "" {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := wordEnd(text)
		show(text[:end])
		text = text[end:]
	}
	return ctx.Err()
}

// wordEnd returns the length of the first word with the space around it.
func wordEnd(text string) int {
	inWord, ended := false, false
	for i, c := range text {
		switch space := unicode.IsSpace(c); {
		case ended && !space:
			return i
		case space:
			ended = inWord
		default:
			inWord = true
		}
	}
	return len(text)
}
