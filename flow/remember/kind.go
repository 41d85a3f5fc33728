// Package remember is the background flow that keeps, after another run, what is worth knowing of it.
package remember

import (
	"rein/flow/kit"
)

// Kind is the flow remember.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "remember", About: "keeps what is worth knowing of a run",
		Do: Do, Revision: revision, Settings: settings, Texts: prompts, Questions: kit.AsksNothing, Background: true,
	}
}
