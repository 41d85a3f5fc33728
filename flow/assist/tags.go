package assist

import (
	"rein/flow/internal/turn"
)

// route reads the reply of the chat call: whether it hands over, and what it says without tags. A
// tag may stand beside a JSON message or inside of it.
func route(reply string) (won turn.Tag, clean string) {
	outside, rest := turn.Tags(reply)
	inside, clean := turn.Tags(turn.FinalReply(rest))
	for _, candidate := range turn.Precedence {
		if candidate == outside || candidate == inside {
			return candidate, clean
		}
	}
	return "", clean
}
