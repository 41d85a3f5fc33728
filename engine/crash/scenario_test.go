package crash

import (
	"encoding/json"
	"fmt"

	"rein"
	"rein/engine/enginetest/flows"
)

// A scenario is runs, what the model says in them and what people do. Its outcome depends on nothing
// else: commands are sent at events at which the run waits for them, and budgets have slack where it
// is not the budget that matters. Arguments differ from call to call, so that calls can be told apart.
type scenario struct {
	name   string
	script string
	starts []start
	orders []order
	holds  []hold
	maybe  []string // effects that may happen or not: they race with a command
	open   bool     // what the runs say at their end depends on that race; how they end does not
	// Nobody says what became of a call of the run patient before the run first has ended: until then it is
	// unknown, and an equal call of the session must not be made without a word. Empty: nobody waits.
	patient, first rein.RunID

	commands bool // its effects are those of real commands
	undoes   bool // and are undone: what counts is what is in the workspace
}

type start struct {
	id   rein.RunID
	task rein.Task
}

func scenarioNamed(name string) (scenario, error) {
	for _, s := range append(scenarios(), planted, sound) {
		if s.name == name {
			return s, nil
		}
	}
	return scenario{}, fmt.Errorf("no scenario %q", name)
}

// one is a scenario of one run.
func one(name string, task rein.Task, script string, orders ...order) scenario {
	return scenario{name: name, script: script, starts: []start{{"r1", task}}, orders: orders}
}

func task(flow, text string, tools ...string) rein.Task {
	return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools}
}

func with(t rein.Task, s flows.Settings) rein.Task {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // our own literals
	}
	t.Settings = data
	return t
}

func family(children ...rein.Task) rein.Task {
	t := with(task("family", "go"), flows.Settings{Children: children})
	t.Tools = []string{"echo", "add", "post", "send", "keep", "stay"} // a child has at most these
	return t
}

// asked is the order to send something when an ask opens.
func asked(run rein.RunID, step rein.StepKey, send ...rein.Command) order {
	return order{run, rein.AskOpened, step.Sub("ask", 1), send}
}

// said is the order to answer a question.
func said(run rein.RunID, step rein.StepKey, text string) order {
	return asked(run, step, reply(run, step, rein.Answer{State: rein.AskAnswered, Text: text}))
}

func reply(run rein.RunID, step rein.StepKey, a rein.Answer) rein.Command {
	return answer(run, rein.NewAskID(run, step.Sub("ask", 1)), a)
}

func send(kind rein.CommandKind, run rein.RunID, text string) rein.Command {
	return rein.Command{Kind: kind, Run: run, By: "ann", Text: text}
}

// twoCalls makes a call, then another, then an answer.
func twoCalls(first, second string) string {
	return "turn 1\ncall " + first + ` {"n":1}` + "\nturn 2\ncall " + second + ` {"n":2}` + "\nturn 3\nsay over"
}

// planted has a tool that lies about its effect.
var planted = one("planted", task("loop", "go", "liar"), "turn 1\ncall liar {}\nturn 2\nsay over")

// sound is the same with a tool that tells the truth: before it has its effect, the log holds its
// intent and the model's reply.
var sound = one("sound", task("loop", "go", "add"), "turn 1\ncall add {}\nturn 2\nsay over")
