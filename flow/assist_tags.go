package flow

import (
	"encoding/json"
	"strings"

	"rein/internal/lenient"
)

// A tag hands a turn over. Those that come first win.
type tag string

const (
	tagResearch tag = "[NEED_RESEARCH]"
	tagCoding   tag = "[NEED_CODING]"
	tagTask     tag = "[NEED_TASK]"
)

var precedence = []tag{tagResearch, tagCoding, tagTask}

// route reads the reply of the chat call: whether it hands over, and what it says without tags. A
// tag may stand beside a JSON message or inside of it.
func route(reply string) (won tag, clean string) {
	outside, rest := tags(reply)
	inside, clean := tags(finalReply(rest))
	for _, candidate := range precedence {
		if candidate == outside || candidate == inside {
			return candidate, clean
		}
	}
	return "", clean
}

// tags takes the tags out of a text and returns the one that wins. A tag stands alone on its line;
// in fenced code and in quoted lines it is text like any other.
func tags(text string) (won tag, clean string) {
	found := map[tag]bool{}
	var kept []string
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if t := tag(strings.ToUpper(bare)); fence == "" && (t == tagResearch || t == tagCoding || t == tagTask) {
			found[t] = true
			continue
		}
		fence = fenceAfter(fence, bare)
		kept = append(kept, line)
	}
	for _, t := range precedence {
		if won == "" && found[t] {
			won = t
		}
	}
	return won, strings.TrimSpace(strings.Join(kept, ""))
}

// fenceAfter returns the fence that is open after a line, "" if there is none.
func fenceAfter(open, line string) string {
	for _, mark := range []string{"`", "~"} {
		size := len(line) - len(strings.TrimLeft(line, mark))
		switch {
		case size < 3:
		case open == "":
			return line[:size]
		case strings.HasPrefix(line, open) && size == len(line):
			return ""
		}
	}
	return open
}

// finalReply is what a reply says: models sometimes wrap it as {"message": "…"}. An object inside of
// other text is part of the text.
func finalReply(text string) string {
	text = strings.TrimSpace(text)
	found, err := lenient.First(text, "message")
	if err != nil || found.Start > 0 || found.End < len(text) {
		return text
	}
	var reply struct {
		Message *string `json:"message"`
	}
	if json.Unmarshal(found.JSON, &reply) != nil || reply.Message == nil {
		return text
	}
	return strings.TrimSpace(*reply.Message)
}
