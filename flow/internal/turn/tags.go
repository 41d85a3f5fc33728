package turn

import (
	"encoding/json"
	"strings"

	"rein/internal/lenient"
	"rein/internal/prose"
)

// A Tag hands a turn over. Those that come first win.
type Tag string

const (
	TagResearch Tag = "[NEED_RESEARCH]"
	TagCoding   Tag = "[NEED_CODING]"
	TagTask     Tag = "[NEED_TASK]"
)

var Precedence = []Tag{TagResearch, TagCoding, TagTask}

// Tags takes the tags out of a text and returns the one that wins. A tag stands alone on its line;
// in fenced code and in quoted lines it is text like any other.
func Tags(text string) (won Tag, clean string) {
	found := map[Tag]bool{}
	var kept []string
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if t := Tag(strings.ToUpper(bare)); fence == "" && (t == TagResearch || t == TagCoding || t == TagTask) {
			found[t] = true
			continue
		}
		fence = prose.FenceAfter(fence, bare)
		kept = append(kept, line)
	}
	for _, t := range Precedence {
		if won == "" && found[t] {
			won = t
		}
	}
	return won, strings.TrimSpace(strings.Join(kept, ""))
}

// FinalReply is what a reply says: models sometimes wrap it as {"message": "…"}. An object inside of
// other text is part of the text.
func FinalReply(text string) string {
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
