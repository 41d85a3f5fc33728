// Package chat is the flow of one plain model call.
package chat

import (
	"rein/flow/kit"
)

// Kind is the flow chat.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "chat", About: "one plain model call",
		Do: Do, Revision: 1, Tools: kit.SessionTools(), Questions: kit.AsksNothing,
	}
}
