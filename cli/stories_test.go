package cli

import (
	"context"
	"fmt"

	"rein"
	"rein/engine/enginetest/flows"
	"rein/store/storetest"
)

// A story is a run, named after the story, and what happens to it.
type story struct {
	play string // what the model says
	tell func(*maker)
}

const sayHello = "when\nsay Hello.\nusage in=12 out=3\n"

var stories = map[string]story{
	"done": {`
price in=3.00 out=15.00
turn 1
say I will look it up.
call echo {"q":"rein"}
usage in=20 out=10
turn 2
say A rein guides a horse.
usage in=40 out=8
`, func(m *maker) {
		m.begin()
		m.start("done", "loop", "What is a rein?\nIn one sentence.", flows.Settings{}, "echo")
		m.untilEnd("done")
		m.end()
	}},
	"failed": {`
when
fail provider "503 overloaded"
`, func(m *maker) {
		m.begin()
		m.start("failed", "once", "Hello?", flows.Settings{})
		m.untilEnd("failed")
		m.end()
	}},
	"waiting": {sayHello, func(m *maker) {
		m.begin()
		m.start("waiting", "ask", "Paint the barn", colour)
		m.untilKind("waiting", rein.RunParked)
		m.end()
	}},
	"answered": {sayHello, func(m *maker) {
		m.begin()
		m.start("answered", "ask", "Paint the barn", colour)
		m.untilKind("answered", rein.RunParked)
		ask, err := m.store.Ask(context.Background(), "answered:1.ask")
		check(err)
		m.send(ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "red"}))
		m.untilEnd("answered")
		m.end()
	}},
	"stopped": {sayHello, func(m *maker) {
		m.begin()
		m.start("stopped", "ask", "Paint the barn", colour)
		m.untilKind("stopped", rein.RunParked)
		m.send(rein.Command{Kind: rein.CommandComment, Run: "stopped", Text: "we have no paint"})
		m.send(rein.Command{Kind: rein.CommandStop, Run: "stopped", Text: "tomorrow"})
		m.untilEnd("stopped")
		m.end()
	}},
	"steered": {sayHello, func(m *maker) {
		m.begin()
		m.model.Hook = func(r rein.ModelRequest) {
			if r.Step == "1" {
				m.send(rein.Command{Kind: rein.CommandMessage, Run: "steered", Text: "be brief"})
			}
		}
		m.start("steered", "steer", "Tell me all", flows.Settings{Rounds: 2})
		m.untilEnd("steered")
		m.end()
	}},
	"unsure": {sendOnce, func(m *maker) { unsure(m, "unsure") }},
	"doubt": {sendOnce, func(m *maker) { // the same, of the one who owns the data
		m.user = "owner"
		unsure(m, "doubt")
	}},
	"tree": {sayHello, func(m *maker) {
		m.begin()
		child := func(text string) rein.Task {
			return rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: text}}}
		}
		m.start("tree", "family", "Ask both", flows.Settings{Children: []rein.Task{child("Ask Bob"), child("Ask Cleo")}})
		m.untilEnd("tree")
		m.end()
	}},
	"many": {sayHello, func(m *maker) {
		m.begin()
		for i := range mostTrees + 2 {
			id := rein.RunID(fmt.Sprintf("many-%02d", i))
			m.start(id, "once", "Hello?", flows.Settings{})
			m.untilEnd(id)
		}
		m.end()
	}},
	"blocked": {sayHello, func(m *maker) {
		m.begin()
		m.start("blocked", "ask", "Paint the barn", colour)
		m.untilKind("blocked", rein.RunParked)
		m.end()
		m.begin("ask")
		check(m.engine.Resume(context.Background(), "blocked", "ann"))
		m.untilKind("blocked", rein.RunBlocked)
		m.end()
	}},
	"erased": {sayHello, func(m *maker) {
		m.begin()
		m.start("erased", "once", "My secret is 42", flows.Settings{})
		m.untilEnd("erased")
		check(m.store.Erase(context.Background(), storetest.These("erased")))
		m.end()
	}},
	"bent": {sayHello, func(m *maker) {
		m.begin()
		m.start("bent", "once", "Hello?", flows.Settings{})
		m.untilEnd("bent")
		m.end()
		check(changeSQL(m.path, `UPDATE events SET by = 'eve' WHERE seq = 3 AND run_n = (SELECT n FROM runs WHERE id = 'bent')`))
	}},
	"escape": { // text that would clear the screen, set the title, and turn the line around
		"turn 1\nmalformed \"\\x1b[2J\\x1b]0;owned\\a\\u009b1m\\u202eabc\\r\\n\\tdone \\U000e0041\"\ncall echo {\"q\":\"\\u001b[31m\"}\nturn 2\nsay ok\n",
		func(m *maker) {
			m.begin()
			m.start("escape", "loop", "\x1b[31mred\x1b[0m\u202e title", flows.Settings{}, "echo")
			m.untilEnd("escape")
			m.end()
		},
	},
	"dropped": {"when\nhang\n", func(m *maker) {
		m.begin()
		m.start("dropped", "once", "Think hard", flows.Settings{})
		m.untilKind("dropped", rein.StepStarted)
		m.die()
	}},
}

var colour = flows.Settings{Question: rein.Question{Text: "Which colour?", Choices: []string{"red", "blue"}, For: "ann"}}

const sendOnce = `
turn 1
call send {"to":"bob"}
turn 2
say Sent.
`

// unsure is a run whose call was under way when the program died.
func unsure(m *maker, id rein.RunID) {
	m.begin()
	m.tools.Hold("send")
	m.start(id, "loop", "Write to Bob", flows.Settings{}, "send")
	m.untilKind(id, rein.StepIntent)
	m.die()
	m.begin()
	m.untilKind(id, rein.RunParked)
	m.end()
}
