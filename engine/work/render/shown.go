package render

import (
	"strings"

	"rein"
	"rein/internal/quote"
)

// Shown returns a function that people are shown a reply through, as it is written. Where calls are
// blocks in the text it ends where the first of them begins: the call is shown as a call. The pieces
// it passes on are a beginning of the reply.
func Shown(r rein.Rendering, info rein.ModelInfo, show func(text string)) func(text string) {
	if ShowsAll(r, info) {
		return show
	}
	held, over := "", false
	return func(text string) {
		if over {
			return
		}
		held += text
		at, begun := blockIn(held)
		over = begun
		if at > 0 {
			show(held[:at])
			held = held[at:]
		}
	}
}

// ShowsAll reports whether Shown passes on everything.
func ShowsAll(r rein.Rendering, info rein.ModelInfo) bool { return !writesCalls(Which(r, info), info) }

// blockIn returns where a block begins in the text, or may begin at its end.
func blockIn(text string) (at int, begun bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		for _, tag := range []string{"<" + quote.CallTag, "<" + quote.ResultTag} {
			rest := strings.ToLower(text[i:min(len(text), i+len(tag))])
			if strings.HasPrefix(tag, rest) {
				return i, rest == tag
			}
		}
	}
	return len(text), false
}
