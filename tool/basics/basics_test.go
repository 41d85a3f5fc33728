package basics_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/tool/basics"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call calls a tool with arguments as JSON.
func call(t *testing.T, tool rein.Tool, format string, args ...any) (rein.Done, error) {
	t.Helper()
	return tool.Do(t.Context(), rein.Invocation{Run: "r1", Args: json.RawMessage(fmt.Sprintf(format, args...))})
}

func TestGetCurrentTime(t *testing.T) {
	now, err := basics.GetCurrentTime(func() time.Time { return time.Date(2026, 7, 14, 22, 30, 15, 999, time.UTC) })
	must(t, err)
	if !now.Polling || now.Effect != rein.Pure || now.Approval {
		t.Errorf("%+v", now)
	}
	for args, want := range map[string]string{
		`{"zone":"Europe/Amsterdam"}`:                                  "2026-07-15T00:30:15+02:00, Wednesday, Europe/Amsterdam (CEST)",
		`{"zone":"Europe/Amsterdam","in_zone":"America/New_York"}`:     "2026-07-14T18:30:15-04:00, Tuesday, America/New_York (EDT)",
		`{"zone":"Europe/Amsterdam","in_zone":""}`:                     "2026-07-15T00:30:15+02:00, Wednesday, Europe/Amsterdam (CEST)",
		`{"zone":"Europe/Amsterdam","in_zone":"UTC"}`:                  "2026-07-14T22:30:15Z, Tuesday, UTC (UTC)",
		`{"zone":"","in_zone":"Asia/Kathmandu"}`:                       "2026-07-15T04:15:15+05:45, Wednesday, Asia/Kathmandu (+0545)",
		`{"zone":""}`:                                                  "2026-07-14T22:30:15Z, Tuesday, UTC (UTC) [the user's time zone is not known]",
		`{}`:                                                           "2026-07-14T22:30:15Z, Tuesday, UTC (UTC) [the user's time zone is not known]",
		`{"zone":"Europe/Amsterdam","language":"nl-NL"}`:               "2026-07-15T00:30:15+02:00, woensdag, Europe/Amsterdam (CEST)",
		`{"zone":"Mars/Base"}`:                                         `2026-07-14T22:30:15Z, Tuesday, UTC (UTC) [the user's time zone "Mars/Base" does not exist]`,
		`{"zone":"Local"}`:                                             `2026-07-14T22:30:15Z, Tuesday, UTC (UTC) [the user's time zone "Local" does not exist]`,
		`{"zone":"Mars/Base","in_zone":"Pacific/Kiritimati"}`:          "2026-07-15T12:30:15+14:00, Wednesday, Pacific/Kiritimati (+14)",
		`{"zone":"../../etc/passwd","in_zone":"America/Indiana/Knox"}`: "2026-07-14T17:30:15-05:00, Tuesday, America/Indiana/Knox (CDT)",
	} {
		done, err := call(t, now, "%s", args)
		if err != nil || done.Text != want {
			t.Errorf("%s: %q, want %q (%v)", args, done.Text, want, err)
		}
	}
	done, err := call(t, now, `{"in_zone":"Europe/Amsterdam","language":"nl"}`)
	must(t, err)
	var got basics.Now
	must(t, json.Unmarshal(done.Data, &got))
	want := basics.Now{Time: "2026-07-15T00:30:15+02:00", UTC: "2026-07-14T22:30:15Z", Unix: 1784068215, Weekday: "Wednesday", Said: "woensdag 15 juli, 00:30", Zone: "Europe/Amsterdam", Short: "CEST"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestZonesThatDoNotExist(t *testing.T) {
	now, err := basics.GetCurrentTime(time.Now)
	must(t, err)
	for typed, want := range map[string]string{
		"europe/amsterdam": `did you mean "Europe/Amsterdam"?`, "Amsterdam": `did you mean "Europe/Amsterdam"?`, "Amsterdm": `did you mean "Europe/Amsterdam"?`, "new york": `did you mean "America/New_York"?`,
		"Europe/Asmterdam": `did you mean "Europe/Amsterdam"?`, "utc": `did you mean "UTC"?`, "zzz": "use an IANA name", "Local": "is no time zone", "../../etc/passwd": "is no time zone", "/etc/localtime": "is no time zone",
		"a\\nb": `in_zone "a\nb" is no time zone`, strings.Repeat("x", 5000): "use an IANA name",
	} {
		_, err := call(t, now, `{"in_zone":"%s","zone":"UTC"}`, typed)
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.40q: %v, want %q", typed, err, want)
		}
	}
	if _, err := basics.GetCurrentTime(nil); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

// Every zone that is proposed exists.
func TestZoneNames(t *testing.T) {
	names := strings.Fields(basics.ZoneNames)
	if len(names) < 400 {
		t.Errorf("%d names", len(names))
	}
	for _, name := range names {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
	}
}

func TestAskUser(t *testing.T) {
	ask, err := basics.AskUser()
	must(t, err)
	if ask.Do != nil {
		t.Error("it has a function of its own")
	}
	got, err := ask.Ask(json.RawMessage(`{"question":" Which one? ","choices":["red"," blue "]}`))
	must(t, err)
	if diff := cmp.Diff(rein.Question{Text: "Which one?", Choices: []string{"red", "blue"}}, got); diff != "" {
		t.Error(diff)
	}
	if got, err := ask.Ask(json.RawMessage(`{"question":"Why?"}`)); err != nil || got.Text != "Why?" || got.Choices != nil {
		t.Error(got, err)
	}
	for args, want := range map[string]string{
		`{"question":""}`:        "the question is empty",
		`{"question":" \n\t"}`:   "the question is empty",
		`{}`:                     "the question is empty",
		`{"question":["a"]}`:     "must be a text",
		`{"question":"q","x":1}`: `no argument "x"`,
		`{"question":"q","choices":["1","2","3","4","5","6","7","8","9","10","11"]}`: "11 choices are too many",
		`{"question":"q","choices":["a"," "]}`:                                       "choice 2 is empty",
		`{"question":"q","choices":["a","b","a "]}`:                                  `choice 3, "a", is given twice`,
		`{"question":"q","choices":["` + strings.Repeat("x", 201) + `"]}`:            "choice 1 has 201 bytes",
	} {
		if _, err := ask.Ask(json.RawMessage(args)); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
