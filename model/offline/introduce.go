package offline

import "strings"

// can lists the abilities in the order in which they are told.
var can = []role{searches, reads, lists, fetches, tells, runs}

// introduce says what the model is and what it can do here: the answer when no rule applies and no
// tool was used.
func (t *turn) introduce(parts []string) string {
	parts = append([]string{say(t.lang, "self") + " " + say(t.lang, "limits")}, parts...)
	switch {
	case t.Closing:
		parts = append(parts, say(t.lang, "nothing_yet"))
	case t.lacksFile():
		return strings.Join(append(parts, say(t.lang, "which_file")), "\n\n")
	case !t.asksWhoIAm() && t.question != "":
		parts = append(parts, say(t.lang, "cannot"))
	}
	if !t.Closing {
		parts = append(parts, t.abilities())
	}
	return strings.Join(append(parts, say(t.lang, "setup")), "\n\n")
}

// abilities says what can be done with the tools that are offered.
func (t *turn) abilities() string {
	if len(t.Offered) == 0 {
		return say(t.lang, "no_tools")
	}
	var rows []string
	for _, r := range can {
		var names []string
		for _, tool := range t.named(r) {
			names = append(names, tool.Name)
		}
		if len(names) > 0 {
			rows = append(rows, "- "+say(t.lang, "can_"+string(r), strings.Join(names, ", ")))
		}
	}
	if len(rows) == 0 {
		return say(t.lang, "can_nothing")
	}
	return say(t.lang, "can") + "\n" + strings.Join(rows, "\n")
}
