package assist

import (
	"strings"
	"testing"

	"rein"
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

// The chat call hears of what its tools are for, in words, and of nothing else: without tools for it, it does not promise
// a reminder.
//
// Covers: NEU-20 NEU-61/agenda
func TestWays(t *testing.T) {
	for _, c := range []struct {
		name     string
		task     rein.Task
		has, not []string
	}{
		{"nothing", rein.Task{}, []string{"nothing that you can hand a request over to"}, []string{"[NEED_", "reminder"}},
		{"the web", rein.Task{Tools: []string{"web.search", "web.fetch_url"}}, []string{"[NEED_RESEARCH]", "looked up: the web."}, []string{"[NEED_TASK]", "[NEED_CODING]", "reminder", "web.search"}},
		{"reminders", rein.Task{Tools: []string{"cron.add", "cron.list"}}, []string{"[NEED_TASK]", "is about: reminders and other things at set times."}, []string{"[NEED_CODING]", "cron", "agenda"}},
		{"denied", rein.Task{Tools: []string{"cron.add"}, Policy: rein.Policy{Deny: []string{"cron.add"}}}, []string{"nothing that you can hand"}, []string{"reminders"}},
		{"code", rein.Task{Tools: []string{"codebase.search", "look"}, CodeTools: []string{"look"}}, []string{"[NEED_CODING]"}, []string{"[NEED_TASK]", "[NEED_RESEARCH]", "codebase"}},
		{"another program's", rein.Task{Tools: []string{"turn_on.lights"}}, []string{"is about: turn on lights."}, []string{"turn_on"}},
	} {
		got := ways(c.task)
		for _, has := range c.has {
			if !strings.Contains(got, has) {
				t.Errorf("%s: %q is not in %q", c.name, has, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in %q", c.name, not, got)
			}
		}
	}
	if got := turn.FamilyList([]string{"agenda.add_event", "agenda.list_events", "web.search"}); got != "- the agenda\n- the web" {
		t.Errorf("got %q", got)
	}
	if got := turn.FamilyList(nil); got != "(nothing)" {
		t.Errorf("got %q", got)
	}
}
