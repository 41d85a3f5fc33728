package summarise

import (
	"encoding/json"
	"strconv"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
	"rein/internal/quote"
)

// Internal tools of summarise.
const (
	RunsRead    = "session.runs" // the runs of a session of the same user
	DayRead     = "summary.day"  // the summaries of the sessions of a day
	SummarySave = "summary.save"
)

// Settings say what to sum up: a session, or a day.
type Settings struct {
	Session string `json:"session,omitempty"`
	Day     string `json:"day,omitempty"` // 2006-01-02, in the zone of the task
	// After is the newest run when the summary was asked for. It only tells one request from the next.
	After string `json:"after,omitempty"`
	Words int    `json:"words"`
}

// Default is what holds where a caller chooses nothing.
func Default() Settings { return Settings{Words: 120} }

var settings = kit.SettingsOf[Settings]{
	Flow: "summarise", Default: Default(),
	Fields: func(s *Settings) []kit.Field { return []kit.Field{kit.Int("words", &s.Words, 20, 400, "")} },
	Check: func(s *Settings) ([]kit.Change, error) {
		if (s.Session == "") == (s.Day == "") {
			return nil, rein.Errorf(rein.CodeInvalid, "name a session or a day, and not both")
		}
		return nil, nil
	},
}

// Do runs in the background when a session or a day is over, and keeps what it was about. It
// shows people nothing and asks them nothing.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	b := kit.Background{Run: run, Task: task}
	read, what := session, "one conversation"
	if set.Day != "" {
		read, what = day, "the summaries of one day's conversations"
	}
	m, ok, err := read(b, set)
	if !ok || err != nil {
		return b.Nothing(err)
	}
	prompt := text(task, "summarise", map[string]string{"what": what, "words": strconv.Itoa(set.Words)})
	reply, err := b.Ask("summarise", say(task, "summarise"), prompt, schema, m.Text)
	if err != nil {
		return rein.Outcome{}, err
	}
	if m.Text = readSummary(reply); m.Text == "" {
		return b.Nothing(nil)
	}
	if err := b.Save(SummarySave, m); err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: say(task, "done")}, nil
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

func session(b kit.Background, set Settings) (m material, ok bool, err error) {
	var found struct {
		Runs     []kit.PastRun
		From, To string
	}
	ok, err = b.Read(RunsRead, map[string]string{"session": set.Session}, &found)
	var parts []string
	for _, p := range found.Runs {
		if said := kit.Exchange(p); len(said) > 0 {
			parts = append(append(parts, p.At), said...)
		}
	}
	m = material{Kind: "session", About: set.Session, From: found.From, At: found.To, Text: kit.NewestOf(parts, maxMaterial)}
	return m, ok && m.Text != "", err
}

func day(b kit.Background, set Settings) (m material, ok bool, err error) {
	var found struct {
		Items    []kit.Known
		From, To string
	}
	ok, err = b.Read(DayRead, map[string]string{"day": set.Day}, &found)
	var parts []string
	for _, item := range found.Items {
		parts = append(parts, quote.Untrusted(item.At, item.Text))
	}
	m = material{Kind: "day", About: set.Day, From: found.From, At: found.To, Text: kit.NewestOf(parts, maxMaterial)}
	return m, ok && m.Text != "", err
}

// schema asks for a list, so that a model which has understood nothing can say nothing.
var schema = json.RawMessage(`{"type":"object","properties":{"points":{"type":"array","items":{"type":"string"}}},"required":["points"],"additionalProperties":false}`)

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
		for _, point := range kit.Each[string](s.Points) {
			summary += "\n" + strings.Join(strings.Fields(point), " ")
		}
	} else if strings.ContainsAny(reply, "{}[]") {
		return ""
	}
	return kit.Short(strings.TrimSpace(summary), 4000)
}
