package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// Calls returns a model's reply as a message of the transcript. If the model writes its calls as
// text, they are taken out of it; what cannot be read as JSON stays as it is in Args, for others to
// mend or to refuse. Calls are named c<turn>-<n> then, whatever the model called them: models count
// from one in every turn. With native tools only missing and doubled names are replaced.
func Calls(r rein.Rendering, info rein.ModelInfo, reply rein.Message, turn int) rein.Message {
	reply.Role = rein.Assistant
	reply.Calls = slices.Clone(reply.Calls)
	if writesCalls(Which(r, info), info) {
		text, calls := parse(reply.Text)
		reply.Text, reply.Calls = text, append(reply.Calls, calls...)
	}
	taken := map[string]bool{"": true}
	for i := range reply.Calls {
		id := reply.Calls[i].ID
		for n := i + 1; taken[id]; n++ {
			id = fmt.Sprintf("c%d-%d", turn, n)
		}
		taken[id] = true
		reply.Calls[i].ID = id
	}
	return reply
}

// parse takes the calls out of a text. Some models go on and make up the results of their calls;
// whatever follows from there on is built on sand and is dropped.
func parse(text string) (rest string, calls []rein.ToolCall) {
	var kept []string
	at := 0
	for _, block := range quote.JSONBlocks(text, quote.CallTag) {
		if block.Start < at {
			continue // within a result that was made up
		}
		gap := text[at:block.Start]
		if made := quote.Blocks(gap, quote.ResultTag); len(made) > 0 {
			if len(calls) > 0 {
				return paragraphs(append(kept, strings.TrimSpace(gap[:made[0].Start]))...), calls
			}
			if last := made[len(made)-1]; last.Cut {
				whole := quote.Blocks(text[at+last.Start:], quote.ResultTag)
				end := at + last.Start + whole[0].End
				kept, at = append(kept, text[at:end]), end
				continue
			}
		}
		kept = append(kept, strings.TrimSpace(gap))
		calls = append(calls, call(block))
		at = block.End
	}
	if calls == nil {
		return text, nil
	}
	gap := text[at:]
	if made := quote.Blocks(gap, quote.ResultTag); len(made) > 0 {
		gap = gap[:made[0].Start]
	}
	return paragraphs(append(kept, strings.TrimSpace(gap))...), calls
}

// call reads one block. A block without a name may hold it in its JSON, as some models are trained
// to write it.
func call(block quote.Found) rein.ToolCall {
	args := strings.TrimSpace(block.Content)
	c := rein.ToolCall{Name: strings.TrimSpace(block.Attr("name"))}
	if c.Name == "" {
		var inside struct {
			Name                  string
			Arguments, Parameters json.RawMessage
		}
		if json.Unmarshal([]byte(args), &inside) == nil && inside.Name != "" {
			c.Name = inside.Name
			args = string(inside.Arguments) + string(inside.Parameters)
		}
	}
	switch {
	case args != "":
	case block.Cut:
		args = "{" // the model had not come to the end: nobody may take this for "no arguments"
	default:
		args = "{}"
	}
	c.Args = json.RawMessage(args)
	return c
}
