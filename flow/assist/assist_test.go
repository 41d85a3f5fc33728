package assist

import (
	"testing"

	"rein/flow/internal/turn"
)

// Covers: NEU-21 NEU-61 TAB-B4
func TestTags(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		won         turn.Tag
		clean       string
	}{
		{"none", "Hallo.", "", "Hallo."},
		{"alone on a line", "Even kijken.\n[NEED_RESEARCH]\nTot zo.", turn.TagResearch, "Even kijken.\nTot zo."},
		{"with blanks and CRLF around", "Goed.\r\n  [NEED_CODING]\t\r\n", turn.TagCoding, "Goed."},
		{"in small letters", "[need_task]", turn.TagTask, ""},
		{"with empty rest", "[NEED_TASK]", turn.TagTask, ""},
		{"in a sentence", "Schrijf [NEED_TASK] op een regel.", "", "Schrijf [NEED_TASK] op een regel."},
		{"in a code fence", "```\n[NEED_TASK]\n```", "", "```\n[NEED_TASK]\n```"},
		{"in a fence with tildes", "~~~text\n[NEED_TASK]\n```\n[NEED_CODING]\n~~~", "", "~~~text\n[NEED_TASK]\n```\n[NEED_CODING]\n~~~"},
		{"in a longer fence", "````\n```\n[NEED_TASK]\n```\n````", "", "````\n```\n[NEED_TASK]\n```\n````"},
		{"in a fence that is not closed", "```\n[NEED_TASK]", "", "```\n[NEED_TASK]"},
		{"after a fence", "```\nx\n```\n[NEED_TASK]", turn.TagTask, "```\nx\n```"},
		{"in a quoted line", "> [NEED_TASK]", "", "> [NEED_TASK]"},
		{"in inline code", "`[NEED_TASK]`", "", "`[NEED_TASK]`"},
		{"in quotation marks", "\"[NEED_TASK]\"", "", "\"[NEED_TASK]\""},
		{"research before coding", "[NEED_CODING]\n[NEED_RESEARCH]", turn.TagResearch, ""},
		{"coding before task", "[NEED_TASK]\nx\n[NEED_CODING]", turn.TagCoding, "x"},
		{"research before task", "[NEED_TASK]\n[NEED_RESEARCH]", turn.TagResearch, ""},
		{"one in a fence, one not", "```\n[NEED_RESEARCH]\n```\n[NEED_TASK]", turn.TagTask, "```\n[NEED_RESEARCH]\n```"},
		{"in a JSON message", `{"message": "Ik zoek.\n[NEED_RESEARCH]"}`, turn.TagResearch, "Ik zoek."},
		{"beside a JSON message", "{\"message\": \"Ik zoek.\"}\n[NEED_TASK]", turn.TagTask, "Ik zoek."},
		{"beside and inside", "{\"message\": \"[NEED_RESEARCH]\"}\n[NEED_TASK]", turn.TagResearch, ""},
		{"an unknown tag", "[NEED_PIZZA]", "", "[NEED_PIZZA]"},
	} {
		if won, clean := route(c.reply); won != c.won || clean != c.clean {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, won, clean, c.won, c.clean)
		}
	}
}

func TestToolList(t *testing.T) {
	if got := toolList([]string{"a", "b"}); got != "- a\n- b" {
		t.Errorf("got %q", got)
	}
	if got := toolList(nil); got != "(none)" {
		t.Errorf("got %q", got)
	}
}
