package answer

import (
	"slices"

	"rein"
)

// changesNotes is the revision since which notes can be changed: such a call is no look-up, so it takes
// none of them and does not count as a round without progress.
const changesNotes = 2

// maxChanges is how many calls of one run may change notes.
const maxChanges = 16

// changing lists the tools that stage changes of notes, show them, take them back or write them.
var changing = []string{
	"append_note", "commit_staged_changes", "discard_staged_changes", "link_notes", "render_mindmap",
	"staged_changes", "undo_commit", "upsert_frontmatter", "write_note",
}

// isChange reports whether a call is about changing notes.
func (q *inquiry) isChange(call rein.ToolCall) bool {
	return q.task.Revision >= changesNotes && slices.Contains(changing, call.Name)
}

// mayChange reports whether the run has a tool that changes notes.
func mayChange(task rein.Task) bool {
	return task.Revision >= changesNotes && slices.ContainsFunc(task.Tools, func(name string) bool { return slices.Contains(changing, name) })
}

// changed counts a call that was about changing notes. More of them than there may be end the run with an
// answer, as too many look-ups do.
func (q *inquiry) changed() {
	q.idle = 0
	if q.changes++; q.changes >= maxChanges {
		q.why = stopCalls
	}
}
