package assist

import (
	"slices"
	"strings"

	"rein"
	"rein/flow/internal/turn"
	"rein/flow/research"
)

// ways says how the chat call can hand over: only to what the tools of this run can do, and only if there are any. A model
// that hears of more would promise it.
func ways(task rein.Task) string {
	tools := turn.Usable(task)
	code := slices.ContainsFunc(tools, func(name string) bool { return research.IsCode(task, name) })
	other := slices.DeleteFunc(slices.Clone(tools), func(name string) bool { return research.IsCode(task, name) })
	var lines []string
	if nouns := turn.Families(other, true, false); len(nouns) > 0 {
		lines = append(lines, "- `"+string(turn.TagResearch)+"` if something must be looked up first. What can be looked up: "+strings.Join(nouns, "; ")+".")
	}
	if code {
		lines = append(lines, "- `"+string(turn.TagCoding)+"` if it is about source code that must be read.")
	}
	if nouns := turn.Families(other, false, true); len(nouns) > 0 {
		lines = append(lines, "- `"+string(turn.TagTask)+"` if something must be done: added, changed, removed, planned, remembered. What can be done is about: "+strings.Join(nouns, "; ")+".")
	}
	if lines == nil {
		return "There is nothing that you can hand a request over to. If the person wants something looked up, planned, remembered or done, say plainly that you cannot do that here, and promise nothing."
	}
	return "If you cannot, hand the request over: begin your reply with one of these tags, alone on its first line. What else you write beside it is not shown.\n\n" +
		strings.Join(lines, "\n") + "\n\nNothing else can be looked up or done here: if the person asks for it, say plainly that you cannot, and promise nothing."
}
