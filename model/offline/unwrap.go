package offline

import "strings"

const (
	untrustedOpen  = "<untrusted"
	untrustedClose = "</untrusted>"
)

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// unwrap takes the quoting off a tool result. What was not quoted is returned as it is, for then a
// "&lt;" in it was written by its author.
func unwrap(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, untrustedOpen) {
		return text
	}
	_, body, ok := strings.Cut(trimmed, ">")
	if !ok {
		return text
	}
	after := ""
	if i := strings.LastIndex(body, untrustedClose); i >= 0 {
		body, after = body[:i], body[i+len(untrustedClose):]
	}
	body = unescape.Replace(strings.TrimPrefix(body, "\n"))
	if after = strings.TrimSpace(after); after != "" {
		return strings.TrimSuffix(body, "\n") + "\n" + after
	}
	return strings.TrimSuffix(body, "\n")
}

// quotedTags open stretches of outside text inside a person's message, as a rendering writes them.
var quotedTags = []string{"untrusted", "tool_result"}

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
