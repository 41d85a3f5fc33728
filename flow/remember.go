package flow

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/lenient"
	"rein/internal/quote"
)

// Internal tools of the background flows.
const (
	RunRead      = "session.run" // one run of the same user
	MemoriesSave = "memory.save" // memories and snapshots
)

// RememberSettings say which run to learn from.
type RememberSettings struct {
	Run  string `json:"run"`
	Most int    `json:"most"` // memories and snapshots together
}

// DefaultRemember is what holds where a caller chooses nothing.
func DefaultRemember() RememberSettings { return RememberSettings{Most: 5} }

func (s *RememberSettings) fit(Ceiling) (notices []string, err error) {
	if s.Run == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "run is empty: name the run to learn from")
	}
	return clamp(notices, "most", &s.Most, 1, 10, 0), nil
}

// Notes are what is worth knowing of an exchange.
type Notes struct {
	Source    string         `json:"source"`
	Memories  []NoteMemory   `json:"memories"`
	Snapshots []NoteSnapshot `json:"snapshots"`
}

// A NoteMemory is something lasting.
type NoteMemory struct {
	Text string `json:"text"`
	Kind string `json:"kind,omitempty"`
}

// A NoteSnapshot is how things are just now.
type NoteSnapshot struct {
	Text  string `json:"text"`
	Scope string `json:"scope,omitempty"`
	Days  int    `json:"days,omitempty"`
}

// Remember runs in the background after another run: it notes, with one model call, what that run's
// exchange tells about the user. It shows people nothing and asks them nothing; most of the time
// there is nothing to note.
func Remember(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := readSettings("remember", task.Settings, DefaultRemember(), (*RememberSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	b := background{run, task}
	var past PastRun
	if ok, err := b.read(RunRead, map[string]string{"run": set.Run}, &past); !ok || err != nil {
		return b.nothing(err)
	}
	said := exchange(past)
	if len(said) == 0 {
		return b.nothing(nil)
	}
	var before struct {
		Items []Known `json:"items"`
	}
	if _, err := b.read(MemoriesRead, nil, &before); err != nil {
		return rein.Outcome{}, err
	}
	prompt := text(task, "remember", map[string]string{"most": strconv.Itoa(set.Most), "date": past.At})
	if lines := knownLines(before.Items, 8000); lines != "" {
		said = append([]string{quote.Untrusted("known already", lines)}, said...)
	}
	reply, err := b.ask("remember", prompt, rememberSchema, newestOf(said, 40_000))
	if err != nil {
		return rein.Outcome{}, err
	}
	notes := readNotes(reply, set.Most)
	if len(notes.Memories)+len(notes.Snapshots) == 0 {
		return b.nothing(nil)
	}
	notes.Source = set.Run
	if err := b.save(MemoriesSave, notes); err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: say(task, "remember done", len(notes.Memories), len(notes.Snapshots))}, nil
}

// rememberSchema bounds what a model that heeds it can write. Numbers of items are left open: one too
// many is no reason to lose the others.
var rememberSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"memories":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"kind":{"type":"string","enum":["fact","preference","person","plan"]}},"required":["text","kind"],"additionalProperties":false}},` +
	`"snapshots":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"scope":{"type":"string","enum":["user","household"]},"days":{"type":"integer"}},"required":["text","scope","days"],"additionalProperties":false}}` +
	`},"required":["memories","snapshots"],"additionalProperties":false}`)

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
	for _, m := range each[NoteMemory](lists.Memories) {
		if m.Text = noteLine(m.Text); m.Text != "" && most > 0 && !slices.ContainsFunc(n.Memories, func(o NoteMemory) bool { return o.Text == m.Text }) {
			n.Memories = append(n.Memories, m)
			most--
		}
	}
	for _, s := range each[NoteSnapshot](lists.Snapshots) {
		if s.Text = noteLine(s.Text); s.Text != "" && most > 0 && !slices.ContainsFunc(n.Snapshots, func(o NoteSnapshot) bool { return o.Text == s.Text }) {
			n.Snapshots = append(n.Snapshots, s)
			most--
		}
	}
	return n
}

// each decodes the elements of a list, without those that do not fit.
func each[T any](list json.RawMessage) []T {
	var raw []json.RawMessage
	if json.Unmarshal(list, &raw) != nil {
		return nil
	}
	var all []T
	for _, r := range raw {
		var t T
		if json.Unmarshal(r, &t) == nil {
			all = append(all, t)
		}
	}
	return all
}

// exchange writes what was said in a run, each speech in a block of its own, so that none can pass for
// another's. There is none if the person said nothing.
func exchange(p PastRun) []string {
	var said []string
	for _, asked := range p.Asked {
		if strings.TrimSpace(asked) != "" {
			said = append(said, quote.Untrusted("person", asked))
		}
	}
	for _, a := range p.Asides {
		said = append(said, quote.Untrusted("assistant", a.Question), quote.Untrusted("person", a.Answer))
	}
	if len(said) > 0 && p.Answer != "" {
		said = append(said, quote.Untrusted("assistant", p.Answer))
	}
	return said
}

// newestOf joins the newest of the parts that fit into so many bytes.
func newestOf(parts []string, most int) string {
	from := len(parts)
	for from > 0 && len(parts[from-1])+2 <= most {
		from--
		most -= len(parts[from]) + 2
	}
	return strings.Join(parts[from:], "\n\n")
}

func noteLine(text string) string { return shorten(strings.Join(strings.Fields(text), " "), 400) }

// shorten cuts a text to so many bytes, at a character.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
