package crash

import (
	"slices"
	"time"

	"rein"
	"rein/engine/enginetest/flows"
)

// scenarios are the rows of the matrix.
func scenarios() []scenario {
	return slices.Concat(effects, people, pipeline, ways, trees, commands, undoing, forks)
}

// effects are about what tools do.
var effects = []scenario{
	one("pure", task("loop", "go", "echo"), twoCalls("echo", "echo")),
	one("idempotent", task("loop", "go", "add"), twoCalls("add", "add")),
	one("checkable", task("loop", "go", "post", "vague"), twoCalls("post", "vague")),
	one("unsafe", task("loop", "go", "send"), twoCalls("send", "send")),
	one("own table", task("loop", "go", "keep", "send"), twoCalls("keep", "keep")),
	one("parallel", task("pair", "go", "echo", "add", "post", "send", "keep"), `
turn 1
call echo {"n":1}
call add {"n":2}
call post {"n":3}
call send {"n":4}
call keep {"n":5}
call send {"n":6}
turn 2
say over
`),
	one("failure", task("loop", "go", "send"), "turn 1\ncall send {}\nturn 2\nfail provider \"503 overloaded\""),
	one("budget", budgeted(), `
when closing=yes
say that was all
turn 1
call add {"n":1}
turn 2
call send {"n":2}
turn 3
call send {"n":3}
`),
}

// sharedDoubt are two runs of a session that make the same call, the second when the first has said that it
// will. A crash leaves the second in doubt about the first one's call.
var sharedDoubt = scenario{
	name: "shared doubt", maybe: []string{"send r2:2"}, patient: "r1", first: "r2",
	starts: []start{{"r1", inSession(task("loop", "go", "send"))}, {"r2", inSession(task("loop", "go", "send"))}},
	script: "turn 1\ncall send {}\nturn 2\nsay over",
	orders: []order{{"r1", rein.StepIntent, "2.intent", nil}},
	holds:  []hold{{"r2", "1", 0}},
}

func inSession(t rein.Task) rein.Task {
	t.Session = "s"
	return t
}

// budgeted may make two rounds. Rounds are paid for once, however often a call is repeated.
func budgeted() rein.Task {
	budget := rein.DefaultBudget()
	budget.Rounds = 2
	t := task("loop", "go", "add", "send")
	t.Budget = &budget
	return t
}

// people are about what is sent to runs.
var people = []scenario{
	one("question", task("rewrite", "go", "send"), "when\nsay Which?\ncall send {}", said("r1", "3", "blue")),
	one("expiry", with(task("ask", "go"), flows.Settings{Question: rein.Question{Text: "Quick?", Timeout: 200 * time.Millisecond}}), "when\nsay never"),
	one("approval", task("pair", "go", "deploy"),
		"turn 1\ncall deploy {\"to\":1}\ncall deploy {\"to\":2}\ncall deploy {\"to\":3}\nturn 2\nsay over",
		asked("r1", "2.1.1", reply("r1", "2.1.1", rein.Answer{State: rein.AskApproved})),
		asked("r1", "2.2.1", reply("r1", "2.2.1", rein.Answer{State: rein.AskEdited, Args: []byte(`{"to":4}`)})),
		asked("r1", "2.3.1", reply("r1", "2.3.1", rein.Answer{State: rein.AskRejected, Text: "no"})),
	),
	steered("steer", with(task("steer", "go"), flows.Settings{Rounds: 2})),
	steered("late message", task("once", "go")),
	modified,
	cancelled,
}

// pipeline goes through every stage that a call can be cut off in: arguments that the model mends,
// arguments that are guessed and so put to a person, who changes them, a question, and a summary.
var pipeline = []scenario{
	one("pipeline", operate(), `
when phase=repair
say {"n": 1}
when phase=compact
say They work on it.
when phase=act round=1
say I will look at all of it, then fix what is broken, and ask you where I cannot know what you want. I begin with what has changed last, because that is where most faults are, and go back from there until it works again.
call look {"n":"one"}
malformed fix `+"`{\"n\": 2`"+`
call query {}
when phase=act round=2
say That is done, and now there is one more thing to be fixed, which is like the first but not the same.
call fix {"n":"3"}
when phase=act system~"Summary of the earlier"
say over
`,
		asked("r1", "5", reply("r1", "5", rein.Answer{State: rein.AskEdited, Args: []byte(`{"n":4}`)})),
		said("r1", "6", "blue"),
		asked("r1", "9", reply("r1", "9", rein.Answer{State: rein.AskApproved})),
	),
}

// ways are the flows that people use, each with effects that must not happen twice.
var ways = []scenario{
	one("answer", task("answer", "go", "look", "add", "send"), `
when phase=decide round=1
call look {"n":1}
when phase=decide round=2
call send {"n":2}
when phase=decide
say {"confidence":"high","enough":true}
when phase=final
say over
`),
	one("strict", task("strict", "go", "add", "send"), `
when phase=reason
say {"plan":"go on","finish":false}
when phase=act round=1
call send {"n":1}
call add {"n":2}
when phase=act
call send {"n":3}
when phase=observe round=1
say {"observation":"half of it","should_continue":true}
when phase=observe
say {"observation":"all of it","final_answer":"over"}
`),
	one("explore", set(task("explore", "go", "add", "send"), `{"depth":1,"width":2,"clarify":false,"questions":0,"child_questions":0}`), `
when phase=split
say {"questions":["What is sent?","What is added?"]}
when run=r1.* turn=1 any~sent
call send {"n":1}
when run=r1.* turn=1
call add {"n":2}
when run=r1.*
say leaf
when phase=act turn=1
call send {"n":3}
when phase=act
say trunk
when phase=summary
say over
when phase=doubt
say {"uncertain": false}
`),
	// A task whose call has an unknown outcome ends with that, so its call here is one that can be made again.
	one("assist", task("assist", "go", "add"), `
when phase=chat
say [NEED_TASK]
when phase=observe
say {"type":"tool_call","tool":"add","args":{"n":1}}
when phase=write
say over
`),
	one("research", task("research", "go", "add", "send"), `
when phase=plan
say {"goal":"g","plan_steps":["a"],"tool_calls":[{"name":"send","arguments":{"n":1}}],"next_action":"tool"}
when phase=reflect round=1..2 any!~"n\":2"
say {"reflection":"more","tool_calls":[{"name":"add","arguments":{"n":2}}],"next_action":"tool"}
when phase=reflect
say {"reflection":"enough","next_action":"respond"}
when phase=write
say over
`),
}

func set(t rein.Task, settings string) rein.Task {
	t.Settings = []byte(settings)
	return t
}

func operate() rein.Task {
	t := task("operate", "Make it work. It has not worked since I changed all of it, and I do not remember what I changed.", "look", "fix", "query")
	t.Settings = []byte(`{"compact_messages": 4, "compact_keep": 1}`)
	return t
}

// modified is modified while a call is under way, and again in the middle of a model call. Only a
// modify ends the call hold, which may or may not have begun.
var modified = scenario{
	name: "modify", starts: []start{{"r1", task("rewrite", "old", "hold", "send", "add")}}, maybe: []string{"hold r1:2.1.1"},
	script: `
when user=old
call hold {"n":1}
call send {"n":2}
when user=newer
hang
when
say fine
call add {"n":3}
`,
	orders: []order{
		{"r1", rein.StepDone, "2.2.1", []rein.Command{send(rein.CommandModify, "r1", "newer")}},
		{"r1", rein.StepStarted, "4", []rein.Command{send(rein.CommandModify, "r1", "newest")}},
	},
}

// cancelled has an unsafe call under way, in a run and in a child. Whether it was sent before the
// cancel came is open; that it is not sent twice is not.
var cancelled = scenario{
	name: "cancel", maybe: []string{"stay r1:2", "stay r2.1:2"}, open: true,
	starts: []start{{"r1", task("loop", "go", "stay")}, {"r2", family(task("loop", "go", "stay"))}},
	script: "turn 1\ncall stay {}",
	orders: []order{
		{"r1", rein.StepIntent, "2.intent", []rein.Command{send(rein.CommandCancel, "r1", "")}},
		{"r2.1", rein.StepIntent, "2.intent", []rein.Command{send(rein.CommandCancel, "r2", "")}},
	},
}

// steered has a message come in the middle of its first model call.
func steered(name string, t rein.Task) scenario {
	s := one(name, t, "when user=left\nsay turning\nwhen\nsay fine",
		order{"r1", rein.StepStarted, "1", []rein.Command{send(rein.CommandMessage, "r1", "left")}})
	s.holds = []hold{{"r1", "1", 0}}
	return s
}

// trees are about children, and about everything at once.
var trees = []scenario{
	one("children", family(
		family(task("loop", "send", "send"), task("loop", "keep", "keep")),
		task("loop", "add", "add"),
		with(task("crowd", "go", "post"), flows.Settings{Children: []rein.Task{task("loop", "post", "post"), task("once", "hi")}}),
	), leaves),
	one("stop", family(task("ask", "go"), task("loop", "send", "send")), `
turn 1
call send {}
turn 2
hang
`, order{"r1.2", rein.StepStarted, "3", []rein.Command{send(rein.CommandStop, "r1", "")}}),
	one("delete", family(task("rewrite", "ask", "send"), task("loop", "add", "add")), "when user=ask\nsay Which?\ncall send {}\n"+leaves,
		asked("r1.1", "3", send(rein.CommandDelete, "r1.1", ""))),
	orphaned,
	{
		name: "many", script: leaves,
		starts: []start{
			{"r1", task("loop", "send", "send")},
			{"r2", task("loop", "add", "add")},
			{"r3", task("loop", "post", "post")},
			{"r4", task("loop", "keep", "keep")},
		},
	},
	everything,
	sharedDoubt,
}

// orphaned leaves children behind that would never end by themselves. The run ends them; what they did
// before that is open.
var orphaned = scenario{
	name: "orphans", maybe: []string{"send r1.1:2"}, open: true,
	starts: []start{{"r1", orphans(task("loop", "go", "send"), task("ask", "go"))}},
	script: "turn 1\ncall send {}\nturn 2\nhang",
}

func orphans(children ...rein.Task) rein.Task {
	t := family(children...)
	t.Flow = "orphans"
	return t
}

// leaves does what it is told, once.
const leaves = `
when turn=1 user=send
call send {}
when turn=1 user=add
call add {}
when turn=1 user=post
call post {}
when turn=1 user=keep
call keep {}
when
say leaf
`

var everything = one("all", all(), `
when phase=final
say fine
when run=r1.* turn=1
call add {"n":1}
when run=r1.*
say leaf
when user=old turn=1
call echo {"n":1}
call add {"n":2}
call post {"n":3}
call send {"n":4}
call keep {"n":5}
when user=old turn=2
call echo {"n":6}
call add {"n":7}
call send {"n":8}
call deploy {"n":9}
when turn=1
call send {"n":10}
when
call keep {"n":11}
call post {"n":12}
`,
	asked("r1", "8.4.1", reply("r1", "8.4.1", rein.Answer{State: rein.AskApproved})),
	asked("r1", "9", send(rein.CommandModify, "r1", "new")),
	asked("r1", "15", send(rein.CommandMessage, "r1", "hurry"), reply("r1", "15", rein.Answer{State: rein.AskAnswered, Text: "blue"})),
	said("r1.17", "1", "red"),
)

func all() rein.Task {
	t := with(task("all", "old"), flows.Settings{Children: []rein.Task{task("loop", "go", "add"), task("ask", "go")}})
	t.Tools = []string{"echo", "add", "post", "send", "keep", "deploy"}
	return t
}
