package strict

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/flow/chat"
	"rein/flow/kit"
	"rein/flow/operate"
)

// strictStub is a Run whose model says, phase by phase, what it is told to. It notes its verbs.
type stub struct {
	rein.Run
	says  map[string]string // by phase
	calls []rein.ToolCall   // of act
	verbs []string
	fail  func(verb string, n int) error // before the n-th verb, from 1
	talk  []rein.Message                 // of the last prompt
	shown []string                       // the phases whose text people see being written
	items []rein.Item
}

func (s *stub) verb(name string) error {
	s.verbs = append(s.verbs, name)
	if s.fail == nil {
		return nil
	}
	return s.fail(name, len(s.verbs))
}

func (s *stub) CallModel(p rein.Prompt) (rein.Message, error) {
	s.talk = p.Messages
	if p.Stream {
		s.shown = append(s.shown, p.Phase)
	}
	if err := s.verb(p.Phase); err != nil {
		return rein.Message{}, err
	}
	m := rein.Message{Role: rein.Assistant, Text: s.says[p.Phase]}
	if p.Phase == "act" {
		m.Calls = s.calls
	}
	return m, nil
}

func (s *stub) CallTool(c rein.ToolCall) (rein.ToolResult, error) {
	if c.Internal {
		return rein.ToolResult{Status: rein.ToolRefused}, s.verb("history")
	}
	return rein.ToolResult{Status: rein.ToolOK, Text: "ok"}, s.verb("tool")
}

func (s *stub) AskUser(q rein.Question) (rein.Answer, error) {
	if err := s.verb("ask " + q.Text); err != nil {
		return rein.Answer{State: rein.AskWithdrawn}, err
	}
	return rein.Answer{State: rein.AskAnswered, Text: "blue"}, nil
}

func (s *stub) Inbox() ([]rein.Item, error) {
	items := s.items
	s.items = nil
	return items, s.verb("inbox")
}

// phases are the verbs that people see.
func (s *stub) phases() string {
	seen := slices.DeleteFunc(slices.Clone(s.verbs), func(v string) bool { return v == "inbox" || v == "history" })
	return strings.Join(seen, ", ")
}

func taskOf(steps int) rein.Task {
	return rein.Task{
		Flow: "strict", Tools: []string{"read", RequestInput}, Settings: fmt.Appendf(nil, `{"max_steps": %d}`, steps),
		Messages: []rein.Message{{Role: rein.User, Text: "Why?"}},
	}
}

// Table B.2: every combination of finish, final_answer and request_input in a reason block, with and
// without prose before it. What is not said to end leads to act.
//
// Covers: TAB-B2 RAO-6 RAO-14 RAO-22
func TestStrictReasonTable(t *testing.T) {
	const on = "act, observe"
	for _, finish := range []string{"true", "false", "", `"true"`, "1", "null"} {
		for _, answer := range []string{`"The answer."`, `""`, `" "`, "", "7", "null"} {
			for _, ask := range []string{"", `{"question": "Which?"}`, `"Which?"`, `{"question": ""}`, "null", "true"} {
				for _, prose := range []string{"", "Some thoughts."} {
					block := blockOf("plan", `"p"`, "finish", finish, "final_answer", answer, "request_input", ask)
					ends, answered, asked := finish == "true", answer == `"The answer."`, strings.Contains(ask, "Which")
					want, exit, text := "reason, "+on, "observe", "Seen."
					switch {
					case ends && answered:
						want, exit, text = "reason", "finish", "The answer."
					case asked:
						want = "reason, ask Which?, " + on
					case ends && prose != "":
						want, exit, text = "reason", "finish", prose
					case ends:
						want, exit, text = "reason, closing", "finish", "Closed."
					}
					run := &stub{says: map[string]string{
						"reason": prose + "\n" + block, "closing": "Closed.", "observe": `{"observation": "Seen.", "should_continue": false}`,
					}}
					wantOutcome(t, prose+block, run, taskOf(3), want, text, exit, rein.EndDone)
				}
			}
		}
	}
}

// Table B.3: every combination of final_answer, should_continue and observation in an observe block, in
// a step that others follow and in the last one.
//
// Covers: TAB-B3 RAO-11 RAO-12 RAO-22
func TestStrictObserveTable(t *testing.T) {
	const step = "reason, act, observe"
	for _, goOn := range []string{"true", "false", "", `"false"`, "0", "null"} {
		for _, answer := range []string{`"The answer."`, `""`, "", "7"} {
			for _, observation := range []string{`"Seen."`, ""} {
				for _, prose := range []string{"", "Some thoughts."} {
					for _, steps := range []int{1, 2} {
						block := blockOf("observation", observation, "should_continue", goOn, "final_answer", answer)
						want, exit, text, end := step, "observe", "The answer.", rein.EndDone
						switch {
						case answer == `"The answer."`:
						case goOn == "false" && observation != "":
							text = "Seen."
						case goOn == "false" && prose != "":
							text = prose
						case goOn == "false":
							want, text = step+", closing", "Closed."
						default:
							want, exit, text, end = strings.Repeat(step+", ", steps)+"closing", "limit", "Closed.", rein.EndLimit
						}
						run := &stub{says: map[string]string{"reason": "Hm.", "observe": prose + block, "closing": "Closed."}}
						wantOutcome(t, fmt.Sprint(prose, block, steps), run, taskOf(steps), want, text, exit, end)
					}
				}
			}
		}
	}
}

func blockOf(pairs ...string) string {
	var fields []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields = append(fields, fmt.Sprintf("%q: %s", pairs[i], pairs[i+1]))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func wantOutcome(t *testing.T, name string, run *stub, task rein.Task, phases, text, exit string, end rein.End) {
	t.Helper()
	out, err := Do(run, task)
	var data Data
	if err == nil {
		err = json.Unmarshal(out.Data, &data)
	}
	if err != nil || out.End != end || out.Text != text || data.Exit != exit || run.phases() != phases {
		t.Errorf("%s:\n got %s: %s %q %s (%v)\nwant %s: %s %q %s", name, run.phases(), out.End, out.Text, out.Data, err, phases, end, text, exit)
	}
}

// Where the run was not given request_input nobody is asked: a question in the reason block counts for
// nothing, and a call of that name is the pipeline's to refuse.
//
// Covers: RAO-41
func TestStrictAsksOnlyWhereItMay(t *testing.T) {
	task := taskOf(1)
	task.Tools = []string{"read"}
	run := &stub{
		says: map[string]string{
			"reason": `{"finish": false, "request_input": {"question": "Which?"}}`, "observe": `{"final_answer": "Done."}`,
		},
		calls: []rein.ToolCall{{ID: "a", Name: RequestInput, Args: []byte(`{"question": "Which?"}`)}},
	}
	wantOutcome(t, "without request_input", run, task, "reason, act, tool, observe", "Done.", "observe", rein.EndDone)
}

// Only an answer is shown while it is written: a client that hides the phases shows what it would show
// of any other run.
func TestStrictStreamsOnlyTheAnswer(t *testing.T) {
	run := busy()
	if out, err := Do(run, taskOf(2)); err != nil || !slices.Equal(run.shown, []string{"closing"}) {
		t.Errorf("%q is shown: %+v %v", run.shown, out, err)
	}
}

// With agent mode off a run works as ever: no reason, no observe.
//
// Covers: RAO-61
func TestOtherFlowsAreNotStrict(t *testing.T) {
	for want, kind := range map[string]kit.Kind{"act": operate.Kind(), "final": chat.Kind()} {
		run := &stub{says: map[string]string{"act": "Done.", "final": "Done."}}
		task := taskOf(1)
		task.Settings = nil
		out, err := kind.Do(run, task)
		if err != nil || out.Text != "Done." || run.phases() != want {
			t.Errorf("%s: %s %+v %v", kind.Name, run.phases(), out, err)
		}
	}
}

// Whatever is wrong with a block, its reply is read without harm, and what is kept of it has no block
// that was understood.
//
// Covers: RAO-14
func TestStrictBlock(t *testing.T) {
	for _, c := range []struct{ reply, finish, prose string }{
		{`{"finish": true}`, "true", ""},
		{"Before.\n```json\n{\"finish\": true}\n```\nAfter.", "true", "Before.\n\nAfter."},
		{`First {"finish": false}, then {"finish": true}`, "true", `First {"finish": false}, then`},
		{`{"finish": true} and an example: {"a": {"finish": false}}`, "true", `and an example: {"a": {"finish": false}}`},
		{`{"a": 1} then damaged {finish: true,}`, "true", `{"a": 1} then damaged`},
		{`{"finish": false} then damaged {"finish": true,}`, "true", `{"finish": false} then damaged`},
		{`Braces {in} "prose}" {"finish": true, "plan": "a } b"}`, "true", `Braces {in} "prose}"`},
		{`No end {"finish": true`, "true", "No end"},
		{`Cut {"finish": true, "final_answer": "The beg`, "", `Cut {"finish": true, "final_answer": "The beg`},
		{`[{"finish": true}]`, "", `[{"finish": true}]`},
		{"", "", ""},
		{"null", "", "null"},
		{"{", "", "{"},
		{strings.Repeat("{", 5000), "", strings.Repeat("{", 5000)},
	} {
		block, prose := block(c.reply, "finish")
		if string(block["finish"]) != c.finish || prose != c.prose {
			t.Errorf("%.80q: finish %s, prose %.80q", c.reply, block["finish"], prose)
		}
	}
}

func FuzzStrictBlock(f *testing.F) {
	f.Add(`First {"finish": false}, then {"final_answer": "x",}`)
	f.Fuzz(func(t *testing.T, reply string) {
		for _, v := range []verdict{readReason(reply, true), readObserve(reply)} {
			if v.ends && v.ask != "" || !v.ends && v.final != "" {
				t.Fatalf("%q: %+v", reply, v)
			}
		}
	})
}
