package args

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rein"
)

//go:embed repair.md
var repairText string

// maxRepair bounds what is sent to a model for repair. It would give back less than it got of a
// longer text, and nobody would notice.
const maxRepair = 16 << 10

// RepairPrompt returns the messages of the one model call that may mend arguments, nil if they are
// too long for it or were cut off. ReadRepair reads the reply.
func RepairPrompt(t rein.Tool, raw json.RawMessage, problem error) []rein.Message {
	if len(raw) > maxRepair || len(t.Schema) > maxSchema {
		return nil
	}
	if p, ok := errors.AsType[*Problem](problem); ok && p.Cut {
		return nil
	}
	written, err := encode(string(raw))
	if err != nil {
		return nil
	}
	schema := t.Schema
	if emptySchema(schema) {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	call := fmt.Sprintf("Tool: %q\nSchema: %s\nArguments: %s\nProblem: %v", t.Name, schema, written, problem)
	return []rein.Message{
		{Role: rein.System, Text: repairText},
		{Role: rein.User, Text: call},
	}
}

// ReadRepair takes the arguments out of a model's reply to RepairPrompt. They are always a guess.
func ReadRepair(t rein.Tool, reply string, task rein.Task) (Ready, error) {
	if strings.TrimSpace(reply) == "" {
		return Ready{}, about(t, &Problem{Msg: "the model that should mend them said nothing", Offset: -1})
	}
	ready, err := prepare(t, reply, task, ByModel, ByModel)
	if err != nil {
		return Ready{}, err
	}
	ready.How = ByModel
	return ready, nil
}
