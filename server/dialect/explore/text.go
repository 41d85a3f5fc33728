package explore

import (
	"strings"

	"rein"
)

// A text is what was sent of what a model writes.
type text struct {
	reach
	// said is what was sent, as far as this translator sent it: after a client came back it has only the
	// length.
	said  []byte
	blind bool // said is not all
	stale bool // the call is made again: the text begins anew
	class      // whose it is
}

// A class tells texts apart: those of the root that people read, those that it writes before its summary,
// and those of its children.
type class struct{ kind, phase string }

func (c class) chunk(part string, key textKey) Chunk {
	return Chunk{Type: ChunkType(c.kind + "-" + part), AgentID: key.run, ID: textID(key), Phase: c.phase}
}

// classOf says what a text is, by the step that it is of.
func (t *Translator) classOf(key textKey) class {
	a := t.agents[key.run]
	if a == nil {
		a = &agentLog{}
	}
	c := class{"text", a.steps[key.step].Phase}
	switch {
	case key.run != t.root:
		c.kind = "agent-text"
	case c.phase == "act" && len(a.Subagents) > 0:
		c.kind = "reasoning"
	}
	return c
}

// outcomeStep stands for the step of a text that is shown at the end of an agent, of no step.
const outcomeStep rein.StepKey = "outcome"

func textID(key textKey) string { return string(key.run) + "/" + string(key.step) }

// piece sends a piece of a text, as far as the client does not have it.
func (t *Translator) piece(d rein.Delta) []Chunk {
	if d.Output {
		return nil // the chunk with the result has it
	}
	key := textKey{d.Run, d.Step}
	x := t.texts[key]
	var out []Chunk
	switch {
	case x != nil && x.stale && d.Attempt == x.attempt:
		return nil // what is left of the attempt before
	case x == nil || d.Attempt != x.attempt:
		x, out = t.begin(key, d.Attempt)
	}
	if skip := x.bytes - d.Offset; skip >= 0 && skip < len(d.Text) {
		out = append(out, t.say(key, x, d.Text[skip:]))
	}
	return out
}

// begin starts a text, or starts it again.
func (t *Translator) begin(key textKey, attempt int) (*text, []Chunk) {
	x := &text{reach: reach{attempt: attempt}, class: t.classOf(key)}
	t.texts[key] = x
	c := x.chunk("start", key)
	c.Attempt = attempt
	return x, []Chunk{c}
}

func (t *Translator) say(key textKey, x *text, words string) Chunk {
	x.bytes += len(words)
	x.said = append(x.said, words...)
	c := x.chunk("delta", key)
	c.EventID, c.TextDelta, c.Delta = t.place().String(), words, words
	return c
}

// whole sends what is left of a text now that all of it is known, and its end.
func (t *Translator) whole(key textKey, words string) []Chunk {
	x := t.texts[key]
	if x == nil && words == "" {
		return nil
	}
	var out []Chunk
	if x == nil || !x.beginsAs(words) {
		attempt := 1
		if x != nil {
			attempt = x.attempt + 1
		}
		x, out = t.begin(key, attempt)
	}
	if rest := words[x.bytes:]; rest != "" {
		out = append(out, t.say(key, x, rest))
	}
	delete(t.texts, key)
	return append(out, x.chunk("end", key))
}

// beginsAs reports whether what was sent is how these words begin.
func (x *text) beginsAs(words string) bool {
	return !x.stale && x.bytes <= len(words) && (x.blind || strings.HasPrefix(words, string(x.said)))
}

// cut ends a text whose model was cut off.
func (t *Translator) cut(key textKey) []Chunk {
	x := t.texts[key]
	if x == nil {
		return nil
	}
	delete(t.texts, key)
	return []Chunk{x.chunk("end", key)}
}
