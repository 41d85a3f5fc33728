package main

import (
	"context"
	"fmt"

	"rein"
	"rein/engine"
	"rein/flow"
	"rein/flow/kit"
	"rein/model/openai"
	"rein/tool"
)

// shipped is rein as its users get it: the adapter for OpenAI, the flow operate, and a tool that tool.New
// made.
type shipped struct {
	*rig
	spec spec
}

func newShipped(ctx context.Context, s spec, show func(string)) (peer, error) {
	model, err := shippedModel(s)
	if err != nil {
		return nil, err
	}
	lookup, err := lookupTool()
	if err != nil {
		return nil, err
	}
	r, err := openRig(ctx, s.Dir, model, nil, func(o *engine.Options) {
		o.Flows = flow.All()
		o.Flows["grow"] = rein.Flow{Do: grow}
		o.Worker.Tools = map[string]rein.Tool{lookup.Name: lookup}
		o.OnDelta = func(d rein.Delta) { show(d.Text) }
	})
	return &shipped{r, s}, err
}

// shippedModel speaks to the mock through the adapter that users have.
func shippedModel(s spec) (rein.Model, error) {
	return openai.New(openai.Options{Model: modelName(s), BaseURL: s.Base + "/v1", Key: "x", Info: rein.ModelInfo{MaxOutput: 1024}})
}

func lookupTool() (rein.Tool, error) {
	type args struct {
		Q string `json:"q" jsonschema:"query"`
	}
	return tool.New(tool.Spec{Name: "lookup", Text: "Look something up", Effect: rein.Pure},
		func(_ context.Context, _ rein.Invocation, a args) (rein.Done, error) {
			return rein.Done{Text: lookup(a.Q)}, nil
		})
}

func (s *shipped) run(ctx context.Context, n int) (string, error) {
	id := rein.RunID(fmt.Sprintf("r%d", n))
	task, err := s.task(n)
	if err != nil {
		return "", err
	}
	if _, err := s.Start(ctx, id, task); err != nil {
		return "", err
	}
	return s.ended(ctx, id)
}

func (s *shipped) task(n int) (rein.Task, error) {
	if s.spec.Peer == growPeer {
		return growTask(n, s.spec), nil
	}
	return flow.Kinds().Prepare(rein.Task{
		Flow: "operate", Tools: []string{"lookup"}, Messages: []rein.Message{{Role: rein.User, Text: userText(n)}},
	}, kit.Ceiling{})
}
