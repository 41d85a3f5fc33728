package unattended

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"rein"
)

// silent are the flows that ask nothing by themselves. One that is not known may ask anything.
var silent = []string{"answer", "chat", "critique", "operate", "remember", "summarise"}

// requestInput is the tool by which a run of strict may ask. The flow asks in its place.
const requestInput = "request_input"

func asksItself(task rein.Task, tool string) bool {
	return task.Flow == "strict" && tool == requestInput
}

// questions lists what a flow may ask by itself.
func questions(task rein.Task) []rein.Blocker {
	switch task.Flow {
	case "strict":
		return ofStrict(task)
	case "explore":
		return ofExplore(task)
	case "task":
		return ofHousehold(task, "the flow task asks for what it needs to know, and before it does what it decided")
	case "research", "code":
		return ofHousehold(task, "the flow "+task.Flow+" may ask in the middle of its work")
	case "assist":
		return ofHousehold(task, "the flow assist may hand over to research, code or task, which ask")
	}
	if slices.Contains(silent, task.Flow) {
		return nil
	}
	return []rein.Blocker{asked("ask", fmt.Sprintf("the flow %.80q is not one of rein's own: it may ask anything", task.Flow))}
}

// asked is a question that waits until it is answered.
func asked(phase, why string) rein.Blocker {
	return rein.Blocker{Kind: rein.AskQuestion, What: phase, Why: why, OnExpiry: rein.ExpiryPark}
}

// ofStrict: it asks if it was given the tool, also if the policy denies it, and stops if nobody
// answers in time.
func ofStrict(task rein.Task) []rein.Blocker {
	if !slices.Contains(task.Tools, requestInput) {
		return nil
	}
	set := struct {
		Timeout int `json:"request_input_timeout"`
	}{300}
	read(task.Settings, &set)
	seconds := max(60, min(set.Timeout, 600)) // as the flow clamps it
	return []rein.Blocker{{
		Kind: rein.AskQuestion, What: requestInput, Why: "the flow strict may ask for input",
		Waits: time.Duration(seconds) * time.Second, OnExpiry: rein.ExpiryStop,
	}}
}

// ofExplore: each of its questions can be switched off, and so can those of the runs below it. After a
// time it goes on without an answer.
func ofExplore(task rein.Task) []rein.Blocker {
	set := struct {
		Clarify   bool `json:"clarify"`
		Questions int  `json:"questions"`
		Last      bool `json:"last_question"`
		Child     int  `json:"child_questions"`
		Depth     int  `json:"depth"`
		Timeout   int  `json:"answer_timeout"`
	}{true, 3, true, 1, 2, 3600}
	read(task.Settings, &set)
	asked := func(phase, why string) rein.Blocker { return askedFor(phase, why, set.Timeout) }
	var list []rein.Blocker
	if set.Clarify {
		list = append(list, asked("clarify", "the flow explore asks what is meant if that is not clear (setting clarify)"))
	}
	if set.Questions > 0 {
		list = append(list, asked("question", fmt.Sprintf("the flow explore asks up to %d times for what it cannot begin without (setting questions)", set.Questions)))
	}
	if set.Child > 0 && set.Depth > 0 {
		list = append(list, asked("question", fmt.Sprintf("each run below it asks up to %d times for what it cannot begin without (setting child_questions)", set.Child)))
	}
	if set.Last {
		list = append(list, asked("summary", "the flow explore asks once at the end if its result is uncertain (setting last_question)"))
	}
	return list
}

// ofHousehold: after a time it goes on without an answer, or ends where it cannot.
func ofHousehold(task rein.Task, why string) []rein.Blocker {
	set := struct {
		Timeout int `json:"answer_timeout"`
	}{24 * 3600}
	read(task.Settings, &set)
	return []rein.Blocker{askedFor("ask", why, set.Timeout)}
}

// askedFor is a question that waits for so many seconds, as the flow clamps them.
func askedFor(phase, why string, seconds int) rein.Blocker {
	seconds = max(60, min(seconds, 7*24*3600))
	return rein.Blocker{Kind: rein.AskQuestion, What: phase, Why: why, Waits: time.Duration(seconds) * time.Second, OnExpiry: rein.ExpiryContinue}
}

// read takes what the settings say over the defaults. Settings that make no sense are refused when the
// run is started.
func read[T any](settings json.RawMessage, into *T) {
	said := *into
	if len(settings) > 0 && json.Unmarshal(settings, &said) == nil {
		*into = said
	}
}
