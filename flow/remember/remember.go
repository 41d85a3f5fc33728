package remember

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
	"rein/internal/quote"
)

// Internal tools of the background flows.
const (
	RunRead      = "session.run" // one run of the same user
	MemoriesSave = "memory.save" // memories and snapshots
)

// Settings say which run to learn from.
type Settings struct {
	Run  string `json:"run"`
	Most int    `json:"most"` // memories and snapshots together
}

// Default is what holds where a caller chooses nothing.
func Default() Settings { return Settings{Most: 5} }

var settings = kit.SettingsOf[Settings]{
	Flow: "remember", Default: Default(),
	Fields: func(s *Settings) []kit.Field { return []kit.Field{kit.Int("most", &s.Most, 1, 10, "")} },
	Check: func(s *Settings) ([]kit.Change, error) {
		if s.Run == "" {
			return nil, rein.Errorf(rein.CodeInvalid, "run is empty: name the run to learn from")
		}
		return nil, nil
	},
}

// Notes are what is worth knowing of an exchange.
type Notes struct {
	Source    string     `json:"source"`
	Said      string     `json:"said,omitempty"` // when, as it was read
	Memories  []Memory   `json:"memories"`
	Snapshots []Snapshot `json:"snapshots"`
}

// A Memory is something lasting.
type Memory struct {
	Text  string `json:"text"`
	Kind  string `json:"kind,omitempty"`
	About string `json:"about,omitempty"` // the subject: of two memories with one subject the newer holds
}

// A Snapshot is how things are just now.
type Snapshot struct {
	Text  string `json:"text"`
	Scope string `json:"scope,omitempty"`
	Days  int    `json:"days,omitempty"`
}

// Do runs in the background after another run: it notes, with one model call, what that run's
// exchange tells about the user. It shows people nothing and asks them nothing; most of the time
// there is nothing to note.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	b := kit.Background{Run: run, Task: task}
	var past kit.PastRun
	if ok, err := b.Read(RunRead, map[string]string{"run": set.Run}, &past); !ok || err != nil {
		return b.Nothing(err)
	}
	said := kit.Exchange(past)
	if len(said) == 0 {
		return b.Nothing(nil)
	}
	var before struct {
		Items []kit.Known `json:"items"`
	}
	if _, err := b.Read(kit.MemoriesRead, nil, &before); err != nil {
		return rein.Outcome{}, err
	}
	prompt := text(task, "remember", map[string]string{"most": strconv.Itoa(set.Most), "date": past.At})
	shape := schemaWithout
	if task.Revision >= revision {
		prompt, shape = prompt+"\n"+text(task, "remember_subjects", nil), schema
	}
	if lines := kit.KnownLines(named(before.Items), 8000); lines != "" {
		said = append([]string{quote.Untrusted("known already", lines)}, said...)
	}
	reply, err := b.Ask("remember", say(task, "remember"), prompt, shape, kit.NewestOf(said, 40_000))
	if err != nil {
		return rein.Outcome{}, err
	}
	notes := readNotes(reply, set.Most)
	if len(notes.Memories)+len(notes.Snapshots) == 0 {
		return b.Nothing(nil)
	}
	notes.Source, notes.Said = set.Run, past.Ended
	if err := b.Save(MemoriesSave, notes); err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: say(task, "done", len(notes.Memories), len(notes.Snapshots))}, nil
}

// named adds to what is known already which subject it has, so that the model uses the same words for it.
func named(items []kit.Known) []kit.Known {
	items = slices.Clone(items)
	for i := range items {
		if items[i].About != "" {
			items[i].Text += " (about: " + items[i].About + ")"
		}
	}
	return items
}

// revision is the newest that Do knows: since 1 memories have subjects.
const revision = 1

// schema bounds what a model that heeds it can write. Numbers of items are left open: one too
// many is no reason to lose the others. Runs of revision 0 replay without subjects.
var schema, schemaWithout = schemaOf(`,"about":{"type":"string"}`, `,"about"`), schemaOf("", "")

func schemaOf(about, required string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` +
		`"memories":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"kind":{"type":"string","enum":["fact","preference","person","plan"]}` + about + `},"required":["text","kind"` + required + `],"additionalProperties":false}},` +
		`"snapshots":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"scope":{"type":"string","enum":["user","household"]},"days":{"type":"integer"}},"required":["text","scope","days"],"additionalProperties":false}}` +
		`},"required":["memories","snapshots"],"additionalProperties":false}`)
}

// readNotes takes what can be used out of a reply: each note by itself, for one that is malformed
// must not cost the others.
func readNotes(reply string, most int) Notes {
	var n Notes
	found, err := lenient.First(reply, "memories")
	if err != nil {
		if found, err = lenient.First(reply, "snapshots"); err != nil {
			return n
		}
	}
	var lists struct{ Memories, Snapshots json.RawMessage }
	if json.Unmarshal(found.JSON, &lists) != nil {
		return n
	}
	for _, m := range kit.Each[Memory](lists.Memories) {
		m.About = kit.Short(strings.Join(strings.Fields(m.About), " "), 80)
		if m.Text = noteLine(m.Text); m.Text != "" && most > 0 && !slices.ContainsFunc(n.Memories, func(o Memory) bool { return o.Text == m.Text }) {
			n.Memories = append(n.Memories, m)
			most--
		}
	}
	for _, s := range kit.Each[Snapshot](lists.Snapshots) {
		if s.Text = noteLine(s.Text); s.Text != "" && most > 0 && !slices.ContainsFunc(n.Snapshots, func(o Snapshot) bool { return o.Text == s.Text }) {
			n.Snapshots = append(n.Snapshots, s)
			most--
		}
	}
	return n
}

func noteLine(text string) string { return kit.Short(strings.Join(strings.Fields(text), " "), 400) }
