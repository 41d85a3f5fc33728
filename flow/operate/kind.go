// Package operate is the tool loop for someone who works on a machine: it speaks and calls tools until it
// is done.
package operate

import (
	"rein/flow/kit"
)

// Kind is the flow operate.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "operate", About: "speaks and calls tools until it is done; each call approved where it must be",
		Do: Do, Settings: settings, Texts: prompts, Tools: kit.SessionTools(), Questions: kit.AsksNothing,
	}
}
