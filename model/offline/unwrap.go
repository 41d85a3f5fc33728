package offline

import (
	"strings"

	"rein"
	"rein/internal/quote"
)

// unwrap takes the heading of a failure and the quoting off a tool result, with what follows the
// quote. What was not quoted is returned as it is.
func unwrap(text string, status rein.ToolStatus) string {
	text = strings.TrimPrefix(text, "error: "+string(status)+"\n")
	found := quote.Blocks(text, quote.UntrustedTag)
	if len(found) == 0 || strings.TrimSpace(text[:found[0].Start]) != "" {
		return text
	}
	body := found[0].Content
	if after := strings.TrimSpace(text[found[0].End:]); after != "" {
		body += "\n" + after
	}
	return body
}

// quotedTags open stretches of outside text inside a person's message, as a rendering writes them.
var quotedTags = []string{quote.UntrustedTag, quote.ResultTag}

// ownWords returns a user message without the stretches that are quoted from elsewhere: they must
// not plan calls. A quote that is not closed reaches to the end.
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
