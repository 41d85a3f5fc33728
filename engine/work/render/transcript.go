package render

import (
	"slices"

	"rein"
)

// A Transcript writes a conversation that grows, as For does, without writing what it has written before. Its zero
// value is an empty one.
//
// What it has written stays where it is: a longer conversation is written behind it, and a reader of the shorter
// one is not disturbed.
type Transcript struct {
	way      rein.Rendering
	textOnly bool
	sees     bool
	used     bool           // there are calls or results
	begin    []rein.Message // of the rendering: the instructions and what is added to them
	head     int            // so many messages are instructions
	read     int            // so many messages are written, and no later one changes how
	out      []rein.Message
}

// For is the function For, of a conversation that begins with the messages of the last one. same reports whether what
// it returns begins with what it returned last.
func (t *Transcript) For(r rein.Rendering, info rein.ModelInfo, messages []rein.Message, offered []rein.Tool) (out []rein.Message, native []rein.Tool, same bool) {
	way := Which(r, info)
	if !t.goesOn(way, info, messages, offered) {
		out, native = For(r, info, messages, offered)
		t.start(way, info, messages, offered, out)
		return slices.Clip(out), native, false
	}
	if nativeTools(way, info) {
		native = offered
	}
	more := messages[t.read:]
	t.out = append(t.out, write(way, partsOf(visible(info, more)))...)
	t.read = len(messages)
	out = slices.Clip(t.out)
	if !isSettled(more) {
		*t = Transcript{} // the next results change how this ends
	}
	return out, native, true
}

// goesOn reports whether the messages can be written behind what was written last.
func (t *Transcript) goesOn(way rein.Rendering, info rein.ModelInfo, messages []rein.Message, offered []rein.Tool) bool {
	if t.read == 0 || t.way != way || t.textOnly != info.TextOnly || t.sees != info.Sees || len(messages) < t.read {
		return false
	}
	t.used = t.used || slices.ContainsFunc(messages[t.read:], usesTools)
	// The instructions are the same; what is added to them may differ.
	return slices.EqualFunc(t.begin, begin(way, info, messages[:t.head], offered, t.used), func(a, b rein.Message) bool { return a.Text == b.Text })
}

// start begins again with a whole conversation, if a longer one can be written behind it.
func (t *Transcript) start(way rein.Rendering, info rein.ModelInfo, messages []rein.Message, offered []rein.Tool, out []rein.Message) {
	*t = Transcript{}
	head := instructions(messages)
	if way == rein.RenderLog || head == len(messages) || !isSettled(messages[head:]) {
		return
	}
	used := slices.ContainsFunc(messages, usesTools)
	*t = Transcript{
		way: way, textOnly: info.TextOnly, sees: info.Sees, used: used, begin: begin(way, info, messages[:head], offered, used),
		head: head, read: len(messages), out: out,
	}
}

// isSettled reports whether the last calls all have their results: then no later message changes how they are written.
func isSettled(messages []rein.Message) bool {
	for i, m := range slices.Backward(messages) {
		if len(m.Calls) == 0 {
			continue
		}
		used, found := make([]bool, len(messages)-i), 0
		exchanges(messages[i:], 0, used)
		for _, is := range used {
			if is {
				found++
			}
		}
		return found == len(m.Calls)
	}
	return true
}
