package explore_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/internal/flowtest"
	"rein/model/script"
	"rein/store"
)

// playTree plays a file whose run has children. Its people speak one after another: "RUN ask N:" when
// the run opens its nth ask, "RUN at STEP:" when that step, or the first of that phase, is under way; then answer TEXT, decline, or
// stop, cancel, delete, modify TEXT, comment TEXT. What happened is told run by run, since runs side by
// side have no order among them, and must be the same whether runs stay in memory or not. Where an order
// matters, the file sets it: "held" has a line "RUN TEXT until RUN at STEP", and calls of the first run that
// contain the text get no answer before the other run is at that step.
func playTree(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	var task rein.Task
	if err := json.Unmarshal([]byte(parts["task"]), &task); err != nil {
		t.Fatal(err)
	}
	for name, grace := range map[string]time.Duration{"grace": time.Minute, "no grace": engine.NoGrace} {
		t.Run(name, func(t *testing.T) {
			w := flowtest.World(t, grace, parts["model"])
			hold(w, strings.TrimSpace(parts["held"]))
			w.Begin()
			w.Start("r1", task)
			for line := range strings.Lines(parts["people"]) {
				speak(w, strings.TrimSpace(line))
			}
			w.End("r1")
			w.Verify()
			got := tellTree(w)
			if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
				archive.Files = append(archive.Files[:len(archive.Files)-1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if d := cmp.Diff(strings.Split(parts["want"], "\n"), strings.Split(got, "\n")); d != "" {
				t.Errorf("this happened (go test -update writes it down):\n%s", d)
			}
			if unused := w.Model.Unused(); len(unused) > 0 {
				t.Errorf("entries of the script that answered nothing: %v", unused)
			}
		})
	}
}

func speak(w *enginetest.World, line string) {
	if line == "" {
		return
	}
	place, said, _ := strings.Cut(line, ": ")
	where := strings.Fields(place)
	if len(where) != 3 {
		w.Fatalf("people: %q must be RUN ask N: … or RUN at STEP: …", line)
	}
	run := rein.RunID(where[0])
	word, text, _ := strings.Cut(said, " ")
	if where[1] == "ask" {
		n, err := strconv.Atoi(where[2])
		if err != nil {
			w.Fatal(err)
		}
		ask := w.UntilAsk(run, n)
		switch word {
		case "answer":
			w.Answer(ask, rein.AskAnswered, text)
			return
		case "decline":
			w.Answer(ask, rein.AskDeclined, text)
			return
		}
	} else {
		untilStep(w, run, where[2])
	}
	w.Send(rein.Command{Kind: rein.CommandKind(word), Run: run, Text: text})
}

// untilStep waits until a step of a run, or the first one of a phase, is under way.
func untilStep(w *enginetest.World, run rein.RunID, step string) {
	w.Until(fmt.Sprintf("%s at %s", run, step), func(e rein.Event) bool {
		if e.Run != run || e.Kind != rein.StepStarted {
			return false
		}
		start, err := rein.Payload[rein.StepStart](e)
		return err == nil && (step == string(e.Step) || step == start.Phase)
	})
}

// hold makes the calls that a line of "held" names wait.
func hold(w *enginetest.World, line string) {
	if line == "" {
		return
	}
	f := strings.Fields(line)
	if len(f) != 6 || f[2] != "until" || f[4] != "at" {
		w.Fatalf("held: %q must be RUN TEXT until RUN at STEP", line)
	}
	flows := w.Tweak
	w.Tweak = func(o *engine.Options) {
		flows(o)
		o.Worker.Models[""] = held{w.Model, rein.RunID(f[0]), f[1], func() { untilStep(w, rein.RunID(f[3]), f[5]) }}
	}
}

// held is a model some of whose calls wait.
type held struct {
	rein.Model
	run  rein.RunID
	text string
	wait func()
}

func (h held) Generate(ctx context.Context, r rein.ModelRequest, delta func(string)) (rein.ModelReply, error) {
	if r.Run == h.run && slices.ContainsFunc(r.Messages, func(m rein.Message) bool { return strings.Contains(m.Text, h.text) }) {
		h.wait()
	}
	return h.Model.Generate(ctx, r, delta)
}

// tellTree writes down what became of every run.
func tellTree(w *enginetest.World) string {
	var b strings.Builder
	calls := map[string]script.Call{}
	for _, c := range w.Model.Calls() {
		calls[string(c.Request.Run)+":"+string(c.Request.Step)] = c
	}
	runs := tree(w, store.Filter{Tree: "r1"})
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		teller{&b, w, calls, nil, false}.tell(runs[id])
	}
	return b.String()
}

func tree(w *enginetest.World, filter store.Filter) map[rein.RunID]rein.RunInfo {
	w.Helper()
	runs := map[rein.RunID]rein.RunInfo{}
	for info, err := range w.Store.Runs(context.Background(), filter) {
		if err != nil {
			w.Fatal(err)
		}
		runs[info.ID] = info
	}
	return runs
}

type teller struct {
	*strings.Builder
	w      *enginetest.World
	calls  map[string]script.Call
	before []rein.Message
	cut    bool // somebody ended the run: whether it saw its children end before itself is chance
}

func (b teller) tell(info rein.RunInfo) {
	b.cut = !info.End().End.Completed() && info.End().End != rein.EndFailed
	for _, e := range b.w.Events(info.ID) {
		switch e.Kind {
		case rein.RunStarted:
			var start rein.RunStart
			b.read(e, &start)
			fmt.Fprintf(b, "run %s: %s %s\n", info.ID, info.Flow, start.Task.Settings)
		case rein.StepStarted:
			b.prompt(e)
		case rein.StepDone:
			b.done(e)
		case rein.AskOpened:
			var ask rein.Ask
			b.read(e, &ask)
			fmt.Fprintf(b, "  %s asks: %s\n", ask.ID, ask.Text)
		default:
			var c rein.Command
			if kind := e.Kind.Command(); kind != "" && kind != rein.CommandChild { // when a child ends is chance
				b.read(e, &c)
				fmt.Fprintf(b, "  %s: %s\n", c.By, strings.TrimSpace(fmt.Sprint(kind, " ", c.Answer.State, " ", c.Text, c.Answer.Text)))
			}
		}
	}
	end := info.End()
	fmt.Fprintf(b, "  ended: %s %s\n", end.End, indented(end.Text))
	if end.Failure != nil {
		fmt.Fprintf(b, "  because: %s: %s\n", end.Failure.Code, end.Failure.Msg)
	}
	if len(end.Data) > 0 && !b.cut {
		fmt.Fprintf(b, "  data: %s\n", end.Data)
	}
}

func (b *teller) prompt(e rein.Event) {
	call, ok := b.calls[string(e.Run)+":"+string(e.Step)]
	if !ok {
		return
	}
	r := call.Request
	fmt.Fprintf(b, "  %s model (%s, round %d): %s\n", e.Step, r.Phase, r.Round, r.Human)
	same := 0
	for same < min(len(r.Messages), len(b.before)) && cmp.Equal(r.Messages[same], b.before[same]) {
		same++
	}
	for _, m := range r.Messages[same:] {
		text := m.Text
		if m.Role == rein.System || m.Role == rein.Developer && !strings.Contains(text, "<untrusted source") {
			text, _, _ = strings.Cut(text, "\n") // what a standing instruction says is no matter of a scenario
			text = strings.ToValidUTF8(text[:min(len(text), 60)], "")
		}
		fmt.Fprintf(b, "      %s: %s\n", m.Role, indented(text))
	}
	b.before = r.Messages
}

func (b teller) done(e rein.Event) {
	var end rein.StepEnd
	b.read(e, &end)
	switch {
	case end.Message != nil && end.Failure == nil:
		fmt.Fprintf(b, "  %s says: %s", e.Step, indented(end.Message.Text))
		for _, c := range end.Message.Calls {
			fmt.Fprintf(b, " [%s %s]", c.Name, c.Args)
		}
		b.WriteString("\n")
	case b.cut && (end.Outcome != nil || end.Failure != nil):
	case end.Failure != nil:
		fmt.Fprintf(b, "  %s fails: %s: %s\n", e.Step, end.Failure.Code, end.Failure.Msg)
	case end.Result != nil && e.Step != "1": // the first is the look at the past
		fmt.Fprintf(b, "  %s gives (%s): %s\n", e.Step, end.Result.Status, indented(end.Result.Text))
	case end.Child != "":
		fmt.Fprintf(b, "  %s spawns %s\n", e.Step, end.Child)
	case end.Outcome != nil:
		fmt.Fprintf(b, "  %s waited: %s %s\n", e.Step, end.Outcome.End, indented(end.Outcome.Text))
	case len(end.Items) > 0:
		fmt.Fprintf(b, "  %s hears: %s %s\n", e.Step, end.Items[0].Kind, end.Items[0].Text)
	}
}

func (b teller) read(e rein.Event, into any) {
	if err := json.Unmarshal(e.Data, into); err != nil {
		b.w.Fatal(err)
	}
}

func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }
