package flow

import (
	"encoding/json"
	"strconv"
	"strings"

	"rein"
	"rein/internal/lenient"
	"rein/internal/quote"
)

// Internal tools of summarise.
const (
	RunsRead    = "session.runs" // the runs of a session of the same user
	DayRead     = "summary.day"  // the summaries of the sessions of a day
	SummarySave = "summary.save"
)

// SummariseSettings say what to sum up: a session, or a day.
type SummariseSettings struct {
	Session string `json:"session,omitempty"`
	Day     string `json:"day,omitempty"` // 2006-01-02, in the zone of the task
	// After is the newest run when the summary was asked for. It only tells one request from the next.
	After string `json:"after,omitempty"`
	Words int    `json:"words"`
}

// DefaultSummarise is what holds where a caller chooses nothing.
func DefaultSummarise() SummariseSettings { return SummariseSettings{Words: 120} }

func (s *SummariseSettings) fit(Ceiling) (notices []string, err error) {
	if (s.Session == "") == (s.Day == "") {
		return nil, rein.Errorf(rein.CodeInvalid, "name a session or a day, and not both")
	}
	return clamp(notices, "words", &s.Words, 20, 400, 0), nil
}

// Summarise runs in the background when a session or a day is over, and keeps what it was about. It
// shows people nothing and asks them nothing.
func Summarise(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := readSettings("summarise", task.Settings, DefaultSummarise(), (*SummariseSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	b := background{run, task}
	read, what := b.session, "one conversation"
	if set.Day != "" {
		read, what = b.day, "the summaries of one day's conversations"
	}
	m, ok, err := read(set)
	if !ok || err != nil {
		return b.nothing(err)
	}
	prompt := text(task, "summarise", map[string]string{"what": what, "words": strconv.Itoa(set.Words)})
	reply, err := b.ask("summarise", prompt, summariseSchema, m.Text)
	if err != nil {
		return rein.Outcome{}, err
	}
	if m.Text = readSummary(reply); m.Text == "" {
		return b.nothing(nil)
	}
	if err := b.save(SummarySave, m); err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: say(task, "summarise done")}, nil
}

// material is what is summed up, and then its summary. Its times are passed on as they were read.
type material struct {
	Kind  string `json:"kind"`
	About string `json:"about"`
	Text  string `json:"text"`
	From  string `json:"from"`
	At    string `json:"at"`
}

// maxMaterial is how much of a session or a day is read, in bytes. Of more, the newest part is.
const maxMaterial = 48_000

func (b background) session(set SummariseSettings) (m material, ok bool, err error) {
	var found struct {
		Runs     []PastRun
		From, To string
	}
	ok, err = b.read(RunsRead, map[string]string{"session": set.Session}, &found)
	var parts []string
	for _, p := range found.Runs {
		if said := exchange(p); len(said) > 0 {
			parts = append(append(parts, p.At), said...)
		}
	}
	m = material{Kind: "session", About: set.Session, From: found.From, At: found.To, Text: newestOf(parts, maxMaterial)}
	return m, ok && m.Text != "", err
}

func (b background) day(set SummariseSettings) (m material, ok bool, err error) {
	var found struct {
		Items    []Known
		From, To string
	}
	ok, err = b.read(DayRead, map[string]string{"day": set.Day}, &found)
	var parts []string
	for _, item := range found.Items {
		parts = append(parts, quote.Untrusted(item.At, item.Text))
	}
	m = material{Kind: "day", About: set.Day, From: found.From, At: found.To, Text: newestOf(parts, maxMaterial)}
	return m, ok && m.Text != "", err
}

// summariseSchema asks for a list, so that a model which has understood nothing can say nothing.
var summariseSchema = json.RawMessage(`{"type":"object","properties":{"points":{"type":"array","items":{"type":"string"}}},"required":["points"],"additionalProperties":false}`)

// readSummary takes the summary out of a reply: points, a summary in one piece, or a reply that is
// itself the summary because the model wrote no JSON at all.
func readSummary(reply string) string {
	summary := reply
	if found, err := lenient.First(reply, ""); err == nil {
		var s struct {
			Points  json.RawMessage
			Summary any
		}
		if json.Unmarshal(found.JSON, &s) != nil {
			return ""
		}
		summary, _ = s.Summary.(string)
		for _, point := range each[string](s.Points) {
			summary += "\n" + strings.Join(strings.Fields(point), " ")
		}
	} else if strings.ContainsAny(reply, "{}[]") {
		return ""
	}
	return shorten(strings.TrimSpace(summary), 4000)
}
