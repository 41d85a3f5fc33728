package anthropic

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"rein"
)

//go:embed schema.md
var schemaText string

// compose writes a prompt for the API behind what is kept of its talk, and returns the names that tools have there.
func (m *Model) compose(ctx context.Context, r rein.ModelRequest, t *transcript, streamed bool) (nameTable, error) {
	names, err := newNames(r.Offered, t.Called)
	if err != nil {
		return nil, err
	}
	head := headOf(r.Messages)
	said, err := t.read(ctx, r, len(head))
	if err != nil {
		return nil, err
	}
	body := messagesRequest{
		Model: m.opts.Model, MaxTokens: m.outputBound(r.Prompt), System: system(head), Stream: streamed,
		Messages: said.turns, Tools: tools(r.Offered),
	}
	if len(r.Offered) == 0 && said.calls {
		// The API wants to know the tools of the calls that it reads, also if no more are wanted.
		body.Tools = stubs(t.Called)
		body.ToolChoice = &typed{"none"}
	}
	body.Thinking = m.thinking(body.MaxTokens, said.midway && !said.thought)
	if !m.opts.NoCache {
		mark(&body)
	}
	if len(r.Schema) > 0 {
		// After the marks: the next prompt does not have it, and its prefix should still be cached.
		last := &body.Messages[len(body.Messages)-1]
		last.Content = append(last.Content, textBlock(developer(fmt.Sprintf(strings.TrimSpace(schemaText), r.Schema))))
	}
	return names, t.write(body)
}

// outputBound is the most tokens of the reply; what a budget has reserved for it.
func (m *Model) outputBound(p rein.Prompt) int64 {
	if p.MaxTokens > 0 {
		return min(p.MaxTokens, m.info.MaxOutput)
	}
	return m.info.MaxOutput
}

// headOf returns the instructions before the conversation.
func headOf(messages []rein.Message) []rein.Message {
	n := slices.IndexFunc(messages, func(m rein.Message) bool { return m.Role != rein.System && m.Role != rein.Developer })
	if n < 0 {
		n = len(messages)
	}
	return messages[:n]
}

// system writes the instructions. The API has one role for system and developer; their order says
// which comes first.
func system(head []rein.Message) []content {
	var blocks []content
	for _, m := range head {
		if !isBlank(m.Text) {
			blocks = append(blocks, textBlock(m.Text))
		}
	}
	return blocks
}

// budgeted are the models that take a budget for thinking. Those that came later decide by
// themselves how much to think.
var budgeted = []string{
	"claude-3", "claude-haiku-4-5", "claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2025", "claude-opus-4-5",
	"claude-sonnet-4-0", "claude-sonnet-4-2025", "claude-sonnet-4-5", "claude-sonnet-4-6",
}

// thinking says how much the model may think. A model with a budget cannot begin to think between a
// call, made without, and its result; so it does not think then. Nor does it if there is no room.
func (m *Model) thinking(room int64, begunWithout bool) *thinking {
	if m.opts.Thinking == 0 {
		return nil
	}
	at := strings.Index(m.opts.Model, "claude-")
	if at >= 0 && !slices.ContainsFunc(budgeted, func(p string) bool { return strings.HasPrefix(m.opts.Model[at:], p) }) {
		return &thinking{Type: "adaptive"}
	}
	budget := min(m.opts.Thinking, room-1)
	if budget < minThinking || begunWithout {
		return nil
	}
	return &thinking{budget, "enabled"}
}

// markedTurns is how many of the user's turns are marked: the last, for the next prompt to find, and
// the one before, which the last prompt marked.
const markedTurns = 2

// mark tells the provider up to where prompts stay the same: the tools, the instructions, the
// conversation. It takes four marks at most.
func mark(p *messagesRequest) {
	here := &typed{"ephemeral"}
	if n := len(p.Tools); n > 0 {
		p.Tools[n-1].CacheControl = here
	}
	if n := len(p.System); n > 0 {
		p.System[n-1].CacheControl = here
	}
	marked := 0
	for i := len(p.Messages) - 1; i >= 0 && marked < markedTurns; i-- {
		turn := p.Messages[i]
		if turn.Role == roleUser {
			turn.Content[len(turn.Content)-1].CacheControl = here
			marked++
		}
	}
}
