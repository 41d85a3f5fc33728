package guard

import "rein"

// Fit returns a prompt whose upper bound is at most maxTokens of input: system and developer
// messages and the newest of the others, with the largest texts clipped if that is not enough. A
// call and its results go together.
func Fit(messages []rein.Message, maxTokens int64) []rein.Message {
	head, groups := split(messages)
	size := InputBound(head, nil, nil)
	var kept [][]rein.Message
	for i := len(groups) - 1; i >= 0; i-- {
		n := InputBound(groups[i], nil, nil)
		if size+n > maxTokens && len(kept) > 0 {
			break
		}
		kept = append(kept, groups[i])
		size += n
		if size > maxTokens {
			break
		}
	}
	fitted := append([]rein.Message(nil), head...)
	for i := len(kept) - 1; i >= 0; i-- {
		fitted = append(fitted, kept[i]...)
	}
	return clipTo(fitted, maxTokens)
}

// split parts the standing instructions from the conversation, and the conversation into groups
// that must not be separated: a message with calls and the results after it.
func split(messages []rein.Message) (head []rein.Message, groups [][]rein.Message) {
	for _, m := range messages {
		switch {
		case instruction(m):
			head = append(head, m)
		case m.Role == rein.ToolRole && len(groups) > 0:
			groups[len(groups)-1] = append(groups[len(groups)-1], m)
		default:
			groups = append(groups, []rein.Message{m})
		}
	}
	return head, groups
}

// clipTo shortens the longest text until the whole fits. It gives up when there is no text left:
// then the framing alone is too large, and the caller's reservation will say so.
func clipTo(messages []rein.Message, maxTokens int64) []rein.Message {
	for over := InputBound(messages, nil, nil) - maxTokens; over > 0; over = InputBound(messages, nil, nil) - maxTokens {
		longest := 0
		for i, m := range messages {
			if len(m.Text) > len(messages[longest].Text) {
				longest = i
			}
		}
		text := messages[longest].Text
		if text == "" {
			break
		}
		messages[longest].Text = Clip(text, max(len(text)-int(over), 0))
	}
	return messages
}
