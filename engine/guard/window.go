package guard

import (
	"slices"

	"rein"
)

// windowSlack is by how much an estimate may be too high: texts of people and programs have fewer
// bytes in a token than one and a half times what our estimates take for granted.
const windowSlack = 1.5

// Fits reports whether a prompt may fit a model's window. It may unless it surely does not: what the
// provider would still take must not be refused, and what it refuses costs nothing. estimate is asked
// only if the prompt has more bytes than the window has tokens, and for what every provider counts.
func Fits(r rein.ModelRequest, window int64, estimate func(rein.ModelRequest) int64) bool {
	if window <= 0 || InputBound(r.Messages, r.Offered, r.Schema) <= window {
		return true
	}
	r.Messages, r.MaxTokens = plainly(r.Messages), 1 // a reply may be short
	return float64(estimate(r)) <= windowSlack*float64(window)
}

// plainly leaves out what has a size that only the provider knows: images, and replies in its own
// form, of which it may count next to nothing.
func plainly(messages []rein.Message) []rein.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Raw, messages[i].Images = nil, nil
	}
	return messages
}
