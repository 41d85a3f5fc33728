package openai

import (
	_ "embed"
	"strings"

	"rein"
)

//go:embed later.md
var laterText string

// suited returns messages with the roles and parts that the server knows. read says how many came before them. Nothing
// is lost, and a longer transcript begins as the shorter one did.
func (m *Model) suited(messages []rein.Message, read int) []rein.Message {
	q := m.opt.Quirks
	if !q.NoDeveloper && !q.OneSystem && !q.NoImages {
		return messages
	}
	var out []rein.Message
	if q.OneSystem && read == 0 {
		out, messages = joined(messages)
	}
	for _, msg := range messages {
		switch {
		case q.OneSystem && isInstruction(msg):
			msg.Role, msg.Text = rein.User, strings.ReplaceAll(strings.TrimSpace(laterText), "{text}", msg.Text)
		case q.NoDeveloper && msg.Role == rein.Developer:
			msg.Role = rein.System
		case q.NoImages && len(msg.Images) > 0:
			msg = msg.Described()
		}
		out = append(out, msg)
	}
	return out
}

func isSaid(m rein.Message) bool { return !isInstruction(m) }

func isInstruction(m rein.Message) bool { return m.Role == rein.System || m.Role == rein.Developer }

// joined makes one system message of those that come first.
func joined(messages []rein.Message) (first, rest []rein.Message) {
	var texts []string
	for len(messages) > 0 && isInstruction(messages[0]) {
		texts = append(texts, strings.TrimRight(messages[0].Text, "\n"))
		messages = messages[1:]
	}
	if len(texts) > 0 {
		first = []rein.Message{{Role: rein.System, Text: strings.Join(texts, "\n\n")}}
	}
	return first, messages
}
