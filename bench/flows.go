package main

import (
	"context"
	"encoding/json"
	"fmt"

	"rein"
)

var flows = map[string]rein.Flow{"loop": {Do: loop}, "park": {Do: park}, "tree": {Do: tree}, "nothing": {Do: nothing}, "speak": {Do: speak}}

// settings are what the flows are told by Task.Settings.
type settings struct {
	Rounds  int  `json:"rounds,omitempty"`  // of loop and grow
	Compact bool `json:"compact,omitempty"` // of grow: older messages are summarised
	Nodes   int  `json:"nodes,omitempty"`   // of tree: in this subtree
	Depth   int  `json:"depth,omitempty"`   // of tree: levels below this node
	Ask     bool `json:"ask,omitempty"`     // of tree: leaves ask a person instead of the model
}

func encode(settings any) json.RawMessage {
	data, err := json.Marshal(settings)
	if err != nil {
		panic(err) // numbers, names and bools
	}
	return data
}

func decode(task rein.Task) (s settings, err error) {
	err = json.Unmarshal(task.Settings, &s)
	return s, err
}

// loop lets the model call tools until it has an answer.
func loop(run rein.Run, task rein.Task) (rein.Outcome, error) {
	s, err := decode(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	talk := task.Messages
	for round := 1; round <= s.Rounds; round++ {
		reply, err := run.CallModel(rein.Prompt{
			About: rein.About{Phase: "act", Round: round}, Messages: talk, Tools: task.Tools, MaxTokens: 1024, Stream: true,
		})
		if err != nil {
			return rein.Outcome{}, err
		}
		talk = append(talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{Text: reply.Text}, nil
		}
		for _, call := range reply.Calls {
			result, err := run.CallTool(call)
			if err != nil {
				return rein.Outcome{}, err
			}
			talk = append(talk, rein.Message{Role: rein.ToolRole, CallID: call.ID, Text: result.Text})
		}
	}
	return rein.Outcome{}, fmt.Errorf("no answer after %d rounds", s.Rounds)
}

// park waits for a person, and then calls the model.
func park(run rein.Run, task rein.Task) (rein.Outcome, error) {
	answer, err := run.AskUser(rein.Question{Text: "Go on?"})
	if err != nil {
		return rein.Outcome{}, err
	}
	talk := append(task.Messages, rein.Message{Role: rein.User, Text: answer.Text})
	reply, err := run.CallModel(rein.Prompt{Messages: talk})
	return rein.Outcome{Text: reply.Text}, err
}

// speak waits for a person, and then lets the model write.
func speak(run rein.Run, task rein.Task) (rein.Outcome, error) {
	if _, err := run.AskUser(rein.Question{Text: "Is everyone there?"}); err != nil {
		return rein.Outcome{}, err
	}
	reply, err := run.CallModel(rein.Prompt{Messages: task.Messages, Stream: true})
	return rein.Outcome{Text: reply.Text}, err
}

// tree spawns two children, or as many as are needed on the last level, and waits for them. Leaves
// call the model or ask a person.
func tree(run rein.Run, task rein.Task) (rein.Outcome, error) {
	s, err := decode(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	if s.Nodes == 1 {
		return leaf(run, task, s)
	}
	var children []rein.RunID
	for _, nodes := range subtrees(s.Nodes-1, s.Depth) {
		child := rein.Task{Flow: "tree", Settings: encode(settings{Nodes: nodes, Depth: s.Depth - 1, Ask: s.Ask})}
		id, err := run.Spawn(child)
		if err != nil {
			return rein.Outcome{}, err
		}
		children = append(children, id)
	}
	for _, id := range children {
		if _, err := run.Wait(id); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{}, nil
}

func leaf(run rein.Run, task rein.Task, s settings) (rein.Outcome, error) {
	if s.Ask {
		_, err := run.AskUser(rein.Question{Text: "Go on?"})
		return rein.Outcome{}, err
	}
	_, err := run.CallModel(rein.Prompt{Messages: task.Messages})
	return rein.Outcome{}, err
}

// subtrees says how many nodes the children of a node have that has so many nodes and levels below.
func subtrees(nodes, depth int) []int {
	if depth > 1 {
		if nodes == 1 {
			return []int{1}
		}
		return []int{nodes - nodes/2, nodes / 2}
	}
	ones := make([]int, nodes)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// leaves says how many of a tree's nodes have no children.
func leaves(nodes, depth int) int {
	if nodes == 1 {
		return 1
	}
	n := 0
	for _, below := range subtrees(nodes-1, depth) {
		n += leaves(below, depth-1)
	}
	return n
}

func nothing(rein.Run, rein.Task) (rein.Outcome, error) { return rein.Outcome{Text: "done"}, nil }

// modelFunc is a model in this process.
type modelFunc func(context.Context) (string, error)

func (modelFunc) Info() rein.ModelInfo { return rein.ModelInfo{Name: "local", MaxOutput: 100} }

func (f modelFunc) Generate(ctx context.Context, _ rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	text, err := f(ctx)
	usage := &rein.Usage{Input: 1, Output: 1}
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: text}, Usage: usage, Model: "local"}, err
}
