// Package summarise is the background flow that writes a summary of a session or a day when it is over.
package summarise

import (
	"rein/flow/kit"
)

// Kind is the flow summarise.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "summarise", About: "sums up a session or a day",
		Do: Do, Settings: settings, Texts: prompts, Questions: kit.AsksNothing, Background: true,
	}
}
