package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// HistoryRead is the internal read of what was said and done in a session before a run, and of the
// session's files. A program that has no such tool has runs without a past.
const HistoryRead = "session.history"

// A PastRun is an earlier run, in short.
type PastRun struct {
	Run    string   `json:"run"`
	At     string   `json:"at,omitempty"`     // when it ended, as people write it
	Ended  string   `json:"ended,omitempty"`  // the same, exactly
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

// Past is what a run knows of its session.
type Past struct {
	Talk  []rein.Message
	Files []File
	Known bool // what it has is all there is; else nobody could say
}

// Recall reads the session's conversation before this run, and which files the session has.
func Recall(run rein.Run, task rein.Task) (Past, error) {
	var found struct {
		Talk  []rein.Message `json:"talk"`
		Files []File         `json:"files"`
		Runs  []PastRun      `json:"runs"` // of a read that was recorded before there was a talk
	}
	if ok, err := Read(run, HistoryRead, nil, Say(task, "remembering"), &found); !ok || err != nil {
		return Past{}, err
	}
	if found.Talk == nil {
		return Past{Talk: talkOf(found.Runs)}, nil
	}
	return Past{found.Talk, found.Files, true}, nil
}

// talkOf is the conversation of runs, of which the model is told what was asked and answered. Of one
// that was stopped or failed it is told what had been done by then: as data, for tools and models
// wrote it.
func talkOf(runs []PastRun) []rein.Message {
	var talk []rein.Message
	for _, p := range runs {
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
	return talk
}

func unfinished(p PastRun) string {
	text := "The work on this ended as " + string(p.End) + " before it was done."
	if len(p.Did) == 0 {
		return text + " Nothing had been done by then."
	}
	return text + " What had been done by then:\n" + quote.Untrusted("earlier run", strings.Join(p.Did, "\n"))
}

// Tools that read what belongs to the session of a run.
const (
	readResult   = "read_result"
	readFile     = "read_session_file"
	sessionFiles = "session_files"
)

// SessionTools is what a run of a flow that talks with people can always use, whatever was selected: for
// Kind.Tools.
func SessionTools() []string { return []string{readResult, readFile, sessionFiles} }

// Needed returns the tools that the run can put to use. Where nobody selected any, those of the session
// are of use only if there is something to read.
func (p Past) Needed(task rein.Task) []string {
	selected := slices.ContainsFunc(task.Tools, func(name string) bool { return !slices.Contains(SessionTools(), name) })
	if selected || !p.Known || len(p.Files) > 0 || p.clipped() {
		return task.Tools
	}
	return nil
}

// clipped reports whether there is more to read of the past.
func (p Past) clipped() bool {
	return slices.ContainsFunc(p.Talk, func(m rein.Message) bool { return strings.Contains(m.Text, readResult+" {") })
}

// About is what the model reads of the folder's instructions that nobody trusts, and of the session's files, if there
// are any.
func (p Past) About(task rein.Task) []rein.Message {
	about := untrusted(task)
	if len(p.Files) == 0 {
		return about
	}
	note := Shared.Text(task, "strict_files", map[string]string{"files": manifest(p.Files)})
	if slices.Contains(task.Tools, readFile) {
		note += "\nRead one with " + readFile + "; " + sessionFiles + " lists those that there are by then."
	}
	return append(about, rein.Message{Role: rein.Developer, Text: note})
}

// Read makes an internal read and decodes its data. It is not ok if the read failed: a flow can do
// without. The error concerns the run.
func Read(run rein.Run, name string, args any, human string, into any) (ok bool, err error) {
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
