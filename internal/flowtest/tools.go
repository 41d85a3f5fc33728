package flowtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rein"
)

// readTools makes the tools of a file. Each line is one: its name, its effect, the word approval if
// a person must agree, and after "=>" what it returns; "fail" before that makes it an error. A part
// schema/NAME is its schema, text/NAME a longer text that it returns.
func readTools(parts map[string]string) (map[string]rein.Tool, error) {
	tools := map[string]rein.Tool{}
	for _, line := range lines(parts["tools"]) {
		head, text, ok := strings.Cut(line, "=>")
		words := strings.Fields(head)
		if !ok || len(words) < 2 {
			return nil, fmt.Errorf("tools: %q must be NAME EFFECT [approval] => TEXT", line)
		}
		tool := rein.Tool{Name: words[0], Description: "The tool " + words[0] + ".", Effect: rein.Effect(words[1])}
		for _, word := range words[2:] {
			switch word {
			case "approval":
				tool.Approval = true
			case "ask":
				tool.Ask = question
			default:
				return nil, fmt.Errorf("tools: %q: %q is neither approval nor ask", line, word)
			}
		}
		if schema := parts["schema/"+tool.Name]; schema != "" {
			tool.Schema = json.RawMessage(schema)
		}
		text = strings.TrimSpace(text)
		if long, ok := parts["text/"+tool.Name]; ok {
			text = long
		}
		if tool.Ask == nil {
			tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
				if why, fails := strings.CutPrefix(text, "fail "); fails {
					return rein.Done{}, errors.New(why)
				}
				return rein.Done{Text: text}, nil
			}
		}
		tools[tool.Name] = tool
	}
	return tools, nil
}

func question(args json.RawMessage) (rein.Question, error) {
	var q struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
	}
	err := json.Unmarshal(args, &q)
	return rein.Question{Text: q.Question, Choices: q.Choices}, err
}
