// Package tree has the tools fork, wait and send, with which a model has other agents work beside it. What they do is
// recorded by the engine, as parts of their calls; see rein.Tree.
package tree

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/tool"
)

// The names of the tools.
const (
	Fork = "fork"
	Wait = "wait"
	Send = "send"
)

// Names lists the tools.
func Names() []string { return []string{Fork, Wait, Send} }

//go:embed fork.md
var forkText string

//go:embed wait.md
var waitText string

//go:embed send.md
var sendText string

// timeout is for a call without what it waits for.
const timeout = time.Minute

// Tools makes the tools.
func Tools() ([]rein.Tool, error) {
	var all []rein.Tool
	for _, made := range []func() (rein.Tool, error){forkTool, waitTool, sendTool} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func spec(name, text string) tool.Spec {
	return tool.Spec{Name: name, Family: "agents", Text: text, Effect: rein.Pure, Timeout: timeout, Tree: true}
}

// Forked is the Data of fork.
type Forked struct {
	Handle int        `json:"handle"`
	Run    rein.RunID `json:"run"`
}

type forkArgs struct {
	Prompt string `json:"prompt" jsonschema:"what the agent is to do and to report" min:"1" max:"32768"`
}

func forkTool() (rein.Tool, error) {
	return tool.New(spec(Fork, forkText), func(ctx context.Context, inv rein.Invocation, a forkArgs) (rein.Done, error) {
		tree, err := treeOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		f, err := tree.Fork(ctx, a.Prompt)
		if err != nil {
			return rein.Done{}, err
		}
		return done(fmt.Sprintf("Handle %d: run %s works on it. %s {\"handle\": %d} returns its result.", f.Handle, f.Run, Wait, f.Handle), Forked{f.Handle, f.Run})
	})
}

// Waited is the Data of wait.
type Waited struct {
	End  rein.End `json:"end"`
	Text string   `json:"text"`
}

type waitArgs struct {
	Handle int `json:"handle" jsonschema:"the number that fork returned" min:"1"`
}

// Waiting for the same again is no loop: it gives the same.
func waitTool() (rein.Tool, error) {
	s := spec(Wait, waitText)
	s.Polling = true
	return tool.New(s, func(ctx context.Context, inv rein.Invocation, a waitArgs) (rein.Done, error) {
		tree, err := treeOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		out, err := tree.Wait(ctx, a.Handle)
		if err != nil {
			return rein.Done{}, err
		}
		return done(Words(out), Waited{out.End, out.Text})
	})
}

// Words is what came of a fork, in words: a text that is not all that was asked for says so.
func Words(out rein.Outcome) string {
	text := strings.TrimSpace(out.Text)
	switch {
	case out.End == rein.EndDone && text != "":
		return out.Text
	case text == "":
		return fmt.Sprintf("[the agent ended as %s, without a word]", out.End)
	}
	return fmt.Sprintf("[the agent ended as %s]\n%s", out.End, out.Text)
}

type sendArgs struct {
	Run  string `json:"run" jsonschema:"the run of the agent" min:"1" max:"512"`
	Text string `json:"text" jsonschema:"what to tell it" min:"1" max:"32768"`
}

func sendTool() (rein.Tool, error) {
	return tool.New(spec(Send, sendText), func(ctx context.Context, inv rein.Invocation, a sendArgs) (rein.Done, error) {
		tree, err := treeOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		receipt, err := tree.Send(ctx, rein.RunID(a.Run), a.Text)
		if err != nil {
			return rein.Done{}, err
		}
		return done(fmt.Sprintf("Sent to run %s (receipt %s: %s).", a.Run, receipt.Command, receipt.State), receipt)
	})
}

func treeOf(inv rein.Invocation) (rein.Tree, error) {
	if inv.Tree == nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "this call has no tree of runs")
	}
	return inv.Tree, nil
}

func done(text string, data any) (rein.Done, error) {
	raw, err := json.Marshal(data)
	return rein.Done{Text: text, Data: raw}, err
}
