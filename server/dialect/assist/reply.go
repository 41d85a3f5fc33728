package assist

import (
	"encoding/json"
	"strings"

	"rein"
)

// piece shows what is new of the reply while it is written. If the model begins again, nothing is shown
// until it has said as much as before, and nothing at all if it says something else: the last chunk has
// the whole.
func (t *Translator) piece(d rein.Delta) []Chunk {
	if d.Run != t.run || d.Output {
		return nil
	}
	if d.Step != t.text || d.Attempt != t.attempt {
		t.text, t.attempt, t.curtain, t.visible = d.Step, d.Attempt, curtain{}, ""
	}
	t.visible += t.curtain.pass(d.Text)
	return t.show(t.visible)
}

func (t *Translator) show(text string) []Chunk {
	rest, fits := strings.CutPrefix(text, t.shown)
	if !fits || rest == "" {
		return nil
	}
	t.shown = text
	return []Chunk{{Type: Token, Text: rest}}
}

// end keeps how the run ended and shows what was not shown of its reply.
func (t *Translator) end(e rein.Event) []Chunk {
	if e.Run != t.run || t.ended {
		return nil
	}
	t.ended = true
	if e.Kind == rein.RunBlocked {
		b, _ := rein.Payload[rein.Blocked](e)
		t.reply.failure = &rein.Failure{Code: rein.CodeUnavailable, Msg: "this turn cannot continue: " + b.Reason}
		t.reply.Error = t.reply.failure.Msg
		return nil
	}
	end, _ := rein.Payload[rein.RunEnd](e) // an erased one has no text
	var data struct {
		Reasoning string `json:"reasoning"`
	}
	_ = json.Unmarshal(end.Data, &data) // other flows have other data
	t.reply = Reply{Message: end.Text, Reasoning: data.Reasoning, failure: end.Failure}
	switch {
	case e.Kind == rein.RunStopped:
		t.reply.Error = "the turn was " + string(end.End)
	case end.Failure != nil:
		t.reply.Error = end.Failure.Msg
	case e.Kind == rein.RunFailed:
		t.reply.Error = "the turn failed"
	default:
		return t.show(end.Text)
	}
	return nil
}
