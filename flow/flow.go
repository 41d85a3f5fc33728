// Package flow holds the ways of working: plain functions over rein.Run, one file each. They are
// pure (internal/archtest checks it), so a run can be replayed to where it was. What a flow needs
// of the world it asks its Run for; nothing here opens, dials or remembers.
package flow

import "rein"

// All returns every flow by its name. A flow that changes so that old logs no longer replay gets a
// new name.
func All() map[string]rein.Flow {
	return map[string]rein.Flow{
		"chat":    Chat,
		"operate": Operate,
	}
}
