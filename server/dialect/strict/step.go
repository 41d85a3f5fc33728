package strict

import (
	"crypto/sha256"
	"hash"

	"rein"
	"rein/journal"
)

// A step is one under way.
type step struct {
	phase  string
	round  int
	call   *rein.ToolCall
	server string // whose tool is called
	shown  bool   // its text is for people while it is written
	prose  bool   // but only if it is prose

	// What of its text was sent in pieces.
	attempt, bytes int
	sent           hash.Hash
}

// thought is what a phase came to, if it is one that people are shown.
func (s *step) thought(text string) []Message {
	switch s.phase {
	case "reason", "plan":
		return []Message{update(agentReason, s.round).saying(text)}
	case "observe", "reflect":
		return []Message{update(agentObserve, s.round).saying(text)}
	}
	return nil
}

// text is what people are shown of the step's text, now that it is whole. What is not prose after all is not
// for them.
func (s *step) text(end rein.StepEnd) string {
	switch {
	case end.Message == nil:
		return end.Partial
	case s.prose:
		text, _ := journal.Prose(*end.Message)
		return text
	}
	return end.Message.Text
}

// Delta returns the message of a piece of text, if it is for people. It has no place in the log.
func (t *Translator) Delta(d rein.Delta) (out []Message) {
	s := t.steps[d.Step]
	if s == nil || !s.shown || d.Text == "" || d.Output {
		return nil
	}
	if d.Offset == 0 || s.sent == nil {
		if s.bytes > 0 { // the model was called again
			out = append(out, endOfText())
		}
		s.attempt, s.bytes, s.sent = d.Attempt, 0, sha256.New()
	}
	if d.Attempt != s.attempt || d.Offset != s.bytes {
		return out // a gap: the whole text comes when the step is done
	}
	first := s.bytes == 0
	s.bytes += len(d.Text)
	s.sent.Write([]byte(d.Text))
	return append(out, token(d.Text, first, false))
}

// rest ends a text that was shown: with what is left of it, or with the whole if none of it was sent or
// what was sent is not how it begins. An empty text leaves nothing to be said, but one that was begun is
// ended. Only the last of the messages has a place in the log: who has seen it has seen the text.
func (s *step) rest(text string) []Message {
	switch {
	case s.bytes == 0 && text == "":
		return nil
	case s.bytes == 0:
		return []Message{response(text)}
	case text == "":
		return []Message{endOfText()}
	case s.bytes > len(text) || string(s.sent.Sum(nil)) != sum(text[:s.bytes]):
		end := endOfText()
		end.loose = true
		return []Message{end, response(text)}
	case s.bytes == len(text):
		return []Message{endOfText()}
	}
	left := token(text[s.bytes:], false, false)
	left.loose = true
	return []Message{left, endOfText()}
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return string(s[:])
}
