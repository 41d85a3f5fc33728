// Package cassette keeps the logs of a tree of runs in one readable file, and plays back what its
// models and tools returned, so that a run can be played again without calling anything.
package cassette

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"rein"
)

// Version is that of the files that this program writes.
const Version = 1

// A Tape is a tree of runs as it was: who took part, and what happened.
type Tape struct {
	Header
	// Events are the logs of the runs, one after the other, each in its order; parents come first.
	Events []rein.Event
}

// A Header says who took part.
type Header struct {
	Version int        `json:"version"`
	Run     rein.RunID `json:"run"` // the root
	// Models are those that were asked, by the names that prompts give them. Of one that is missing
	// nothing is known but its answers.
	Models map[string]rein.ModelInfo `json:"models,omitempty"`
	Tools  []Tool                    `json:"tools,omitempty"`
	Clip   int                       `json:"clip,omitempty"`  // how much of a result models were shown
	Policy rein.Policy               `json:"policy,omitzero"` // of the process, over those of the runs
	// Redacted lists the kinds of secrets that were taken out when the tape was written. Then lengths,
	// and what is counted by them, are not what they were.
	Redacted []string `json:"redacted,omitempty"`
}

// A Tool is a tool without its functions.
type Tool struct {
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Schema      string        `json:"schema,omitempty"` // as it was spelled: its length is counted
	Effect      rein.Effect   `json:"effect"`
	Timeout     time.Duration `json:"timeout,omitempty"`
	Approval    bool          `json:"approval,omitempty"`
	Undoable    bool          `json:"undoable,omitempty"`
	Polling     bool          `json:"polling,omitempty"`
	Writes      bool          `json:"writes,omitempty"`
	Family      string        `json:"family,omitempty"`
	Internal    bool          `json:"internal,omitempty"`
	Trusted     []string      `json:"trusted,omitempty"`
	Pinned      []string      `json:"pinned,omitempty"`
	Rules       bool          `json:"rules,omitempty"` // it rules on each of its calls
	Tree        bool          `json:"tree,omitempty"`  // it can call back: fork runs, wait for them, send messages
	Asks        bool          `json:"asks,omitempty"`  // it is a question to a person
	Shows       bool          `json:"shows,omitempty"` // it has its own words for approvals
}

// ToolOf describes a tool.
func ToolOf(t rein.Tool) Tool {
	return Tool{
		Name: t.Name, Description: t.Description, Schema: string(t.Schema), Effect: t.Effect, Timeout: t.Timeout,
		Approval: t.Approval, Undoable: t.Undoable, Polling: t.Polling, Writes: t.Writes, Family: t.FamilyName(), Internal: t.Internal, Trusted: t.Trusted, Pinned: t.Pinned, Rules: t.Rules, Tree: t.Tree, Asks: t.Ask != nil, Shows: t.Show != nil,
	}
}

// Runs lists the runs of the tape, parents first.
func (t *Tape) Runs() []rein.RunID {
	var runs []rein.RunID
	for _, e := range t.Events {
		if len(runs) == 0 || runs[len(runs)-1] != e.Run {
			runs = append(runs, e.Run)
		}
	}
	return runs
}

// Log returns the events of one run.
func (t *Tape) Log(run rein.RunID) []rein.Event {
	var log []rein.Event
	for _, e := range t.Events {
		if e.Run == run {
			log = append(log, e)
		}
	}
	return log
}

// Start returns what the run was started with.
func (t *Tape) Start(run rein.RunID) (start rein.RunStart, at time.Time, ok bool) {
	for _, e := range t.Events {
		if e.Run == run && e.Kind == rein.RunStarted {
			start, err := rein.Payload[rein.RunStart](e)
			return start, e.At, err == nil
		}
	}
	return start, time.Time{}, false
}

// Ended reports whether the root had come to its end.
func (t *Tape) Ended() bool {
	return slices.ContainsFunc(t.Events, func(e rein.Event) bool { return e.Run == t.Run && e.Kind.Ends() })
}

// Check says what is wrong with a tape, if anything.
func (t *Tape) Check() error {
	if t.Version != Version {
		return rein.Errorf(rein.CodeNewer, "the cassette has version %d; this program reads version %d", t.Version, Version)
	}
	for _, e := range t.Events {
		if e.Run != t.Run && !bytes.HasPrefix([]byte(e.Run), []byte(t.Run+rein.Separator)) {
			return rein.Errorf(rein.CodeInvalid, "event %d of run %q is not of the tree of %q", e.Seq, string(e.Run), string(t.Run))
		}
		if e.Erased {
			return rein.Errorf(rein.CodeNotFound, "run %s was erased: there is nothing to play", e.Run)
		}
	}
	if _, _, ok := t.Start(t.Run); !ok {
		return rein.Errorf(rein.CodeInvalid, "the cassette does not hold the start of its run %q", string(t.Run))
	}
	return nil
}

// Rename gives the root, and so everything below it, another name. Asks, keys and handles that hold
// the name follow.
func (t *Tape) Rename(to rein.RunID) *Tape {
	from := t.Run
	renamed := &Tape{Header: t.Header, Events: slices.Clone(t.Events)}
	renamed.Run = to
	names := map[rein.RunID]rein.RunID{}
	for i, e := range renamed.Events {
		if names[e.Run] == "" {
			names[e.Run] = to + e.Run[len(from):]
		}
		renamed.Events[i].Run = names[e.Run]
		renamed.Events[i].Data = Renamed(e.Data, from, to)
	}
	return renamed
}

// Renamed is a payload in which a run has another name.
func Renamed(data json.RawMessage, from, to rein.RunID) json.RawMessage {
	return bytes.ReplaceAll(data, []byte(from), []byte(to))
}

// Redact takes secrets out of everything that was said. The function is that of guard.Redactor. A
// text that must not be passed on at all is an error.
func (t *Tape) Redact(clean func(json.RawMessage) (json.RawMessage, []string, bool)) (*Tape, error) {
	out := &Tape{Header: t.Header, Events: slices.Clone(t.Events)}
	for i, e := range out.Events {
		data, kinds, block := clean(e.Data)
		if block {
			return nil, rein.Errorf(rein.CodeForbidden, "event %d of run %s holds what must not be passed on (%v): no cassette is made of it", e.Seq, e.Run, kinds)
		}
		out.Events[i].Data = data
		out.Redacted = append(out.Redacted, kinds...)
	}
	slices.Sort(out.Redacted)
	out.Redacted = slices.Compact(out.Redacted)
	return out, nil
}
