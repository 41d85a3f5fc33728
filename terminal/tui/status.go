package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
	"rein/terminal/tui/view"
)

// status is the line that answers what is being done, and why a person waits. For a while it is what has just happened, in
// as many rows as that needs.
func (m *Model) status() []string {
	t := m.t
	if m.notice.text != "" && m.now.Before(m.notice.until) {
		return m.noticed()
	}
	if m.lost != "" {
		return []string{" " + t.Waits(t.Signs.Ring+" "+m.lost+", trying again; runs continue without this screen")}
	}
	left := m.doing()
	if m.active() != nil { // of one that has ended the timeline says it
		for _, fact := range m.short() {
			left += t.Dim(" " + t.Signs.Note + " " + fact)
		}
	}
	return []string{t.Spread(" "+left, t.Dim(m.keysNow()), m.width-1)}
}

// noticeMost is how many rows a notice may take.
const noticeMost = 4

// noticed is what has just happened, or what went wrong.
func (m *Model) noticed() (rows []string) {
	t := m.t
	sign, paint := t.Accent(t.Signs.Note), func(s string) string { return s }
	if m.notice.bad {
		sign, paint = t.Bad(t.Signs.Fail), t.Bad
	}
	for i, row := range look.Fold(m.notice.text, m.width-4) {
		switch {
		case i == 0:
			rows = append(rows, " "+sign+" "+paint(row))
		case i < noticeMost:
			rows = append(rows, "   "+paint(row))
		}
	}
	return rows
}

// doing says in words what happens now.
func (m *Model) doing() string {
	t := m.t
	e := m.active()
	switch {
	case e == nil && !m.starting.IsZero(), e != nil && (e.line == nil || e.line.Seq == 0):
		return t.Runs(t.Signs.Dot+" starting") + waited(m.starting, m.now)
	case e == nil && m.newest() == nil:
		return t.Dim("ready")
	case e == nil:
		return m.lastWords()
	}
	d, ok := deepest(e.line)
	if !ok {
		return m.lastWords()
	}
	text := look.SafeLine(strings.TrimRight(byTitle(d.Text, e.line), ".… "))
	switch d.Kind {
	case timeline.OnAsk:
		return t.Waits(t.Signs.Unsure+" waiting for you") + until(d.Until, m.now)
	case timeline.OnPause:
		return t.Waits(t.Signs.Ring + " " + text + "; /resume continues")
	case timeline.OnBlocked:
		return t.Bad(t.Signs.Fail + " blocked: the program changed; /resume tries again")
	case timeline.OnWait, timeline.OnParked:
		return t.Waits(t.Signs.Ring+" "+text) + until(d.Until, m.now)
	}
	if e.line.Ending != "" {
		text = "ending: " + text
	}
	return t.Runs(t.Signs.Dot+" "+text) + waited(d.Since, m.now)
}

// byTitle names runs below by what they were asked.
func byTitle(text string, line *timeline.Timeline) string {
	for run, child := range line.Children {
		if child.Title != "" && strings.HasSuffix(text, "run "+string(run)) {
			return strings.TrimSuffix(text, "run "+string(run)) + "“" + child.Title + "”"
		}
	}
	return text
}

// deepest is what the tree does: the newest thing that happens in a run below, if the run itself waits for it.
func deepest(line *timeline.Timeline) (timeline.Doing, bool) {
	d, ok := line.Doing()
	if !ok || d.Kind == timeline.OnPause {
		return d, ok
	}
	if asks := line.Asks(); len(asks) > 0 {
		return timeline.Doing{Kind: timeline.OnAsk, Text: "waiting for you", Since: asks[0].Opened, Until: asks[0].Deadline}, true
	}
	return d, ok
}

func until(at, now time.Time) string {
	if !at.After(now) {
		return ""
	}
	return ", " + span(at.Sub(now))
}

// lastWords say how the newest run ended.
func (m *Model) lastWords() string {
	e := m.newest()
	if e == nil {
		return m.t.Dim("ready")
	}
	status := e.info.Status
	if e.line != nil && e.line.Seq > 0 {
		status = e.line.Status
	}
	return view.Status(m.t, status)
}

// short lists round, tokens and money in a few cells.
func (m *Model) short() (facts []string) {
	e := m.newest()
	if e == nil || e.line == nil {
		return nil
	}
	if s := e.line.Step; s.N > 0 {
		facts = append(facts, stepWords(s))
	}
	usage := e.line.TreeUsage()
	if n := usage.Input + usage.Output; n > 0 {
		facts = append(facts, tokens(n))
	}
	if usage.Micros > 0 {
		facts = append(facts, "cost "+m.t.Money(usage.Micros))
	}
	return facts
}

func stepWords(s timeline.Step) string {
	text := "round " + number(int64(s.N))
	if s.Of > 0 {
		text += "/" + number(int64(s.Of))
	}
	return text
}

// tokens is a count of tokens in few cells.
func tokens(n int64) string {
	if n < 1000 {
		return number(n) + " tok"
	}
	return fmt.Sprintf("%.1fk tok", float64(n)/1000)
}

// facts is the same for the column beside the timeline, with the caps.
func (m *Model) facts() []string {
	e := m.newest()
	if e == nil || e.line == nil {
		return []string{m.t.Dim("none yet")}
	}
	rows := []string{}
	if s := e.line.Step; s.N > 0 {
		rows = append(rows, stepWords(s))
	}
	usage, most := e.line.TreeUsage(), m.budget.Ledger.Cap
	line := units.Number(usage.Input+usage.Output) + " tokens"
	if most.Tokens > 0 {
		line += " of " + units.Number(most.Tokens)
	}
	rows = append(rows, line)
	if usage.Micros > 0 || most.Micros > 0 {
		line = "cost " + m.t.Money(usage.Micros)
		if most.Micros > 0 {
			line += " of " + look.Money(most.Micros)
		}
		rows = append(rows, line)
	}
	if !e.line.Started.IsZero() {
		end := e.line.Ended
		if end.IsZero() {
			end = m.now
		}
		rows = append(rows, span(end.Sub(e.line.Started)))
	}
	return rows
}

// keysNow are the keys that matter now.
func (m *Model) keysNow() string {
	switch {
	case m.over != nil:
		return "Esc back"
	case m.focus == onPage:
		return "j k move · o open · / find · Esc back"
	case m.focus == onCard:
		return "Tab input"
	case m.cards.shown != nil:
		return "Tab answer"
	case m.active() != nil:
		return "Esc stop"
	}
	return "/ commands"
}

// span is a duration in whole seconds.
func span(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return look.Span(d.Truncate(time.Second))
}

func number(n int64) string { return units.Number(n) }

// quoted is JSON of a value that always has one.
func quoted(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}
