package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/terminal"
)

func noEnv(string) string { return "" }

func eventLine(kind rein.Kind, run rein.RunID, step rein.StepKey, payload any) api.Line {
	data, _ := json.Marshal(payload)
	return api.Line{Event: &rein.Event{Run: run, Kind: kind, Step: step, Data: data}}
}

// still is a keyboard on which nobody types, at one moment.
type still struct{ now time.Time }

func (still) Want()                        {}
func (still) Typed() <-chan terminal.Typed { return nil }
func (still) Taken()                       {}
func (still) Discard()                     {}
func (s still) Now() time.Time             { return s.now }

// aTree is an owner that knows one ask of a child, and who may answer it.
func aTree(ask rein.Ask) *app.App {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/asks/{id}", func(w http.ResponseWriter, r *http.Request) { _ = json.NewEncoder(w).Encode(ask) })
	mux.HandleFunc("POST /v1/commands", func(w http.ResponseWriter, r *http.Request) {
		var c rein.Command
		_ = json.NewDecoder(r.Body).Decode(&c)
		c.Answer.By = "owner"
		if err := cmp.Or(ask.Accepts(c.Answer), ask.Binds(c.Answer)); err != nil {
			p := api.ProblemOf(err)
			w.Header().Set("Content-Type", api.ProblemType)
			w.WriteHeader(p.Status)
			_ = json.NewEncoder(w).Encode(p)
			return
		}
		_ = json.NewEncoder(w).Encode(rein.Receipt{})
	})
	return &app.App{Client: client.Handler(mux)}
}

// What a child asks is shown at the root with where it comes from. It is waited for when the whole
// tree waits, and not before.
//
// Covers: SD-47
func TestWatchChild(t *testing.T) {
	ask := rein.Ask{ID: "r1.2:1.ask", Run: "r1.2", Step: "1", Kind: rein.AskApproval, Text: "Allow rm?", State: rein.AskPending, Call: &rein.ToolCall{Name: "rm"}, Shown: rein.ShownMark + "1"}
	opened := eventLine(rein.AskOpened, "r1.2", "1.ask", ask)
	parked := func(run rein.RunID) api.Line { return eventLine(rein.RunParked, run, "", rein.Parked{}) }
	begun := func(run rein.RunID) api.Line {
		return eventLine(rein.StepStarted, run, "3", rein.StepStart{Prompt: &rein.PromptRecord{}})
	}
	step := eventLine(rein.StepStarted, "r1.2", "1", rein.StepStart{Call: &rein.ToolCall{Name: "rm"}})
	for name, c := range map[string]struct {
		options
		change func(*rein.Ask)
		lines  []api.Line
		code   quiet // zero: it goes on
		shows  string
	}{
		"parked":           {options{park: true}, nil, []api.Line{begun("r1"), opened, parked("r1.2"), parked("r1")}, exitWaits, "approval: Allow rm? (asked by run r1.2)"},
		"parent works":     {options{park: true}, nil, []api.Line{begun("r1"), opened, parked("r1.2")}, 0, ""},
		"child works":      {options{park: true}, nil, []api.Line{begun("r1"), opened, begun("r1.2"), parked("r1")}, 0, ""},
		"denied":           {options{}, nil, []api.Line{begun("r1"), opened, parked("r1")}, 0, "[r1.2] ? Allow rm?\n[r1.2]   refused: nobody is at a terminal"},
		"another person's": {options{}, func(a *rein.Ask) { a.For = "ann" }, []api.Line{begun("r1"), opened, parked("r1.2"), parked("r1")}, exitWaits, "is for ann"},
		"withdrawn": {
			options{park: true},
			nil,
			[]api.Line{begun("r1"), opened, eventLine(rein.CommandModify.EventKind(), "r1.2", "", rein.Command{}), parked("r1.2"), parked("r1")},
			0, "",
		},
		"answered elsewhere": {
			options{park: true},
			nil,
			[]api.Line{begun("r1"), opened, eventLine(rein.CommandAnswer.EventKind(), "r1.2", "", rein.Command{Ask: ask.ID, Answer: rein.Answer{State: rein.AskApproved}}), parked("r1.2"), parked("r1")},
			0, "[r1.2] - answered elsewhere: approved",
		},
		"allowed": {options{yesTo: []string{"rm"}}, nil, []api.Line{begun("r1"), step, opened}, 0, "allowed by --yes-to rm"},
		"guessed": { // a flag does not stand for a person who looks at a guess
			options{yesTo: []string{"rm"}},
			func(a *rein.Ask) { a.Guessed = "coerced" },
			[]api.Line{begun("r1"), step, opened},
			0, "refused: nobody is at a terminal",
		},
		"in person": { // nor for one who looks at what reaches out of the sandbox
			options{yesTo: []string{"rm"}},
			func(a *rein.Ask) { a.InPerson = true },
			[]api.Line{begun("r1"), step, opened},
			0, "no flag allows what reaches out of the sandbox",
		},
		"old": { // and this one may be a guess
			options{yesTo: []string{"rm"}},
			func(a *rein.Ask) { a.Shown = "0a1b" },
			[]api.Line{begun("r1"), step, opened},
			0, "refused: nobody is at a terminal",
		},
		"blocked": {options{}, nil, []api.Line{begun("r1"), eventLine(rein.RunBlocked, "r1", "", rein.Blocked{Reason: "no flow"})}, exitWrong, "`rein resume r1` tries again"},
		"resumed": {
			options{},
			nil,
			[]api.Line{begun("r1"), eventLine(rein.RunBlocked, "r1", "", rein.Blocked{}), eventLine(rein.RunResumed, "r1", "", nil)},
			exitWrong, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			caller := &call{options: c.options, stdin: strings.NewReader(""), out: terminal.NewOutput(&out, &out, noEnv)}
			now := ask
			if c.change != nil {
				c.change(&now)
			}
			w := caller.watch(aTree(now), "r1")
			var err error
			for _, line := range c.lines {
				if err = errors.Join(w.arrived(t.Context(), line), w.rest()); err != nil {
					break
				}
			}
			code, _ := errors.AsType[quiet](err)
			if code != c.code || !strings.Contains(out.String(), c.shows) {
				t.Errorf("%v, want %d and %q:\n%s", err, c.code, c.shows, out.String())
			}
		})
	}
}

// What is typed before the prompt has been on the screen for a moment answers nothing, however it comes:
// as a line that was complete before, or as one that a slow reader brings late.
//
// Attack: 51
func TestPromptTakesAMoment(t *testing.T) {
	ask := rein.Ask{ID: "r1:1.ask", Run: "r1", Step: "1", Kind: rein.AskApproval, Text: "Allow rm?", State: rein.AskPending, Call: &rein.ToolCall{Name: "rm"}, Effect: rein.Unsafe, Shown: rein.ShownMark + "1"}
	var out bytes.Buffer
	caller := &call{stdin: strings.NewReader(""), out: terminal.NewOutput(&out, &out, noEnv)}
	w := caller.watch(aTree(ask), "r1")
	now := time.Now()
	w.asking, w.keys = askHere, still{now} // nothing reads: the lines come from this test
	settled := make(chan time.Time)
	w.after = func(time.Duration) <-chan time.Time { return settled }
	enter := func(text string, at time.Time) {
		t.Helper()
		if err := errors.Join(w.entered(t.Context(), terminal.Typed{Text: text, At: at}), w.rest()); err != nil {
			t.Fatal(err)
		}
	}
	wantOpen := func(open bool, prompts int) {
		t.Helper()
		if (w.prompt != nil) != open || strings.Count(out.String(), "\n> ") != prompts {
			t.Fatalf("open %v, want %v with %d prompts:\n%s", w.prompt != nil, open, prompts, out.String())
		}
	}
	if err := errors.Join(w.arrived(t.Context(), eventLine(rein.AskOpened, "r1", "1.ask", ask)), w.rest()); err != nil {
		t.Fatal(err)
	}
	wantOpen(true, 0)
	enter("yes", now)
	wantOpen(true, 0)
	w.ready()
	wantOpen(true, 1)
	enter("yes", now.Add(-time.Nanosecond))
	wantOpen(true, 1)
	enter("y", now)
	wantOpen(true, 2)
	enter("yes", now)
	wantOpen(false, 2)
}
