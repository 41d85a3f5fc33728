package guard

import (
	"strconv"

	"rein"
	"rein/internal/jsontext"
)

// PrefixDigest names what a summary stands for: the replaced messages, without the instructions
// before them.
func PrefixDigest(messages []rein.Message) rein.Hash {
	size := sizeOf(messages) + 160*len(messages)
	return rein.PayloadDigest([]byte("prefix"), appendPrefix(make([]byte, 0, size+size/16), messages))
}

// appendPrefix writes messages as they have been digested since there are summaries: as encoding/json writes a list
// of structs with these fields. It is written by hand because it is read at every summary, and each is of all
// messages before it.
func appendPrefix(b []byte, messages []rein.Message) []byte {
	b = append(b, '[')
	for i := range messages {
		m := &messages[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendHTML(append(b, `{"Role":`...), string(m.Role))
		b = jsontext.AppendHTML(append(b, `,"Text":`...), m.Text)
		b = jsontext.AppendHTML(append(b, `,"CallID":`...), m.CallID)
		b = jsontext.AppendHTML(append(b, `,"Status":`...), string(m.Status))
		b = strconv.AppendBool(append(b, `,"FromPerson":`...), m.FromPerson)
		b = appendCalls(append(b, `,"Calls":`...), m.Calls)
		b = append(appendPast(b, m.Past), '}')
	}
	return append(b, ']')
}

func appendCalls(b []byte, calls []rein.ToolCall) []byte {
	if len(calls) == 0 {
		return append(b, `null`...)
	}
	for i := range calls {
		c := &calls[i]
		if i == 0 {
			b = append(b, '[')
		} else {
			b = append(b, ',')
		}
		b = jsontext.AppendHTML(append(b, `{"ID":`...), c.ID)
		b = jsontext.AppendHTML(append(b, `,"Name":`...), c.Name)
		b = append(jsontext.AppendHTML(append(b, `,"Args":`...), string(c.Args)), '}')
	}
	return append(b, ']')
}

// appendPast writes where a message of an earlier run comes from. Other messages are digested as they were before
// there was a past.
func appendPast(b []byte, past *rein.Past) []byte {
	if past == nil {
		return b
	}
	b = append(b, `,"Past":{`...)
	if past.Run != "" {
		b = jsontext.AppendHTML(append(b, `"run":`...), string(past.Run))
	}
	if past.Fold != (rein.Hash{}) {
		if past.Run != "" {
			b = append(b, ',')
		}
		b = jsontext.AppendHTML(append(b, `"fold":`...), past.Fold.String())
	}
	return append(b, '}')
}
