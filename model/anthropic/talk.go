package anthropic

import (
	_ "embed"
	"regexp"
	"strings"

	"rein"
	"rein/internal/quote"
)

//go:embed go_on.md
var goOn string

// talk writes a conversation: turns of user and assistant that alternate, the user's first and last.
// The results of a turn's calls are at the beginning of the user's turn after it, in the order of
// the calls, each once.
type talk struct {
	turns []turn

	open    []openCall // calls of the last turn, which need a result
	calls   bool       // there are calls at all
	midway  bool       // the last turn of the user has results
	thought bool       // the assistant's last turn begins with thinking
}

// An openCall is a call and its result, if there is one.
type openCall struct {
	id     string // in the transcript
	wire   string // in the request
	result *rein.Message
}

// read adds messages. The results of a reply are looked for among those that come with it.
func (t *talk) read(messages []rein.Message) error {
	for i := 0; i < len(messages); i++ {
		if messages[i].Role != rein.Assistant {
			if err := t.hear(messages[i]); err != nil {
				return err
			}
			continue
		}
		t.answer(messages[i])
		end := i + 1
		for end < len(messages) && messages[end].Role != rein.Assistant {
			end++
		}
		if err := t.settle(messages[i+1 : end]); err != nil {
			return err
		}
	}
	return nil
}

// end makes the last turn the user's.
func (t *talk) end() {
	if n := len(t.turns); n == 0 || t.turns[n-1].Role != roleUser {
		t.add(roleUser, textBlock(strings.TrimSpace(goOn)))
	}
}

// hear writes a message that is not the assistant's.
func (t *talk) hear(m rein.Message) error {
	if m.Role == rein.ToolRole && t.settled(m) {
		return nil
	}
	for _, image := range m.Images {
		block, err := imageBlock(image)
		if err != nil {
			return err
		}
		t.add(roleUser, block)
	}
	if isBlank(m.Text) {
		return nil
	}
	text := harmless(m.Text)
	if m.Role == rein.System || m.Role == rein.Developer {
		text = developer(m.Text)
	}
	t.add(roleUser, textBlock(text))
	return nil
}

// settled reports whether the message is the result of a call that has it already.
func (t *talk) settled(m rein.Message) bool {
	for i, c := range t.open {
		if c.result != nil && c.id == m.CallID {
			t.open[i].result = nil // a second one of this name is a text like any other
			return true
		}
	}
	return false
}

// answer writes a turn of the assistant.
func (t *talk) answer(m rein.Message) {
	blocks, open, thought := assistant(m)
	t.open = open
	if len(blocks) == 0 {
		return
	}
	if len(t.turns) == 0 {
		t.add(roleUser, textBlock(strings.TrimSpace(goOn)))
	}
	if t.turns[len(t.turns)-1].Role == roleUser {
		t.thought = thought
	}
	t.add(roleAssistant, blocks...)
	t.calls = t.calls || len(open) > 0
	t.midway = len(open) > 0
}

// settle writes the results of the calls of the last turn, which are among the messages up to the
// next. The API wants them before all else and one for each; a call without one is said to have none.
func (t *talk) settle(messages []rein.Message) error {
	for i := range messages {
		if messages[i].Role != rein.ToolRole {
			continue
		}
		for j := range t.open {
			if t.open[j].result == nil && t.open[j].id == messages[i].CallID {
				t.open[j].result = &messages[i]
				break
			}
		}
	}
	for _, c := range t.open {
		block, err := resultBlock(c)
		if err != nil {
			return err
		}
		t.add(roleUser, block)
	}
	return nil
}

// resultBlock writes a result: its text, then its images. The API takes no images in one that is an error.
func resultBlock(c openCall) (content, error) {
	r := content{ToolUseID: c.wire, Type: "tool_result"}
	result := rein.Message{Text: "No result is known.", Status: rein.ToolUnknown}
	if c.result != nil {
		result = *c.result
	}
	if r.IsError = result.Status != "" && result.Status.Failed(); r.IsError {
		result = result.Described()
	}
	if !isBlank(result.Text) {
		r.Content = []content{textBlock(harmless(result.Text))}
	}
	for _, image := range result.Images {
		block, err := imageBlock(image)
		if err != nil {
			return r, err
		}
		r.Content = append(r.Content, block)
	}
	return r, nil
}

// add puts blocks at the end of the conversation, in the present turn if it is of the same role.
func (t *talk) add(role string, blocks ...content) {
	if n := len(t.turns); n > 0 && t.turns[n-1].Role == role {
		t.turns[n-1].Content = append(t.turns[n-1].Content, blocks...)
		return
	}
	t.turns = append(t.turns, turn{Role: role, Content: blocks})
}

// developerTag marks what the developer says in the middle of a conversation. There the API knows
// user and assistant only, and moving it to the instructions would change its place and every cached
// prefix; so it stays where it is, in the user's turn, in a block that nobody else can write.
const developerTag = "developer_message"

func developer(text string) string { return quote.Block(developerTag, nil, text) }

var forged = regexp.MustCompile(`(?i)<(\s*/?\s*` + developerTag + `)`)

// harmless returns somebody else's text without the developer's mark.
func harmless(text string) string { return forged.ReplaceAllString(text, "&lt;$1") }
