package critique

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/internal/lenient"
	"rein/internal/quote"
	"rein/internal/speech"
)

// A Verdict is what a critic thinks of an exchange.
type Verdict struct {
	OK     bool     `json:"ok"`
	Issues []string `json:"issues"`
	Better string   `json:"better"` // a better answer, if there is one
}

// Do reviews the last exchange of a session in one call: what was asked, and what was answered.
// Without an exchange there is nothing to call for.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	chosen := task.Language
	task = turn.InHousehold(task, revision)
	t, err := turn.New(run, task, 0, turn.NothingKnown) // it asks nothing
	if err != nil {
		return rein.Outcome{}, err
	}
	asked, replied, ok := lastExchange(t.Talk)
	if !ok {
		return rein.Outcome{End: rein.EndDone, Text: say(task, "nothing")}, nil
	}
	if chosen == "" && task.Revision >= revision { // what asks for a review need not have words
		task.Language = cmp.Or(speech.Of(asked), task.Language)
	}
	view := func() []rein.Message {
		return []rein.Message{{Role: rein.User, Text: quote.Untrusted("question", kit.Clip(asked, turn.OneFact)) + "\n\n" + quote.Untrusted("answer", kit.Clip(replied, turn.OneFact))}}
	}
	reply, err := t.Consult(rein.Prompt{About: t.About("critique", 1, say(task, "reading"))}, text(task, "critique", nil), view)
	if errors.Is(err, rein.ErrBudget) {
		return rein.Outcome{End: rein.EndLimit, Text: say(task, "unread")}, nil
	}
	if err != nil {
		return rein.Outcome{}, err
	}
	verdict, err := parseVerdict(reply.Text)
	if err != nil {
		return rein.Outcome{End: rein.EndLimit, Text: say(task, "unread")}, nil
	}
	data, err := json.Marshal(verdict)
	return rein.Outcome{End: rein.EndDone, Text: verdict.text(task), Data: data}, err
}

// lastExchange finds the newest answer and what was asked before it.
func lastExchange(talk []rein.Message) (asked, replied string, ok bool) {
	for _, m := range slices.Backward(talk) {
		switch {
		case m.Role == rein.Assistant && replied == "" && strings.TrimSpace(m.Text) != "":
			replied = m.Text
		case m.Role == rein.User && replied != "":
			return m.Text, replied, true
		}
	}
	return "", "", false
}

func parseVerdict(reply string) (v Verdict, err error) {
	found, err := lenient.First(reply, "ok")
	if err != nil {
		return v, err
	}
	var raw struct {
		OK     bool            `json:"ok"`
		Issues json.RawMessage `json:"issues"`
		Better string          `json:"better"`
	}
	if err := json.Unmarshal(found.JSON, &raw); err != nil {
		return v, err
	}
	return Verdict{OK: raw.OK, Issues: append([]string{}, turn.ListOf(raw.Issues)...), Better: strings.TrimSpace(raw.Better)}, nil
}

func (v Verdict) text(task rein.Task) string {
	if v.OK && len(v.Issues) == 0 {
		return say(task, "fine")
	}
	return say(task, "issues") + "\n- " + strings.Join(v.Issues, "\n- ")
}
