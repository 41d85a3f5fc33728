package journal

import (
	"encoding/json"
	"iter"

	"rein"
)

// Todo returns the list of things to do as the step leaves it. ok is false of a step that leaves none.
func (s *Step) Todo() (list rein.Todo, ok bool) {
	if !s.Over() || s.Tool != rein.TodoTool || s.Call() == nil || s.End.Result == nil || s.End.Result.Status != rein.ToolOK {
		return list, false
	}
	ok = json.Unmarshal(s.End.Result.Data, &list) == nil && list.Items != nil
	return list, ok
}

// LastTodo returns the newest list of things to do in a log. ok is false if the run never kept one.
func LastTodo(log iter.Seq2[rein.Event, error]) (list rein.Todo, ok bool, err error) {
	var steps Steps
	for e, err := range log {
		if err != nil {
			return list, ok, err
		}
		if now, left := steps.See(e).Todo(); left {
			list, ok = now, true
		}
	}
	return list, ok, nil
}
