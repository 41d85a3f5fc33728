package flowtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"rein"
)

// soon is the deadline of a tool that hangs.
const soon = 20 * time.Millisecond

// A reply is what a tool returns to the calls whose arguments hold a text.
type reply struct {
	args       string
	text       string
	data, hang bool
}

// evidence is what the real tools of these names say of their results.
var evidence = map[string]rein.Evidence{"find_similar": rein.EvidenceHits, "read_note": rein.EvidenceNote, "read_file": rein.EvidenceFile}

// likeReal says of a result what the real tool of the name says, and of a note also which one it is.
func likeReal(name string, args json.RawMessage, done rein.Done) rein.Done {
	done.Evidence = evidence[name]
	if done.Evidence != rein.EvidenceNote || done.Data != nil {
		return done
	}
	var asked struct {
		Path    string `json:"path"`
		Section string `json:"section,omitempty"`
	}
	if json.Unmarshal(args, &asked) == nil {
		done.Data, _ = json.Marshal(map[string]any{"ok": true, "text": done.Text, "meta": asked})
	}
	return done
}

// readTools makes the tools of a file. Each line is one, as NAME EFFECT WORDS => TEXT: the words are
//
//	approval   a person must agree
//	ask        it is a question to a person
//	internal   it is for flows, not for models
//	code       it looks into code
//	json       the text is its data too
//	hang       it does not answer; "hang" until it is cut off, "timeout" until its short deadline
//	args~TEXT  this line answers only calls whose arguments hold the text
//
// A text that begins with "fail" makes it an error. Several lines of one name are one tool: the first
// that fits the call answers. A part schema/NAME is its schema, text/NAME a longer text.
func readTools(parts map[string]string) (map[string]rein.Tool, error) {
	tools, replies := map[string]rein.Tool{}, map[string][]reply{}
	for _, line := range lines(parts["tools"]) {
		head, text, ok := strings.Cut(line, "=>")
		words := strings.Fields(head)
		if !ok || len(words) < 2 {
			return nil, fmt.Errorf("tools: %q must be NAME EFFECT [WORDS] => TEXT", line)
		}
		name := words[0]
		tool, ok := tools[name]
		if !ok {
			tool = rein.Tool{Name: name, Description: "The tool " + name + ".", Effect: rein.Effect(words[1])}
		}
		r := reply{text: strings.TrimSpace(text)}
		if long, ok := parts["text/"+name]; ok {
			r.text = long
		}
		for _, word := range words[2:] {
			if err := readWord(word, &tool, &r); err != nil {
				return nil, fmt.Errorf("tools: %q: %w", line, err)
			}
		}
		if schema := parts["schema/"+name]; schema != "" {
			tool.Schema = json.RawMessage(schema)
		}
		replies[name] = append(replies[name], r)
		if tool.Ask == nil {
			tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
				done, err := answer(ctx, replies[name], inv)
				return likeReal(name, inv.Args, done), err
			}
		}
		tools[name] = tool
	}
	return tools, nil
}

func readWord(word string, tool *rein.Tool, r *reply) error {
	args, isArgs := strings.CutPrefix(word, "args~")
	switch {
	case isArgs:
		r.args = args
	case word == "approval":
		tool.Approval = true
	case word == "ask":
		tool.Ask = question
	case word == "internal":
		tool.Internal = true
	case word == "code":
		tool.Code = true
	case word == "json":
		r.data = true
	case word == "hang":
		r.hang = true
	case word == "timeout":
		r.hang, tool.Timeout = true, soon
	default:
		return fmt.Errorf("%q is none of approval, ask, internal, code, json, hang, timeout, args~TEXT", word)
	}
	return nil
}

// answer is what a tool does: the first reply that fits the arguments.
func answer(ctx context.Context, replies []reply, inv rein.Invocation) (rein.Done, error) {
	for _, r := range replies {
		if !strings.Contains(string(inv.Args), r.args) {
			continue
		}
		if r.hang {
			<-ctx.Done()
			return rein.Done{}, ctx.Err()
		}
		if why, fails := strings.CutPrefix(r.text, "fail "); fails {
			return rein.Done{}, errors.New(why)
		}
		done := rein.Done{Text: r.text}
		if r.data {
			done.Data = json.RawMessage(r.text)
		}
		return done, nil
	}
	return rein.Done{}, fmt.Errorf("no line of the file answers %s", inv.Args)
}

func question(args json.RawMessage) (rein.Question, error) {
	var q struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
	}
	err := json.Unmarshal(args, &q)
	return rein.Question{Text: q.Question, Choices: q.Choices}, err
}
