package guard

import (
	"slices"

	"rein"
)

// windowSlack is by how much an estimate may be too high: texts of people and programs have fewer
// bytes in a token than one and a half times what our estimates take for granted.
const windowSlack = 1.5

// Fits reports whether a prompt, whose InputBound is in, may fit a model's window. It may unless it surely does not:
// what the provider would still take must not be refused, and what it refuses costs nothing. estimate is asked
// only if the prompt has more bytes than the window has tokens, and for what every provider counts: see Plainly.
func Fits(in, window int64, estimate func() int64) bool {
	return window <= 0 || in <= window || float64(estimate()) <= windowSlack*float64(window)
}

// Plainly leaves out what has a size that only the provider knows: images, and replies in its own
// form, of which it may count next to nothing.
func Plainly(messages []rein.Message) []rein.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Raw, messages[i].Images = nil, nil
	}
	return messages
}
