package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"

	"rein"
	"rein/engine"
	"rein/flow"
	"rein/flow/kit"
	"rein/flow/operate"
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
	model, err := shippedModel(s, nil)
	if err != nil {
		return nil, err
	}
	r, err := openRig(ctx, s.Dir, model, nil, func(o *engine.Options) {
		asShipped(o)
		o.OnDelta = func(d rein.Delta) { show(d.Text) }
	})
	return &shipped{r, s}, err
}

// asShipped adds the flows that users have, whose tasks the engine completes as they start, and the tool.
func asShipped(o *engine.Options) {
	o.Flows = maps.Clone(o.Flows)
	maps.Copy(o.Flows, flow.All())
	o.Flows["grow"] = rein.Flow{Do: grow}
	lookup := lookupTool()
	o.Worker.Tools = map[string]rein.Tool{lookup.Name: lookup}
	kinds := flow.Kinds()
	o.Prepare = func(task rein.Task) (rein.Task, error) {
		if _, known := kinds.Find(task.Flow); !known {
			return task, nil
		}
		return kinds.Prepare(task, kit.Ceiling{})
	}
}

// shippedModel speaks to the mock through the adapter that users have. Without a client of its own it has theirs.
func shippedModel(s spec, client *http.Client) (rein.Model, error) {
	return openai.New(openai.Options{Model: modelName(s), BaseURL: s.Base + "/v1", Key: "x", Info: rein.ModelInfo{MaxOutput: 1024}, HTTP: client})
}

func lookupTool() rein.Tool {
	type args struct {
		Q string `json:"q" jsonschema:"query"`
	}
	made, err := tool.New(tool.Spec{Name: "lookup", Text: "Look something up", Effect: rein.Pure},
		func(_ context.Context, _ rein.Invocation, a args) (rein.Done, error) {
			return rein.Done{Text: lookup(a.Q)}, nil
		})
	if err != nil {
		panic(err) // one argument, which is a string
	}
	return made
}

func (s *shipped) run(ctx context.Context, n int) (string, error) {
	id := rein.RunID(fmt.Sprintf("r%d", n))
	task := shippedTask(n, s.spec)
	if s.spec.Peer == growPeer {
		task = growTask(n, s.spec)
	}
	if _, err := s.Start(ctx, id, task); err != nil {
		return "", err
	}
	return s.ended(ctx, id)
}

// shippedTask is what users send. One with more rounds than the flow has by default asks for them, and for no summaries
// unless the spec wants them.
func shippedTask(n int, s spec) rein.Task {
	task := rein.Task{Flow: "operate", Tools: []string{"lookup"}, Messages: []rein.Message{{Role: rein.User, Text: userText(n)}}}
	if s.Steps >= operate.Default().Rounds {
		set := operate.Default()
		set.Rounds = s.Steps + 1
		if !s.Compact {
			set.CompactMessages = 10_000
		}
		task.Settings = encode(set)
	}
	if s.Steps > manySteps {
		budget := rein.MaxBudget()
		task.Budget = &budget
	}
	return task
}
