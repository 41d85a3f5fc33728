package offline

import (
	"encoding/json"
	"strings"

	"rein"
	"rein/internal/quote"
)

// unwrap takes the heading of a failure, the note of the runtime and the quoting off a tool result. What
// follows the quote is part of the body; a result that was not quoted is returned as it is.
func unwrap(text string, status rein.ToolStatus) (body, note string) {
	text = strings.TrimPrefix(text, "error: "+string(status)+"\n")
	found := quote.Blocks(text, quote.UntrustedTag)
	if len(found) == 0 {
		return text, ""
	}
	before := strings.TrimSpace(text[:found[0].Start])
	note, isNote := strings.CutPrefix(before, "note: ")
	if before != "" && !isNote {
		return text, ""
	}
	body = found[0].Content
	if after := strings.TrimSpace(text[found[0].End:]); after != "" {
		body += "\n" + after
	}
	return body, note
}

// becameNotes begin the note that says what a call became: a person changed it, or the engine fixed it.
var becameNotes = []string{"the user changed this call to ", "this call was read as "}

// became returns the call that was made, going by the note of its result, so that the answer cites what
// was really read. If the note does not show all arguments, none are known.
func became(c rein.ToolCall, note string) rein.ToolCall {
	first, _, _ := strings.Cut(note, "\n")
	for _, begin := range becameNotes {
		what, ok := strings.CutPrefix(first, begin)
		if !ok {
			continue
		}
		_, args, _ := strings.Cut(what, " ")
		c.Args = json.RawMessage("{}")
		if json.Valid([]byte(args)) {
			c.Args = json.RawMessage(args)
		}
	}
	return c
}

// quotedTags open stretches of outside text inside a person's message.
var quotedTags = []string{quote.UntrustedTag, quote.ResultTag}

// ownWords returns a user message without the stretches that are quoted from elsewhere, because these
// must not lead to calls. A quote that is not closed reaches to the end.
func ownWords(text string) string {
	for _, tag := range quotedTags {
		text = withoutTag(text, tag)
	}
	return text
}

func withoutTag(text, tag string) string {
	var own strings.Builder
	for {
		before, quoted, found := strings.Cut(text, "<"+tag)
		own.WriteString(before)
		if !found {
			return own.String()
		}
		_, after, closed := strings.Cut(quoted, "</"+tag+">")
		if !closed {
			return own.String()
		}
		own.WriteByte(' ')
		text = after
	}
}
