package ics_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/agenda"
	"rein/household/agenda/ics"
)

var update = flag.Bool("update", false, "write testdata/read.txt")

const home = "Europe/Amsterdam"

func read(t testing.TB, data []byte) ics.File {
	t.Helper()
	f, err := ics.Read(t.Context(), data, home)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// told writes what was read of a file: each event with its first times on a clock in Amsterdam.
func told(t testing.TB, f ics.File) string {
	t.Helper()
	var b strings.Builder
	zone := agenda.ZoneOf(home)
	for _, e := range f.Events {
		fmt.Fprintf(&b, "  %s", e.Title)
		for _, part := range []struct {
			is   bool
			text string
		}{{e.Place != "", "@ " + e.Place}, {e.AllDay, "all day"}, {e.Free, "free"}, {e.Zone != home, e.Zone}, {e.Rule != "", e.Rule}, {len(e.Alarms) > 0, fmt.Sprint("alarms ", e.Alarms)}, {e.Notes != "", fmt.Sprintf("%q", e.Notes)}} {
			if part.is {
				b.WriteString(" | " + part.text)
			}
		}
		b.WriteString("\n")
		for _, line := range times(t, e, zone) {
			b.WriteString("    " + line + "\n")
		}
	}
	for _, s := range f.Skipped {
		fmt.Fprintf(&b, "  skipped %s: %s\n", s.Title, s.Why)
	}
	for _, r := range f.Remarks {
		fmt.Fprintf(&b, "  remark: %s\n", r)
	}
	return b.String()
}

// times are the first occurrences of an event, and the last one if it ends.
func times(t testing.TB, e agenda.Event, zone *time.Location) (lines []string) {
	t.Helper()
	all, err := e.Occurrences(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 12, 31, 0, 0, 0, 0, time.UTC), zone, agenda.MaxOccurrences)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range all {
		if i < 5 || i == len(all)-1 {
			line := o.Start.In(zone).Format("Mon 2006-01-02 15:04") + " – " + o.End.In(zone).Format("2006-01-02 15:04")
			if o.Change {
				line += " changed: " + o.Event.Title
			}
			lines = append(lines, line)
		}
	}
	return append(lines, fmt.Sprint(len(all), " in all"))
}

func fixtures(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.ics")
	if err != nil || len(names) != 30 {
		t.Fatalf("there are %d fixtures: %v", len(names), err)
	}
	return names
}

func content(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Thirty files in the shapes of Google, Outlook and Apple are read as testdata/read.txt says.
//
// Covers: NEU-56
func TestRead(t *testing.T) {
	var b strings.Builder
	for _, name := range fixtures(t) {
		fmt.Fprintf(&b, "%s\n%s", filepath.Base(name), told(t, read(t, content(t, name))))
	}
	if *update {
		if err := os.WriteFile("testdata/read.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(content(t, "testdata/read.txt")), b.String()); diff != "" {
		t.Errorf("run with -update if that is right:\n%s", diff)
	}
}

// What was read is written and read again: it is the same, and so are the times of it.
//
// Covers: NEU-56
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, name := range fixtures(t) {
		first := read(t, content(t, name))
		data, err := ics.Write(first.Events, "Agenda of Ann")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, line := range bytes.Split(data, []byte("\r\n")) {
			if len(line) > 75 {
				t.Errorf("%s: line %d has %d bytes", name, i+1, len(line))
			}
		}
		again := read(t, data)
		if diff := cmp.Diff(normal(first.Events), normal(again.Events)); diff != "" || len(again.Skipped) > 0 {
			t.Errorf("%s: %s %v", name, diff, again.Skipped)
		}
		first.Skipped, first.Remarks = nil, nil
		if diff := cmp.Diff(told(t, first), told(t, again)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// normal are events without what a file does not keep, in one order.
func normal(events []agenda.Event) (all []string) {
	for _, e := range events {
		e.Rule = e.WholeRule()
		if e.AllDay {
			e.Zone = home
		}
		all = append(all, e.UID+" "+e.Version())
	}
	slices.Sort(all)
	return all
}

// Times that no zone explains are of the user's clock; zones are found by what Windows, Outlook and old programs call them.
func TestZones(t *testing.T) {
	t.Parallel()
	for tzid, want := range map[string]string{
		"": home, "Europe/London": "Europe/London", "/mozilla.org/20050126_1/Europe/London": "Europe/London", "/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
		"Tokyo Standard Time": "Asia/Tokyo", "GMT": "GMT", "Etc/UTC": "Etc/UTC", "Europe/Atlantis": "", "Local": "", "../../etc/passwd": "", "x": "",
	} {
		param := ""
		if tzid != "" {
			param = `;TZID="` + tzid + `"`
		}
		f := read(t, []byte(file("DTSTART"+param+":20261124T090000")))
		switch {
		case want == "" && (len(f.Events) != 0 || len(f.Skipped) != 1 || !strings.Contains(f.Skipped[0].Why, "there is no time zone")):
			t.Errorf("%q: %+v", tzid, f)
		case want != "" && (len(f.Events) != 1 || f.Events[0].Zone != want):
			t.Errorf("%q: %+v", tzid, f)
		}
	}
}

// file is a file with one event of these lines.
func file(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + event(lines...) + "END:VCALENDAR\r\n"
}

func event(lines ...string) string {
	return "BEGIN:VEVENT\r\nUID:u1\r\nSUMMARY:Party\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\n"
}

// What is wrong with an event is said of that event; what is wrong with a file, of the file.
//
// Covers: NEU-56
func TestBadFiles(t *testing.T) {
	t.Parallel()
	const good = "DTSTART:20261124T090000Z"
	for name, c := range map[string]struct{ data, why string }{
		"no start":         {file("DTEND:20261124T090000Z"), "it has no start"},
		"bad day":          {file("DTSTART;VALUE=DATE:20261332"), "is not a day"},
		"bad time":         {file("DTSTART:noon"), "is not a time"},
		"ends before":      {file(good, "DTEND:20261123T090000Z"), "before its start"},
		"bad duration":     {file(good, "DURATION:-PT5M"), "write it like PT1H30M"},
		"endless duration": {file(good, "DURATION:P99999999D"), "write it like PT1H30M"},
		"year 0":           {file("DTSTART:00010101T000000Z"), "is not in the years"},
		"hourly":           {file(good, "RRULE:FREQ=HOURLY"), "more than once a day"},
		"two rules":        {file(good, "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"), "it has 2 rules"},
		"bad rule":         {file(good, "RRULE:FREQ=MONTHLY;BYDAY=+53MO"), "does not go with it"},
		"exrule":           {file(good, "EXRULE:FREQ=DAILY"), "EXRULE"},
		"bad exception":    {file(good, "RRULE:FREQ=DAILY", "EXDATE:never"), "EXDATE"},
		"cancelled":        {file(good, "STATUS:CANCELLED"), "it is cancelled"},
		"and all later":    {file(good, "RECURRENCE-ID;RANGE=THISANDFUTURE:20261124T090000Z"), "all later ones"},
		"no colon":         {file(good, "SUMMARY"), "it cannot be read"},
		"open quote":       {file(good, `X-A;B="c`), "it cannot be read"},
		"no value":         {file(good, "X-A;B=c"), "it cannot be read"},
		"no end":           {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\n", "END:VEVENT is missing"},
		"wrong end":        {file(good, "BEGIN:VALARM", "END:VTODO"), "it cannot be read"},
		"too deep":         {file(good, strings.Repeat("BEGIN:X\r\n", 20)+strings.Repeat("END:X\r\n", 20)), "nested too deep"},
		"too many dates":   {file(good, "RDATE:"+strings.Repeat("20270101T000000Z,", 3000)+"20270101T000000Z", "RDATE:"+strings.Repeat("20270101T000000Z,", 3000)+"20270101T000000Z"), "more than 5000 dates"},
	} {
		f := read(t, []byte(c.data))
		if len(f.Events) != 0 || len(f.Skipped) == 0 || !strings.Contains(f.Skipped[0].Why, c.why) {
			t.Errorf("%s: %+v, want %q", name, f, c.why)
		}
	}
	for name, c := range map[string]struct {
		data string
		code rein.Code
		why  string
	}{
		"empty":     {"", rein.CodeInvalid, "the file is empty"},
		"not one":   {"<html>", rein.CodeInvalid, "not an iCalendar file"},
		"too large": {"BEGIN:VCALENDAR\n" + strings.Repeat("X:y\n", ics.MaxFile/4), rein.CodeLimit, "at most"},
		"too many":  {"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", ics.MaxEvents+1), rein.CodeLimit, "more than 10000 events"},
	} {
		if _, err := ics.Read(t.Context(), []byte(c.data), home); rein.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := read(t, []byte(strings.Replace(file(good), "BEGIN:VEVENT", "BEGIN:VEVENT\nSUMMARY:cut off\n"+event(good)+"BEGIN:VEVENT", 1)))
	if len(f.Events) != 1 || len(f.Skipped) != 2 {
		t.Errorf("an event that does not end hides others: %+v", f)
	}
}

// No file takes long, however it was made.
//
// Plain: it is about amounts.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	const good = "DTSTART:20261124T090000Z"
	big := strings.Repeat("x", 5<<20)
	for name, data := range map[string]string{
		"one long line":        file(good, "DESCRIPTION:"+big),
		"many folds":           file(good, "DESCRIPTION:"+strings.Repeat("x\r\n ", 1<<20)),
		"long parameters":      file(good, "X-A;B="+big+":c"),
		"many long parameters": file(good, strings.Repeat("X-A;B="+strings.Repeat("y", 60_000)+":c\r\n", 150)),
		"deep":                 "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:X\n", 1<<20),
		"deep in an event":     file(good, strings.Repeat("BEGIN:X\n", 1<<20)),
		"many zones":           "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE\n", 1<<17),
		"rules without days":   "BEGIN:VCALENDAR\n" + strings.Repeat(event(good, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"), 20) + "END:VCALENDAR\n",
		"the same UID":         "BEGIN:VCALENDAR\n" + strings.Repeat(event(good), ics.MaxEvents) + "END:VCALENDAR\n",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		began := time.Now()
		_, err := ics.Read(ctx, []byte(data), home)
		cancel()
		if took := time.Since(began); took > 5*time.Second || rein.CodeOf(err) == rein.CodeTimeout {
			t.Errorf("%s takes %s: %v", name, took, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range fixtures(f) {
		f.Add(content(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ics.Read(t.Context(), data, home)
		if err != nil {
			return
		}
		written, err := ics.Write(file.Events, "x")
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if again := read(t, written); len(again.Events) != len(file.Events) {
			t.Errorf("%d events were read, and %d of them again: %+v", len(file.Events), len(again.Events), again.Skipped)
		}
	})
}
