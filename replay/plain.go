package replay

import (
	"bytes"
	"encoding/json"
	"strings"

	"rein"
	"rein/engine/guard"
	"rein/internal/logtext"
)

// plain takes out of an event what chance, the clock or a salt has put in.
type plain struct {
	redact bool        // secrets were taken out of the recording
	bounds bool        // what a call could cost can be compared
	policy rein.Policy // of the process that plays, which makes that of every run stricter
}

// of returns an event's payload as JSON values, without what may differ.
func (p plain) of(e rein.Event) map[string]any {
	data := e.Data
	if p.redact {
		data, _, _ = (*guard.Redactor)(nil).JSON(data)
	}
	v := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if len(data) > 0 && decoder.Decode(&v) != nil {
		return map[string]any{"not JSON": string(data)}
	}
	e.Data = data
	switch e.Kind {
	case rein.RunStarted:
		drop(v, "after")
		drop(v, "task", "start")
		drop(v, "task", "branch") // what it inherits is on the tape
		p.strict(v)
		p.amount(v, "reserve")
	case rein.StepStarted, rein.SubStarted:
		p.sig(v)
		p.amount(v, "bound")
		drop(v, "folds", "digest")
		drop(v, "prompt", "folds", "digest")
	case rein.StepIntent:
		drop(v, "timeout")
		drop(v, "shown")
		drop(v, "tool")    // older programs did not write it
		drop(v, "allowed") // nor this
		drop(v, "earlier") // it is compared with the ask
	case rein.AskOpened:
		drop(v, "opened")
		drop(v, "deadline")
		drop(v, "shown")
		drop(v, "effect") // a tool of a tape has none
		drop(v, "guessed")
		drop(v, "language") // older programs did not write it, and asked in English
		drop(v, "family")   // nor this
		if ask := askOf(e); ask.Call != nil {
			v["text"] = logtext.Older(ask.Text, ask.Call.Name, ask.Call.Name+" "+string(ask.Call.Args))
		}
	case rein.StepDone, rein.SubDone:
		p.end(v)
	}
	return v
}

func (p plain) end(v map[string]any) {
	p.sig(v)
	drop(v, "duration")
	drop(v, "answer", "shown")
	drop(v, "result", "evidence")
	drop(v, "redacted") // what was taken out before is not found again
	if v["failure"] != nil {
		drop(v, "usage") // older programs kept none
	}
	if !p.bounds {
		drop(v, "overrun")
		drop(v, "usage", "micros")
	}
	if message, _ := v["message"].(map[string]any); message != nil {
		if text, _ := message["text"].(string); text != "" {
			message["text"] = guard.Quoted(text) // earlier programs did not quote their summaries
		}
	}
	items, _ := v["items"].([]any)
	for _, item := range items {
		if item, ok := item.(map[string]any); ok {
			drop(item, "command") // its place in the log
		}
	}
}

// sig takes the digest of the arguments off the signature of a tool call: they are compared
// themselves. That of a wait is here or at its start, as the child was fast or slow. The verb and the
// tool's name, which older programs did not write, follow from the signature and the call.
func (p plain) sig(v map[string]any) {
	delete(v, "verb")
	if call, ok := v["call"].(map[string]any); !ok || call["name"] == v["tool"] {
		delete(v, "tool")
	}
	sig, _ := v["sig"].(string)
	switch {
	case strings.HasPrefix(sig, "tool "), strings.HasPrefix(sig, "fork "), strings.HasPrefix(sig, "send "):
		v["sig"] = sig[:strings.LastIndexByte(sig, ' ')]
	case strings.HasPrefix(sig, "wait "):
		delete(v, "sig")
	}
}

// amount keeps of a reservation what does not depend on time or on which branch came first.
func (p plain) amount(v map[string]any, key string) {
	drop(v, key, "driven_ms")
	drop(v, key, "rounds")
	if amount, ok := v[key].(map[string]any); ok && (len(amount) == 0 || !p.bounds) {
		delete(v, key)
	}
}

// strict makes the policy of a run that starts as strict as that of the process that plays it.
func (p plain) strict(v map[string]any) {
	task, ok := v["task"].(map[string]any)
	if !ok {
		return
	}
	var own rein.Policy
	if data, err := json.Marshal(task["policy"]); err != nil || json.Unmarshal(data, &own) != nil {
		return
	}
	data, err := json.Marshal(own.Stricter(p.policy))
	if err == nil {
		task["policy"] = string(data)
	}
}

// drop removes a value by its path.
func drop(v map[string]any, path ...string) {
	for _, key := range path[:len(path)-1] {
		next, ok := v[key].(map[string]any)
		if !ok {
			return
		}
		v = next
	}
	delete(v, path[len(path)-1])
}
