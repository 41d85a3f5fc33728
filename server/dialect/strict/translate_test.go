package strict_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/flowtest"
	"rein/server/dialect/strict"
)

// translate returns the messages of a log, run by run.
func translate(log []rein.Event) map[rein.RunID][]strict.Message {
	translators, out := map[rein.RunID]*strict.Translator{}, map[rein.RunID][]strict.Message{}
	for _, e := range log {
		if translators[e.Run] == nil {
			translators[e.Run] = strict.NewTranslator()
		}
		out[e.Run] = append(out[e.Run], translators[e.Run].Event(e)...)
	}
	return out
}

// sceneFile is the file of a scene, such as strict/c1_order, in the folder of its flow.
func sceneFile(name string) string {
	return "../../../flow/" + strings.Replace(name, "/", "/testdata/", 1) + ".txtar"
}

// Whatever happens in a run, the log alone gives messages that keep the contract: steps that count up
// from 1, one end for every call that began, one terminal message by cause, and response_complete once
// and last.
//
// Covers: RAO-13 RAO-50 RAO-52 RAO-60/server
func TestContract(t *testing.T) {
	var files []string
	for _, pattern := range []string{"strict/*", "operate/*", "answer/*", "chat/*"} {
		found, err := filepath.Glob(sceneFile(pattern))
		check(t, err)
		files = append(files, found...)
	}
	for _, file := range files {
		flow := filepath.Base(filepath.Dir(filepath.Dir(file)))
		t.Run(flow+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			log, _ := flowtest.Record(t, file, 1)
			for run, messages := range translate(log) {
				if wrong := breaks(messages, flow == "strict"); wrong != "" {
					t.Errorf("run %s: %s:\n%s", run, wrong, told(messages))
				}
			}
		})
	}
}

// breaks says how the messages of a finished run break the contract.
func breaks(messages []strict.Message, agent bool) string {
	ends, step, open := 0, 0, map[string]bool{}
	for i, m := range messages {
		if m.Step < step && m.Step > 0 {
			return "a step goes back"
		}
		step = max(step, m.Step)
		if m.UpdateType == "agent_turn_start" && m.Step < 1 {
			return "steps do not begin at 1"
		}
		switch {
		case m.Type == "tool_start":
			open[m.CallID] = true
		case m.Type == "tool_complete" || m.Type == "tool_error":
			if !open[m.CallID] {
				return "a call ends that did not begin: " + m.CallID
			}
			delete(open, m.CallID)
		case m.UpdateType == "agent_completion" || m.UpdateType == "agent_stopped" || m.Type == "error":
			ends++
		case m.Type == "response_complete" && i != len(messages)-1:
			return "something comes after response_complete"
		}
		if m.Content != nil && *m.Content != m.Message {
			return "message does not repeat content"
		}
	}
	switch last := messages[len(messages)-1]; {
	case last.Type != "response_complete":
		return "response_complete does not come last"
	case agent && ends != 1 || !agent && ends > 1:
		return "not one terminal message"
	case len(open) > 0:
		return "a call does not end"
	}
	return ""
}

// event makes one without a place.
func event(t testing.TB, kind rein.Kind, step rein.StepKey, data any) rein.Event {
	raw, err := json.Marshal(data)
	check(t, err)
	return rein.Event{Run: "r1", Kind: kind, Step: step, Data: raw}
}

// Names of files are shown without where they lie and without the keys of an address, in arguments and
// in results; everything else stays as it is. Who is asked to agree sees all of it.
//
// Covers: RAO-51 RAO-73
func TestFileNames(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"filename": "/srv/data/a/../b/report.pdf"}`, `{"filename":"report.pdf"}`},
		{`{"filename": "https://files.example/d/x.csv?token=secret", "n": 12345678901234567890}`, `{"filename":"x.csv","n":12345678901234567890}`},
		{`{"file_names": ["C:\\temp\\a.txt", "b.txt", 3]}`, `{"file_names":["a.txt","b.txt",3]}`},
		{`{"deep": {"FileName": "..", "x": [{"filename": "/etc/passwd"}]}}`, `{"deep":{"FileName":"file","x":[{"filename":"passwd"}]}}`},
		{`{"path": "/srv/data/a.txt"}`, `{"path":"/srv/data/a.txt"}`}, // the tool's business, not a file's name
		{`{"filename": "plain.txt"}`, `{"filename":"plain.txt"}`},
		{`{"filename": "<b>\u0000.txt"}`, `{"filename":"_b_.txt"}`},
		{``, `{}`},
		{`not json`, `"not json"`},
		{`[1,`, `"[1,"`},
	} {
		tr := strict.NewTranslator()
		call := rein.ToolCall{ID: "c1", Name: "read", Args: json.RawMessage(c.args)}
		got := tr.Event(event(t, rein.StepStarted, "1", rein.StepStart{Call: &call}))
		if len(got) != 1 || compact(got[0].Arguments) != c.want || got[0].CallID != "c1" {
			t.Errorf("%s: %s, want %s", c.args, told(got), c.want)
		}
		asked := tr.Event(event(t, rein.AskOpened, "1.ask", rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, State: rein.AskPending, Call: &call}))
		if len(asked) != 1 || c.args != "" && c.args[0] == '{' && compact(asked[0].Arguments) != compact([]byte(c.args)) {
			t.Errorf("%s: asked: %s", c.args, told(asked))
		}
		if c.args == "" || c.args[0] != '{' {
			continue
		}
		done := tr.Event(event(t, rein.StepDone, "1", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Text: c.args}}))
		if len(done) != 1 || compact([]byte(*done[0].Result)) != c.want {
			t.Errorf("%s: result: %s", c.args, told(done))
		}
	}
}

func compact(data []byte) string {
	var value any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return string(data)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return string(data)
	}
	return strings.TrimSpace(b.String())
}

// Pieces of a text, a new try that begins it again, and what the log has in the end always come to the
// same text; a piece that does not fit is left out, and the text comes whole.
func TestPieces(t *testing.T) {
	piece := func(attempt, offset int, text string) rein.Delta {
		return rein.Delta{Run: "r1", Step: "1", Attempt: attempt, Offset: offset, Text: text}
	}
	for name, c := range map[string]struct {
		pieces []rein.Delta
		text   string
		want   []string // token, first, last; or the whole text
	}{
		"none":       {nil, "Heron.", []string{"Heron."}},
		"all":        {[]rein.Delta{piece(1, 0, "He"), piece(1, 2, "ron.")}, "Heron.", []string{"F He", " ron.", "L "}},
		"the rest":   {[]rein.Delta{piece(1, 0, "He")}, "Heron.", []string{"F He", " ron.", "L "}},
		"another":    {[]rein.Delta{piece(1, 0, "She")}, "Heron.", []string{"F She", "L ", "Heron."}},
		"new try":    {[]rein.Delta{piece(1, 0, "She"), piece(2, 0, "Hero")}, "Heron.", []string{"F She", "L ", "F Hero", " n.", "L "}},
		"a gap":      {[]rein.Delta{piece(1, 0, "He"), piece(1, 4, "n.")}, "Heron.", []string{"F He", " ron.", "L "}},
		"longer":     {[]rein.Delta{piece(1, 0, "Heron and more")}, "Heron.", []string{"F Heron and more", "L ", "Heron."}},
		"cut":        {[]rein.Delta{piece(1, 0, "He")}, "", []string{"F He", "L "}},
		"other step": {[]rein.Delta{{Run: "r1", Step: "9", Attempt: 1, Text: "x"}}, "Heron.", []string{"Heron."}},
		"output":     {[]rein.Delta{piece(1, 0, "He"), {Run: "r1", Step: "1", Attempt: 1, Offset: 2, Text: "of a command", Output: true}, piece(1, 2, "ron.")}, "Heron.", []string{"F He", " ron.", "L "}},
		"nothing":    {nil, "", nil},
	} {
		tr := strict.NewTranslator()
		tr.Event(event(t, rein.StepStarted, "1", rein.StepStart{Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}))
		var out []strict.Message
		for _, d := range c.pieces {
			out = append(out, tr.Delta(d)...)
		}
		out = append(out, tr.Event(event(t, rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Text: c.text}}))...)
		var got []string
		for _, m := range out {
			if m.Type == "chat_response" {
				got = append(got, m.Message)
				continue
			}
			flags := map[bool]string{true: "F"}[*m.IsFirst] + map[bool]string{true: "L"}[*m.IsLast]
			got = append(got, flags+" "+*m.Token)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Each row of the table of events, in this dialect.
//
// Covers: TAB-B11
func TestTable(t *testing.T) {
	ask := rein.Ask{ID: "r1:3.ask", Kind: rein.AskQuestion, State: rein.AskPending, Text: "Which?"}
	unknown := rein.Ask{ID: "r1:3.unknown", Kind: rein.AskUnknown, State: rein.AskPending, Text: "Did it?", Choices: []string{"happened", "again", "skip"}}
	prompt := func(phase string, round int) rein.StepStart {
		return rein.StepStart{About: rein.About{Phase: phase, Round: round}, Prompt: &rein.PromptRecord{}}
	}
	said := rein.StepEnd{Message: &rein.Message{Text: "hm"}}
	tr := strict.NewTranslator()
	for _, c := range []struct {
		event rein.Event
		want  string
	}{
		{event(t, rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "strict", Settings: []byte(`{"max_steps": 4}`)}}), "agent_start"},
		{event(t, rein.StepStarted, "1", prompt("reason", 1)), "agent_turn_start"},
		{event(t, rein.StepWaiting, "1", rein.Waiting{Why: "the rate limit"}), "warning"},
		{event(t, rein.StepAttempt, "1", rein.Attempt{N: 2}), ""},
		{event(t, rein.StepDone, "1", said), "agent_reason"},
		{event(t, rein.StepStarted, "2", prompt("act", 1)), ""},
		{event(t, rein.StepDone, "2", said), ""},
		{event(t, rein.StepStarted, "3", rein.StepStart{About: rein.About{Round: 1}, Call: &rein.ToolCall{ID: "c1", Name: "read"}}), "tool_start"},
		{event(t, rein.AskOpened, "3.ask", ask), "agent_request_input"},
		{event(t, rein.AskOpened, "3.unknown", unknown), "agent_request_input"},
		{event(t, rein.AskOpened, "3.gone", rein.Ask{State: rein.AskWithdrawn}), ""},
		{event(t, rein.CommandExpire.EventKind(), "", rein.Command{Ask: ask.ID}), "agent_request_input_timeout"},
		{event(t, rein.RunParked, "", rein.Parked{}), ""},
		{event(t, rein.RunBlocked, "", rein.Blocked{Reason: "old"}), "warning"},
		{event(t, rein.StepDone, "3", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK}}), "tool_complete"},
		{event(t, rein.StepStarted, "4", rein.StepStart{About: rein.About{Round: 1}, Call: &rein.ToolCall{ID: "c2", Name: "read"}}), "tool_start"},
		{event(t, rein.StepDone, "4", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolTimeout}}), "tool_error"},
		{event(t, rein.StepStarted, "5", prompt("observe", 1)), ""},
		{event(t, rein.StepDone, "5", said), "agent_observe"},
		{event(t, rein.StepStarted, "6", prompt("plan", 2)), "agent_turn_start"},
		{event(t, rein.RunStopped, "", rein.RunEnd{}), "agent_stopped response_complete"},
		{event(t, rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{Text: "Done."}}), "chat_response agent_completion response_complete"},
		{event(t, rein.RunFailed, "", rein.RunEnd{}), "error response_complete"},
	} {
		var got []string
		for _, m := range tr.Event(c.event) {
			if m.Type == "agent_update" {
				m.Type = m.UpdateType
			}
			got = append(got, m.Type)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s gives %v, want %s", c.event.Kind, got, c.want)
		}
	}
}

// How a run fails is told in the contract's own words.
func TestErrorTypes(t *testing.T) {
	for code, want := range map[rein.Code]string{
		rein.CodeRateLimited: "rate_limit", rein.CodeTimeout: "timeout", rein.CodeUnauthorized: "authentication",
		rein.CodeTooLong: "context_window_exceeded", rein.CodeProvider: "bad_request", rein.CodeInvalid: "validation",
		rein.CodeOverloaded: "unexpected", rein.CodeInternal: "unexpected", rein.CodeBudget: "unexpected",
	} {
		end := rein.RunEnd{Failure: &rein.Failure{Code: code, Msg: "why"}}
		got := strict.NewTranslator().Event(event(t, rein.RunFailed, "", end))
		if len(got) != 2 || got[0].ErrorType != want || got[0].Message != "why" {
			t.Errorf("%s: %s, want %s", code, told(got), want)
		}
	}
}

// Whatever a log holds, an erased or a damaged event too, it is translated without a panic.
func FuzzTranslator(f *testing.F) {
	f.Add("step.started", "1", []byte(`{"call":{"id":"c","name":"n"},"prompt":{"stream":true}}`), "text")
	f.Add("step.done", "1", []byte(`{"sig":"tool a b c","result":{"status":"ok"}}`), "")
	f.Add("run.completed", "", []byte(`{"data":{"steps":"x"}}`), "x")
	f.Fuzz(func(t *testing.T, kind, step string, data []byte, text string) {
		tr := strict.NewTranslator()
		tr.Event(event(t, rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "strict"}}))
		call := rein.ToolCall{ID: "c", Name: "n"}
		for _, e := range []rein.Event{
			event(t, rein.StepStarted, "1", rein.StepStart{Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}),
			event(t, rein.StepDone, "0", rein.StepEnd{Message: &rein.Message{Calls: []rein.ToolCall{call}}}),
			{Run: "r1", Kind: rein.Kind(kind), Step: rein.StepKey(step), Data: data},
		} {
			for _, m := range append(tr.Event(e), tr.Delta(rein.Delta{Step: rein.StepKey(step), Text: text, Offset: len(data) % 3})...) {
				if _, err := json.Marshal(m); err != nil {
					t.Errorf("%+v cannot be sent: %v", m, err)
				}
			}
		}
	})
}
