package schedule

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/internal/civil"
)

// A Want is a job as people and models write it.
type Want struct {
	Label  string
	Kind   string // at, every or cron; empty: what the other fields mean
	At     string // of at
	Every  string // of every: seconds, or with a unit, such as 90s, 15m, 2h or 1d
	Cron   string // of cron
	Zone   string // empty: the user's
	Target string // main or isolated; empty: what the payload means

	Payload string // systemEvent or agentTurn; empty: what the target means, or else systemEvent
	Text    string
	Flow    string
	Budget  *rein.Budget
	CatchUp string // empty: once
	Overlap string // empty: queue for messages, skip for runs
	Spend   int64
}

// Rules are what the settings say about jobs.
type Rules struct {
	EveryMinute bool // an expression may fire in every minute
	// Failures is after how many failures in a row a job is disabled; 0: never.
	Failures int
	// Money is the most that the runs of all jobs of a user may cost in thirty days, in millionths; 0: no limit.
	Money int64
}

// DefaultRules hold where the settings say nothing.
func DefaultRules() Rules { return Rules{Failures: 5, Money: 20_000_000} }

// Make makes a job of what somebody wants. The zone is the user's, for what names none.
func Make(w Want, zone string, now time.Time, rules Rules) (Job, error) {
	j := Job{Label: strings.Join(strings.Fields(w.Label), " "), Created: now.UTC().Truncate(time.Microsecond), Version: 1, Spend: w.Spend}
	j.Payload = Payload{Text: strings.TrimSpace(w.Text), Flow: w.Flow, Budget: w.Budget}
	if j.Label == "" {
		j.Label = labelOf(j.Payload.Text)
	}
	if err := j.aim(w); err != nil {
		return j, err
	}
	if err := j.plan(w, zone, now, rules); err != nil {
		return j, err
	}
	j.CatchUp, j.Overlap = CatchUp(cmp.Or(w.CatchUp, string(CatchOnce))), Overlap(w.Overlap)
	if j.Overlap == "" {
		j.Overlap = OverlapQueue
		if j.Payload.Kind == AgentTurn {
			j.Overlap = OverlapSkip
		}
	}
	if err := j.check(); err != nil {
		return j, err
	}
	j.Until = j.Created
	j.Next = j.NextAfter(j.Until)
	return j, nil
}

// labelOf makes a label of a text that is not too long for one.
func labelOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return rein.Clip(strings.Join(strings.Fields(line), " "), MaxLabel-len("…"))
}

// aim sets the target and the kind of the payload, each of which means the other.
func (j *Job) aim(w Want) error {
	j.Target, j.Payload.Kind = Target(w.Target), PayloadKind(w.Payload)
	if j.Payload.Kind == "" {
		j.Payload.Kind = SystemEvent
		if j.Target == Isolated {
			j.Payload.Kind = AgentTurn
		}
	}
	if j.Target == "" {
		j.Target = Main
		if j.Payload.Kind == AgentTurn {
			j.Target = Isolated
		}
	}
	switch {
	case j.Target != Main && j.Target != Isolated:
		return rein.Errorf(rein.CodeInvalid, "target is %.40q; it must be main (a message into the session) or isolated (a run of its own)", w.Target)
	case j.Payload.Kind != SystemEvent && j.Payload.Kind != AgentTurn:
		return rein.Errorf(rein.CodeInvalid, "payload.kind is %.40q; it must be systemEvent (a message) or agentTurn (a run)", w.Payload)
	case (j.Target == Main) != (j.Payload.Kind == SystemEvent):
		return rein.Errorf(rein.CodeInvalid, "target %s does not go with payload.kind %s: main goes with systemEvent, and isolated with agentTurn", j.Target, j.Payload.Kind)
	}
	return nil
}

// plan sets the schedule.
func (j *Job) plan(w Want, zone string, now time.Time, rules Rules) error {
	j.Kind, j.Zone = kindOf(w), cmp.Or(w.Zone, zone, "UTC")
	place, err := civil.Zone(j.Zone)
	if err != nil {
		return err
	}
	given := 0
	for _, field := range []string{w.At, w.Every, w.Cron} {
		if field != "" {
			given++
		}
	}
	if given != 1 {
		return rein.Errorf(rein.CodeInvalid, "schedule has %d of at, every and expression; give exactly one: at for once, every for an interval, expression for cron", given)
	}
	switch {
	case j.Kind == At && w.At != "":
		return j.planAt(w.At, place, now)
	case j.Kind == Every && w.Every != "":
		return j.planEvery(w.Every)
	case j.Kind == Cron && w.Cron != "":
		j.Expression = strings.Join(strings.Fields(w.Cron), " ")
		return checkCron(j.Expression, now, place, rules.EveryMinute)
	case j.Kind == At, j.Kind == Every, j.Kind == Cron:
		return rein.Errorf(rein.CodeInvalid, "schedule.kind is %s, but its field is missing: at goes with at, every with every, cron with expression", j.Kind)
	}
	return rein.Errorf(rein.CodeInvalid, "schedule.kind is %.40q; it must be at, every or cron", w.Kind)
}

func kindOf(w Want) Kind {
	switch {
	case w.Kind != "":
		return Kind(w.Kind)
	case w.Every != "":
		return Every
	case w.Cron != "":
		return Cron
	}
	return At
}

func (j *Job) planAt(text string, zone *time.Location, now time.Time) (err error) {
	if j.At, _, err = civil.Parse(text, zone); err != nil {
		return err
	}
	const layout = "2006-01-02T15:04"
	switch here := now.In(zone); {
	case !j.At.After(now):
		return rein.Errorf(rein.CodeInvalid, "%s is in the past: it is %s in %s now, so at must be later than that", j.At.Format(layout), here.Format(layout), j.Zone)
	case j.At.After(now.AddDate(maxAhead, 0, 0)):
		return rein.Errorf(rein.CodeInvalid, "%s is more than %d years ahead", j.At.Format(layout), maxAhead)
	}
	j.At = j.At.UTC()
	return nil
}

func (j *Job) planEvery(text string) error {
	every, err := interval(text)
	if err != nil {
		return err
	}
	if every < MinEvery || every > MaxEvery || every%time.Second != 0 {
		return rein.Errorf(rein.CodeInvalid, "every is %s; it must be whole seconds from 60 s to 366 days", text)
	}
	j.Every, j.At = every, j.Created
	return nil
}

// interval reads an interval: a number of seconds, or one with a unit.
func interval(text string) (time.Duration, error) {
	text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n <= int64(MaxEvery/time.Second) {
		return time.Duration(n) * time.Second, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseInt(days, 10, 32); err == nil && n >= 0 && n <= 366 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	return 0, rein.Errorf(rein.CodeInvalid, "every is %.40q; it must be a number of seconds, or a number with a unit, such as 90s, 15m, 2h or 1d", text)
}

// check says what is wrong with a job apart from its schedule, if anything.
func (j *Job) check() error {
	switch {
	case j.Payload.Text == "":
		return rein.Errorf(rein.CodeInvalid, "payload.text is empty: write what to say, or what the run is to do")
	case len(j.Payload.Text) > MaxText || !utf8.ValidString(j.Payload.Text):
		return rein.Errorf(rein.CodeInvalid, "payload.text must be text of at most %d bytes; this one has %d", MaxText, len(j.Payload.Text))
	case len(j.Label) > MaxLabel || !utf8.ValidString(j.Label) || strings.ContainsFunc(j.Label, unicode.IsControl):
		return rein.Errorf(rein.CodeInvalid, "label must be one line of at most %d bytes; this one has %d", MaxLabel, len(j.Label))
	case j.Payload.Kind == SystemEvent && (j.Payload.Flow != "" || j.Payload.Budget != nil || j.Spend != 0):
		return rein.Errorf(rein.CodeInvalid, "a systemEvent is a message: it has no flow, no budget and no spend limit. An agentTurn has them")
	case j.CatchUp != CatchSkip && j.CatchUp != CatchOnce && j.CatchUp != CatchAll:
		return rein.Errorf(rein.CodeInvalid, "catch_up is %.40q; it must be skip (what was missed does not fire), once (the newest does) or all", string(j.CatchUp))
	case j.Overlap != OverlapSkip && j.Overlap != OverlapQueue && j.Overlap != OverlapAllow:
		return rein.Errorf(rein.CodeInvalid, "overlap is %.40q; it must be skip (no second run while one goes on), queue (it waits) or allow (both)", string(j.Overlap))
	case j.Spend < 0:
		return rein.Errorf(rein.CodeInvalid, "the spend limit is negative; 0 means none")
	}
	return nil
}

// Wanted writes a job as a Want again, to change parts of it.
func (j Job) Wanted() Want {
	w := Want{
		Label: j.Label, Kind: string(j.Kind), Cron: j.Expression, Zone: j.Zone, Target: string(j.Target),
		Payload: string(j.Payload.Kind), Text: j.Payload.Text, Flow: j.Payload.Flow, Budget: j.Payload.Budget,
		CatchUp: string(j.CatchUp), Overlap: string(j.Overlap), Spend: j.Spend,
	}
	switch j.Kind {
	case At:
		w.At = j.At.In(j.Location()).Format(time.RFC3339)
	case Every:
		w.Every = strconv.FormatInt(int64(j.Every/time.Second), 10)
	}
	return w
}
