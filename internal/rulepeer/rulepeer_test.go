// Package rulepeer holds the recurrence of the agenda to a second implementation: rrule from npm, with the time zones of
// Intl. It has tests only.
package rulepeer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"rein/household/agenda"
	"rein/internal/civil"
	"rein/internal/labs"
	"rein/internal/node"
)

const (
	rules = 2000
	most  = 60 // occurrences of each
)

// A question is one rule, as rules.mjs reads it.
type question struct {
	Start string `json:"start"`
	Rule  string `json:"rule"`
	Zone  string `json:"zone"`
	From  string `json:"from"`
	To    string `json:"to"`
	Most  int    `json:"most"`
}

// zones are some whose clocks nobody has changed the rules of lately: Go and Node.js may know another state of that.
var zones = []string{"Europe/Amsterdam", "America/New_York", "Australia/Sydney", "America/Sao_Paulo", "Asia/Kolkata", "Europe/London", "Australia/Lord_Howe", "Pacific/Apia", "UTC"}

// random makes a question. Some rules are asked for far from their start, and some often meet a change of the clocks.
func random(r *rand.Rand) question {
	start := time.Date(1995+r.IntN(35), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), 5*r.IntN(12), 0, 0, time.UTC)
	if r.IntN(3) == 0 {
		start = time.Date(start.Year(), start.Month(), start.Day(), 2, 30, 0, 0, time.UTC)
	}
	from := start
	if r.IntN(2) == 0 {
		from = start.AddDate(r.IntN(25), r.IntN(12), 0)
	}
	const layout = "2006-01-02T15:04:05"
	return question{start.Format(layout), rule(r, start), zones[r.IntN(len(zones))], from.Format(layout), from.AddDate(1+r.IntN(12), 0, 0).Format(layout), most}
}

var days = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// rule makes a rule of any shape that RFC 5545 allows an event.
func rule(r *rand.Rand, start time.Time) string {
	freq := []string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[r.IntN(4)]
	parts := []string{"FREQ=" + freq}
	add := func(chance int, name string, value func() string) bool {
		if r.IntN(chance) > 0 {
			return false
		}
		parts = append(parts, name+"="+value())
		return true
	}
	some := func(n int, one func() string) func() string {
		return func() string {
			all := map[string]bool{}
			var list []string
			for range 1 + r.IntN(n) {
				if v := one(); !all[v] {
					all[v], list = true, append(list, v)
				}
			}
			return strings.Join(list, ",")
		}
	}
	number := func(low, high int) func() string {
		return func() string { return fmt.Sprint(low + r.IntN(high-low+1)) }
	}
	signed := func(high int) func() string {
		return func() string { return fmt.Sprint((1 + r.IntN(high)) * (1 - 2*r.IntN(2))) }
	}
	day := func() string { return days[r.IntN(7)] }
	add(2, "INTERVAL", number(1, 6))
	by := add(4, "BYMONTH", some(3, number(1, 12)))
	weeks := false
	switch freq {
	case "DAILY":
		by = add(4, "BYDAY", some(3, day)) || by
		by = add(6, "BYMONTHDAY", some(4, signed(31))) || by
	case "WEEKLY":
		by = add(2, "BYDAY", some(4, day)) || by
	case "MONTHLY":
		by = add(3, "BYDAY", some(3, func() string { return []string{"", fmt.Sprint((1 + r.IntN(4)) * (1 - 2*r.IntN(2)))}[r.IntN(2)] + day() })) || by
		by = add(3, "BYMONTHDAY", some(3, signed(31))) || by
	case "YEARLY":
		weeks = add(6, "BYWEEKNO", some(3, number(1, 52)))
		by = weeks || by
		by = add(3, "BYDAY", some(3, day)) || by
		if !weeks {
			by = add(5, "BYYEARDAY", some(4, number(1, 366))) || by
			by = add(5, "BYMONTHDAY", some(3, signed(28))) || by
		}
	}
	by = add(8, "BYHOUR", func() string { // in their order: the other one keeps the order in which they are written
		first := r.IntN(20)
		if r.IntN(2) == 0 {
			return fmt.Sprint(first)
		}
		return fmt.Sprintf("%d,%d", first, first+1+r.IntN(23-first))
	}) || by
	if by {
		// Where the other one is wrong by RFC 5545 it is not asked: it takes the first of a set for a position that is
		// further from its end than the set is long, and what two positions mean twice.
		add(6, "BYSETPOS", func() string { return []string{"1", "2", "3", "-1"}[r.IntN(4)] })
	}
	add(5, "WKST", day)
	if !add(5, "COUNT", number(1, 40)) {
		add(5, "UNTIL", func() string { return start.AddDate(r.IntN(8), r.IntN(12), r.IntN(28)).Format("20060102T150405") })
	}
	return strings.Join(parts, ";")
}

// asked is when the second implementation says that each rule happens.
func asked(t *testing.T, all []question) (answers [][][2]any) {
	t.Helper()
	program := node.Need(t, "_node/node_modules/.package-lock.json", "the rules of the agenda are NOT compared with a second implementation")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var in, stderr bytes.Buffer
	for _, q := range all {
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(ctx, program, "_node/rules.mjs")
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = &in, &stderr, 5*time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one [][2]any
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, one)
	}
	if len(answers) != len(all) {
		t.Fatalf("%d rules were answered, of %d", len(answers), len(all))
	}
	return answers
}

// Two thousand random rules happen when a second implementation says so: on the wall always, and at the same instant
// except where clocks jump over the time. There the agenda means the first moment after the jump.
//
// Covers: NEU-56
// Plain: it is about amounts.
func TestRulesBesideNpm(t *testing.T) {
	labs.Only(t)
	r := rand.New(rand.NewPCG(2026, 11))
	var all []question
	refused := 0
	for len(all) < rules {
		q := random(r)
		if _, err := event(q); err != nil {
			refused++ // no day fits it
			continue
		}
		all = append(all, q)
	}
	occurrences, gaps, empty := 0, 0, 0
	for i, want := range asked(t, all) {
		q := all[i]
		got := answered(t, q)
		if len(got) != len(want) {
			t.Errorf("%+v: %d times, want %d\n got %v\nwant %v", q, len(got), len(want), walls(got), want)
			continue
		}
		if len(got) == 0 {
			empty++
		}
		for k, o := range got {
			occurrences++
			wall, at := want[k][0].(string), time.Unix(int64(want[k][1].(float64)), 0)
			switch {
			case o.Of.Format("2006-01-02T15:04:05") != wall:
				t.Errorf("%+v: %d is at %s, want %s", q, k, o.Of, wall)
			case o.Fit == civil.Missing:
				gaps++
				if !firstAfterJump(o, q) {
					t.Errorf("%+v: %s is missing, and %s is not the first moment after the jump", q, wall, o.Start)
				}
			case !o.Start.Equal(at):
				t.Errorf("%+v: %s is %s, want %s", q, wall, o.Start.UTC(), at.UTC())
			}
		}
	}
	t.Logf("%d rules, %d occurrences: %d equal, %d where the clocks jump (the first moment after it); %d rules had none in their time, %d more were refused because no day fits them",
		len(all), occurrences, occurrences-gaps, gaps, empty, refused)
	if gaps == 0 || occurrences < 20*rules/2 {
		t.Error("that compares too little")
	}
}

// event is the event of a question.
func event(q question) (agenda.Event, error) {
	e, err := agenda.Draft{Title: "x", Start: q.Start, Zone: q.Zone, Rule: q.Rule}.Event(agenda.Owner{Household: "home", User: "ann"}, q.Zone)
	if err != nil {
		return e, err
	}
	e.ID, e.UID = "e", "e"
	return e.Checked()
}

// answered is when the agenda says that a rule happens.
func answered(t *testing.T, q question) (found []agenda.Occurrence) {
	t.Helper()
	e, err := event(q)
	if err != nil {
		t.Fatal(err)
	}
	zone := agenda.ZoneOf(q.Zone)
	from, to := wall(t, q.From), wall(t, q.To)
	begin, _ := from.In(zone)
	end, _ := to.In(zone)
	all, err := e.Occurrences(begin.Add(-26*time.Hour), end.Add(26*time.Hour), zone, agenda.MaxOccurrences*4)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if !o.Of.Before(from) && !to.Before(o.Of) && len(found) < q.Most {
			found = append(found, o)
		}
	}
	return found
}

func wall(t *testing.T, text string) agenda.Wall {
	t.Helper()
	w, err := agenda.ParseWall(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func walls(all []agenda.Occurrence) (texts []string) {
	for _, o := range all {
		texts = append(texts, o.Of.String())
	}
	return texts
}

// firstAfterJump reports whether clocks jump right before an occurrence, over its time.
func firstAfterJump(o agenda.Occurrence, q question) bool {
	zone := agenda.ZoneOf(q.Zone)
	before := o.Start.Add(-time.Second).In(zone)
	_, was := before.Zone()
	_, is := o.Start.In(zone).Zone()
	return is > was && agenda.WallOf(before).Before(o.Of) && o.Of.Before(agenda.WallOf(o.Start.In(zone)))
}
