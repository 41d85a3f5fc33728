package anthropic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/model/anthropic"
)

// Each recorded loop is played again: what the model said comes from the recording, the next request
// is ours. It must answer every call once, in order, and give back what the model wrote.
//
// Covers: SD-3 HUM-3/models LAW-4
func TestRecordedLoops(t *testing.T) {
	p := newPlayer(t)
	byID := map[string][]exchange{}
	for _, x := range recorded(t) {
		if x.Status == 200 {
			byID[x.id] = append(byID[x.id], x)
		}
	}
	n := map[string]int{}
	loops := recordedLoops(t)
	n["loops"] = len(loops)
	for id := range byID { // conversations without tools are loops of their own
		if !slices.ContainsFunc(loops, func(l loop) bool { return l.ID == id }) {
			loops = append(loops, loop{ID: id})
			n["other conversations"]++
		}
	}
	for _, l := range loops {
		results := map[string]string{}
		for _, s := range l.Steps {
			for _, tool := range s.Tools {
				results[tool.ID] = string(tool.Result)
			}
		}
		if len(byID[l.ID]) == 0 {
			t.Errorf("loop %s has no exchanges", l.ID)
		}
		r := ask("Begin")
		for _, x := range byID[l.ID] {
			if err := oneStep(t, p, &r, x, results, n); err != nil {
				t.Errorf("%s: %v", x, err)
				break
			}
		}
	}
	fmt.Println("model/anthropic: recorded loops, our next requests:", n)
	if n["calls answered"] == 0 || n["thinking blocks returned"] == 0 {
		t.Errorf("nothing was tested: %v", n)
	}
}

// oneStep plays an exchange, answers it, and looks at the request that follows.
func oneStep(t *testing.T, p *player, r *rein.ModelRequest, x exchange, results map[string]string, n map[string]int) error {
	// The request that follows is seen when it is sent: the answer to it is any.
	p.load(-1, x, builtin()[0])
	m := p.model(t, 0, anthropic.Options{})
	reply, _, err := generate(m, *r, x.Stream)
	if err != nil {
		return err
	}
	msg, err := logged(reply.Message)
	if err != nil {
		return err
	}
	r.Messages = append(r.Messages, msg)
	for i, c := range msg.Calls {
		status := rein.ToolOK
		if i%2 == 1 {
			status = rein.ToolFailed
		}
		r.Messages = append(r.Messages, rein.Message{Role: rein.ToolRole, CallID: c.ID, Status: status, Text: results[c.ID]})
		if !slices.ContainsFunc(r.Offered, func(t rein.Tool) bool { return t.Name == c.Name }) {
			r.Offered = append(r.Offered, rein.Tool{Name: c.Name})
		}
	}
	if len(msg.Calls) == 0 {
		r.Messages = append(r.Messages, rein.Message{Role: rein.User, Text: "And then?"})
	}
	if _, _, err := generate(m, *r, false); err != nil {
		return err
	}
	n["requests"]++
	return checkNext(p.sent()[1], x, msg, n)
}

// logged takes a message through a log.
func logged(m rein.Message) (rein.Message, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return m, err
	}
	var out rein.Message
	return out, json.Unmarshal(data, &out)
}

func checkNext(body []byte, x exchange, msg rein.Message, n map[string]int) error {
	sent, err := readRequest(body)
	if err != nil {
		return err
	}
	turns := sent.Messages
	if msg.Raw == nil {
		n["empty replies"]++
		return nil
	}
	if len(turns) < 2 {
		return fmt.Errorf("the reply is not in %s", body)
	}
	var kept []json.RawMessage
	if err := json.Unmarshal(msg.Raw.Data, &kept); err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(raw json.RawMessage) bool {
		b, err := readBlock(raw)
		return err == nil && b.Type == "text" && strings.TrimSpace(b.Text) == ""
	})
	back := turns[len(turns)-2].Content
	if !slices.EqualFunc(kept, back, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return fmt.Errorf("blocks %s came back as %s", kept, back)
	}
	thinking, err := thinkingOf(x)
	if err != nil {
		return err
	}
	var returned []thought
	for _, raw := range back {
		var th thought
		if err := json.Unmarshal(raw, &th); err != nil {
			return err
		}
		if th.is() {
			returned = append(returned, th)
		}
	}
	if !slices.Equal(thinking, returned) {
		return fmt.Errorf("thinking: %s", cmp.Diff(thinking, returned))
	}
	n["thinking blocks returned"] += len(returned)
	return checkResults(turns[len(turns)-1], msg, n)
}

// checkResults compares the last turn with the calls.
func checkResults(turn sentTurn, msg rein.Message, n map[string]int) error {
	for i, c := range msg.Calls {
		if i >= len(turn.Content) {
			return fmt.Errorf("no result of call %d", i)
		}
		b, err := readBlock(turn.Content[i])
		if err != nil || b.Type != "tool_result" || b.Result != c.ID || b.IsError != (i%2 == 1) {
			return fmt.Errorf("call %d (%s) has %s: %v", i, c.ID, turn.Content[i], err)
		}
		n["calls answered"]++
	}
	if len(msg.Calls) > 0 && len(turn.Content) != len(msg.Calls) {
		return fmt.Errorf("%d blocks for %d calls", len(turn.Content), len(msg.Calls))
	}
	return nil
}

// A thought is a block of thinking, open or sealed.
type thought struct{ Type, Thinking, Signature, Data string }

func (t thought) is() bool { return t.Type == "thinking" || t.Type == "redacted_thinking" }

// thinkingOf reads the thinking out of a recorded answer in a way of its own.
func thinkingOf(x exchange) ([]thought, error) {
	var out []thought
	if !x.Stream {
		var whole struct{ Content []thought }
		err := json.Unmarshal([]byte(x.Response), &whole)
		return slices.DeleteFunc(append(out, whole.Content...), func(t thought) bool { return !t.is() }), err
	}
	at := map[int]int{}
	for line := range strings.Lines(x.Response) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok {
			continue
		}
		var e struct {
			Type  string
			Index int
			Block thought `json:"content_block"`
			Delta thought
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return nil, err
		}
		if e.Type == "content_block_start" && e.Block.is() {
			at[e.Index] = len(out)
			out = append(out, e.Block)
		}
		if i, ok := at[e.Index]; ok && e.Type == "content_block_delta" {
			out[i].Thinking += e.Delta.Thinking
			out[i].Signature += e.Delta.Signature
		}
	}
	return out, nil
}
