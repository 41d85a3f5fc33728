package oldstore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/flow/kit"
)

// A state is where a run of the store rests.
type state string

const (
	done     state = "done"     // ended
	erased   state = "erased"   // ended, and its payloads erased
	question state = "question" // waits for the answer to a question
	approval state = "approval" // waits for an approval
	approved state = "approved" // approved while nobody drove it: the call is not made
	sent     state = "sent"     // approved, the intent written, cut before the effect; it takes a key
	paid     state = "paid"     // approved, the intent written, cut after the effect; it cannot be repeated
	posted   state = "posted"   // the intent written, cut after the effect; the tool can tell
	unknown  state = "unknown"  // waits for what a person says of an unknown outcome
	cut      state = "cut"      // as unknown, and nobody was asked yet
	limited  state = "limited"  // waits for a provider that wants to be asked later
	summary  state = "summary"  // the same, with a summary in place of what was too long
	running  state = "running"  // cut in the middle of a model call
	blocked  state = "blocked"  // blocked: the program did not know its flow
	stopped  state = "stopped"  // ended by a person
	child    state = "child"    // waits for its children, one of which waits for an approval
	steered  state = "steered"  // waits for an answer, and has a message that it has not read
	fork     state = "fork"     // goes another way than an ended run, and is limited
	edited   state = "edited"   // approved with other arguments, cut before the effect
	mended   state = "mended"   // waits for an approval of arguments that were made to fit
	modified state = "modified" // waited for an answer; what it is to do was changed while nobody drove it
	stopping state = "stopping" // waited for an answer; was stopped while nobody drove it
	late     state = "late"     // waits for somebody who does not answer in time
	turn     state = "turn"     // waits for its turn among the calls of this program
	folded   state = "folded"   // waits for an answer, with a summary in place of the older messages
	long     state = "long"     // the same, with a result of a tool that was cut short
	childcut state = "childcut" // waits for its children, which were cut in the middle of a model call
)

// Those of notes: a commit that waits for approval, was approved and not made, was sent and not made,
// and was made and not recorded.
const (
	commitAsked    state = "commit-asked"
	commitApproved state = "commit-approved"
	commitSent     state = "commit-sent"
	commitMade     state = "commit-made"
)

// words is what the plays do by.
var words = map[state]string{
	edited: "Please BOOK a table.", mended: "Please MEND the call.", long: "Please look a LONG way.",
	modified: "Please ASK me.", stopping: "Please ASK me.", late: "Please ASK me.", folded: "Please ASK me.",
	childcut: "Please share it among TWO.",
	question: "Please ASK me.", steered: "Please ASK me.", child: "Please let a CHILD do it.",
	approval: "Please BOOK a table.", approved: "Please BOOK a table.", sent: "Please BOOK a table.",
	paid: "Please PAY the bill.", posted: "Please POST a card.", unknown: "Please MAIL her.", cut: "Please MAIL her.",
	commitAsked: "Please WRITE first.", commitApproved: "Please WRITE second.", commitSent: "Please WRITE third.", commitMade: "Please WRITE fourth.",
}

// everywhere are the states that a run of any flow can rest in, and acting those of flows with tools.
var (
	everywhere = []state{done, erased, limited, running, blocked}
	acting     = []state{question, approval, approved, sent, edited, paid, posted, unknown, cut, summary, modified, stopping}
)

// states lists where the runs of each flow rest.
var states = map[string][]state{
	"operate":   slices.Concat(everywhere, acting, []state{stopped, steered, fork, mended, late, turn, folded, long, commitAsked, commitApproved, commitSent, commitMade}),
	"strict":    slices.Concat(everywhere, acting, []state{late}),
	"answer":    slices.Concat(everywhere, acting),
	"explore":   slices.Concat(everywhere, acting, []state{child, childcut}),
	"assist":    slices.Concat(everywhere, acting),
	"research":  slices.Concat(everywhere, acting),
	"code":      slices.Concat(everywhere, acting),
	"task":      slices.Concat(everywhere, acting),
	"chat":      slices.Concat(everywhere, []state{summary}),
	"critique":  everywhere,
	"remember":  everywhere,
	"summarise": everywhere,
}

// flowOrder begins with the flow that others look back at.
var flowOrder = []string{"operate", "strict", "answer", "explore", "assist", "research", "code", "task", "chat", "critique", "remember", "summarise"}

// users are those whose runs they are; the rest are the owner's.
var users = map[string][2]string{
	"operate": {"home", "ann"}, "remember": {"home", "ann"}, "summarise": {"home", "ann"},
	"strict": {"home", "bob"}, "task": {"home", "bob"}, "chat": {"lake", "zoe"}, "critique": {"lake", "zoe"},
}

// A scene is a run and where it rests.
type scene struct {
	id    rein.RunID
	flow  string
	state state
}

// scenes lists the roots that rest in one of the states.
func scenes(in ...state) []scene {
	var all []scene
	for _, flow := range flowOrder {
		for _, s := range states[flow] {
			if slices.Contains(in, s) {
				all = append(all, scene{rein.RunID(flow + "-" + string(s)), flow, s})
			}
		}
	}
	return all
}

// stateOf is where a run rested, by its name.
func stateOf(run rein.RunID) state {
	root, _, _ := strings.Cut(string(run), rein.Separator)
	_, s, _ := strings.Cut(root, "-")
	return state(s)
}

func (s scene) session() string { return "s-" + string(s.id) }

// task is what the run is to do.
func (s scene) task() rein.Task {
	task := rein.Task{Flow: s.flow, Session: s.session(), Zone: "Europe/Amsterdam", Language: "en"}
	who, ok := users[s.flow]
	if !ok {
		who = [2]string{"home", "owner"}
	}
	task.Household, task.User = who[0], who[1]
	switch s.flow {
	case "remember":
		task.Settings = json.RawMessage(`{"run":"operate-done"}`)
		return task
	case "summarise":
		task.Settings = json.RawMessage(`{"session":"s-operate-done","after":"operate-done"}`)
		return task
	case "critique":
		return task
	case "explore":
		task.Settings = json.RawMessage(`{"depth":1}`)
	}
	if slices.Contains(states[s.flow], approval) {
		task.Tools = []string{"ask_user", "book_table", "find_similar", "look_around", "pay_bill", "post_card", "read_note", "send_mail"}
	}
	task.Texts = map[string]string{kit.RulePrefix + "slugs": "Never speak of slugs."}
	switch s.flow {
	case "operate":
		task.Tools = append(task.Tools, "append_note", "commit_staged_changes", "look_far", "read_session_file", "write_note")
	case "strict":
		task.Tools = append(task.Tools[1:], "request_input")
	}
	switch s.state {
	case late:
		task.Policy = rein.Policy{Ask: []string{"look_around"}, Timeout: time.Minute, OnExpiry: rein.ExpiryDeny}
	case folded:
		task.Settings = json.RawMessage(`{"compact_messages":6,"compact_keep":2}`)
	}
	if s.state == summary || s.state == folded {
		for i := range 4 {
			task.Messages = append(task.Messages,
				rein.Message{Role: rein.User, Text: fmt.Sprintf("What of bed %d in the garden? %s", i+1, strings.Repeat("It is large. ", 40))},
				rein.Message{Role: rein.Assistant, Text: fmt.Sprintf("Bed %d has leeks. %s", i+1, strings.Repeat("They grow well. ", 40))})
		}
	}
	text, ok := words[s.state]
	if !ok {
		text = "Please LOOK around."
	}
	if s.flow == "explore" && (s.state == done || s.state == erased) {
		text = words[childcut]
	}
	if s.flow == "operate" && s.state == late {
		text = "Please LOOK around."
	}
	task.Messages = append(task.Messages, rein.Message{Role: rein.User, Text: text})
	return task
}

// reply is what people make of an ask, whenever it comes. What it is to is added by who sends it,
// where that was asked for.
func (h *house) reply(ask rein.Ask) rein.Answer {
	by := ownerOf(ask.Run)
	switch ask.Kind {
	case rein.AskQuestion:
		if ask.Run == "task-question" {
			return rein.Answer{State: rein.AskDeclined, Text: "none of your business", By: by}
		}
		return rein.Answer{State: rein.AskAnswered, Text: "blue", By: by}
	case rein.AskUnknown:
		return rein.Answer{State: rein.AskAnswered, Text: h.happened(ask), By: by}
	}
	switch ask.Run {
	case "code-approval":
		return rein.Answer{State: rein.AskRejected, Text: "too dear", By: by}
	case "research-approval", rein.RunID(flowOf(ask.Run) + "-" + string(edited)):
		return rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"to":"six"}`), By: by}
	}
	return rein.Answer{State: rein.AskApproved, By: by}
}

// happened is the truth about a call; of one that did not happen some want it made and some do not.
func (h *house) happened(ask rein.Ask) string {
	switch {
	case h.world.did(ask.Call.Name, fmt.Sprintf("%s:%s", ask.Run, ask.Step)):
		return rein.ItHappened
	case ask.Run == "code-unknown":
		return rein.SkipIt
	}
	return rein.RunAgain
}

// flowOf is the flow of a run's root, by its name.
func flowOf(run rein.RunID) string {
	flow, _, _ := strings.Cut(string(run), "-")
	return flow
}

func ownerOf(run rein.RunID) string {
	if who, ok := users[flowOf(run)]; ok {
		return who[1]
	}
	return "owner"
}
