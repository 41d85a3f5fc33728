// Package research is two flows that look things up: they plan, act and reflect, then write. Code may use
// the tools that look into code, research may not.
package research

import (
	"rein"
	"rein/flow/kit"
)

// Revision is the newest that Continue knows. A flow that calls it has the same.
const Revision = 3

// Kind is the flow research.
func Kind() kit.Kind { return kindOf("research", "plans, acts and reflects, then writes", Research) }

// CodeKind is the flow code. It has the settings of research.
func CodeKind() kit.Kind {
	k := kindOf("code", "plans, acts and reflects on code, then writes", Code)
	k.Section = "research"
	return k
}

func kindOf(name, about string, do rein.FlowFunc) kit.Kind {
	set := settings(name)
	return kit.Kind{
		Name: name, About: about, Do: do, Revision: Revision, Settings: set, Texts: prompts, Household: true,
		Tools: kit.SessionTools(),
		Questions: func(task rein.Task) []rein.Blocker {
			return []rein.Blocker{kit.Asks("ask", "the flow "+name+" may ask in the middle of its work", kit.Seconds(set.ReadOr(task).AnswerTimeout))}
		},
	}
}
