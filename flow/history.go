package flow

import (
	"encoding/json"
	"strings"

	"rein"
	"rein/internal/quote"
)

// HistoryRead is the internal read of what was said and done in a session before a run. A program
// that has no such tool has runs without a past.
const HistoryRead = "session.history"

// A PastRun is an earlier run of the session, as the read returns it.
type PastRun struct {
	Run    string   `json:"run"`
	At     string   `json:"at,omitempty"`     // when it ended, as people write it
	Asked  []string `json:"asked"`            // by people, in order
	Asides []Aside  `json:"asides,omitempty"` // what it asked people meanwhile, and was answered
	Answer string   `json:"answer,omitempty"` // what came of it
	End    rein.End `json:"end"`
	Did    []string `json:"did,omitempty"` // of a run that did not come to its end: what it did, a line each
}

// An Aside is a question to a person with its answer.
type Aside struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// history returns the session's conversation before this run. Of a run that was stopped or failed
// the model is told what had been done by then: as data, for tools and models wrote it.
func history(run rein.Run, task rein.Task) ([]rein.Message, error) {
	var past struct {
		Runs []PastRun `json:"runs"`
	}
	if ok, err := read(run, HistoryRead, nil, say(task, "remembering"), &past); !ok || err != nil {
		return nil, err
	}
	var talk []rein.Message
	for _, p := range past.Runs {
		for _, asked := range p.Asked {
			talk = append(talk, rein.Message{Role: rein.User, Text: asked})
		}
		for _, a := range p.Asides {
			talk = append(talk, rein.Message{Role: rein.Assistant, Text: a.Question}, rein.Message{Role: rein.User, Text: a.Answer})
		}
		if p.Answer != "" {
			talk = append(talk, rein.Message{Role: rein.Assistant, Text: p.Answer})
		}
		if !p.End.Completed() {
			talk = append(talk, rein.Message{Role: rein.Developer, Text: unfinished(p)})
		}
	}
	return talk, nil
}

func unfinished(p PastRun) string {
	text := "The work on this ended as " + string(p.End) + " before it was done."
	if len(p.Did) == 0 {
		return text + " Nothing had been done by then."
	}
	return text + " What had been done by then:\n" + quote.Untrusted("earlier run", strings.Join(p.Did, "\n"))
}

// read makes an internal read and decodes its data. It is not ok if the read failed: a flow can do
// without. The error concerns the run.
func read(run rein.Run, name string, args any, human string, into any) (ok bool, err error) {
	call := rein.ToolCall{About: rein.About{Phase: "context", Human: human}, ID: name, Name: name, Internal: true}
	if args != nil {
		if call.Args, err = json.Marshal(args); err != nil {
			return false, err
		}
	}
	result, err := run.CallTool(call)
	if err != nil {
		return false, err
	}
	return result.Status == rein.ToolOK && json.Unmarshal(result.Data, into) == nil, nil
}
