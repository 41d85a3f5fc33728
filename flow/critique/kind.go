// Package critique is the flow that judges the last exchange of a session.
package critique

import (
	"rein/flow/kit"
)

// revision is the newest that Do knows.
const revision = 1

// Kind is the flow critique.
func Kind() kit.Kind {
	return kit.Kind{Name: "critique", About: "judges the last exchange", Do: Do, Revision: revision, Household: true, Texts: prompts, Questions: kit.AsksNothing}
}
