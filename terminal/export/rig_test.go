package export_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/api/client"
	"rein/household/people"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/server"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/terminal/export"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A rig is a real store behind the real API. Tests write logs into it as an engine does, with times of their own.
type rig struct {
	*testing.T
	store *sqlite.Store
	files shelf.Shelf
	at    time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	r := &rig{T: t, store: s, at: noon}
	r.files = shelf.Shelf{Tables: s, Now: func() time.Time { return noon }}
	return r
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// client is the API as the owner of the household sees it.
func (r *rig) client() *client.Client {
	return r.reads(r.store)
}

// reads is the API over the store as a reader shows it.
func (r *rig) reads(seen store.Reader) *client.Client { return client.Handler(r.handler(seen)) }

func (r *rig) handler(seen store.Reader) http.Handler {
	told := feed.New(seen)
	r.Cleanup(told.Close)
	return server.New(server.Options{
		Store: seen, Feed: told, Who: server.Host, People: &people.People{Tables: r.store}, Shelf: &r.files,
	})
}

func (r *rig) now() time.Time {
	r.at = r.at.Add(time.Second)
	return r.at
}

// begins makes the start of a run of ann's.
func (r *rig) begins(id rein.RunID, task rein.Task) store.Start {
	budget := rein.MaxBudget()
	task.Household, task.User, task.Budget = "home", "ann", &budget
	return store.Start{Run: id, Digest: rein.Hash{1}, Start: rein.RunStart{Task: task}, At: r.now(), Claim: true}
}

func (r *rig) start(id rein.RunID, task rein.Task, kept ...store.Text) {
	r.Helper()
	begin := r.begins(id, task)
	begin.Keep = kept
	_, _, err := r.store.Start(r.Context(), begin)
	check(r, err)
}

// write appends what a driver wrote.
func (r *rig) write(run rein.RunID, drafts ...store.Draft) {
	r.Helper()
	info, err := r.store.Run(r.Context(), run)
	check(r, err)
	for i := range drafts {
		if drafts[i].At.IsZero() {
			drafts[i].At = r.now()
		}
	}
	_, err = r.store.Append(r.Context(), store.Batch{Run: run, Epoch: info.Epoch, Seen: info.Command, Drafts: drafts})
	check(r, err)
}

func (r *rig) command(c rein.Command) {
	r.Helper()
	_, err := r.store.Command(r.Context(), c, r.now())
	check(r, err)
}

// says is a step in which a model writes to people.
func says(step rein.StepKey, text string, calls ...rein.ToolCall) []store.Draft {
	return []store.Draft{
		{Kind: rein.StepStarted, Step: step, Data: rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "gpt-5", Stream: true}}}},
		{Kind: rein.StepDone, Step: step, Spend: rein.Amount{Tokens: 1280, Micros: 4200}, Data: rein.StepEnd{
			Message: &rein.Message{Role: rein.Assistant, Text: text, Calls: calls}, Model: "gpt-5",
			Usage: &rein.Usage{Input: 1200, Output: 80, Micros: 4200}, Duration: 2100 * time.Millisecond,
		}},
	}
}

// thinks is a step in which a model says something to itself.
func thinks(step rein.StepKey, phase, text string) []store.Draft {
	d := says(step, text)
	d[0].Data = rein.StepStart{Verb: rein.VerbModel, About: rein.About{Phase: phase, Round: 1}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "gpt-5"}}}
	return d
}

// begun is the beginning of a call.
func begun(step rein.StepKey, name, args string) store.Draft {
	return store.Draft{Kind: rein.StepStarted, Step: step, Data: rein.StepStart{
		Verb: rein.VerbTool, Mend: rein.Mend{Tool: name}, Call: &rein.ToolCall{ID: "c" + string(step), Name: name, Args: json.RawMessage(args)},
	}}
}

// returned is the end of a call.
func returned(step rein.StepKey, result rein.ToolResult) store.Draft {
	return store.Draft{Kind: rein.StepDone, Step: step, Data: rein.StepEnd{Result: &result, Duration: 40 * time.Millisecond}}
}

func ends(end rein.RunEnd) store.Draft {
	return store.Draft{Kind: end.End.EndKind(), Data: end, Status: rein.Status(end.End), Outcome: &end}
}

func asked(flow, text string) rein.Task {
	return rein.Task{Flow: flow, Session: "s1", Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

// export writes a session.
func (r *rig) export(o export.Options) string {
	r.Helper()
	var b bytes.Buffer
	if o.Client == nil {
		o.Client = r.client()
	}
	o.Version, o.Now = "1.2.3", noon.Add(time.Hour)
	if o.Session == "" {
		o.Session = "s1"
	}
	check(r, export.Write(r.Context(), &b, o))
	return b.String()
}

// drawn is a small picture.
func drawn(t testing.TB) []byte {
	t.Helper()
	i := image.NewRGBA(image.Rect(0, 0, 320, 120))
	for x := range 320 {
		for y := range 120 {
			i.Set(x, y, color.RGBA{uint8(x * 255 / 320), uint8(y * 2), 160, 255})
		}
	}
	var b bytes.Buffer
	check(t, png.Encode(&b, i))
	return b.Bytes()
}

// pictured is the picture as a log names it, and as a store keeps it.
func pictured(t testing.TB, name string) (rein.Image, store.Text) {
	data := drawn(t)
	kept := store.NewText(data)
	return rein.Image{Type: "image/png", Name: name, SHA256: kept.Hash, Size: int64(len(data)), Width: 320, Height: 120}, kept
}
