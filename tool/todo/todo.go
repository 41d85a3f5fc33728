// Package todo has the tool todo: a list of things to do that a model keeps. It changes nothing but the log: the
// list is the data of the tool's results.
package todo

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/tool"
)

//go:embed todo.md
var text string

// The whole list is given each time. Models that update single items lose track of which there are.
type args struct {
	Items *[]item `json:"items,omitempty" jsonschema:"the whole list as it should be now; without it the list is returned as it is" max:"50"`
}

type item struct {
	ID    int    `json:"id,omitempty" jsonschema:"the number of an item that was there before; leave it out for a new one" min:"0" max:"9999"`
	Text  string `json:"text" jsonschema:"what is to be done, in one short line" min:"1" max:"200"`
	State string `json:"state" jsonschema:"how far it is" enum:"pending,doing,done"`
}

// A Read returns the list as it is for a call: of its run, or of an earlier run of the session.
type Read func(context.Context, rein.Invocation) (rein.Todo, error)

// Tool is the tool todo.
func Tool(read Read) (rein.Tool, error) {
	return tool.New(tool.Spec{Name: rein.TodoTool, Family: "basics", Text: text, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, a args) (rein.Done, error) {
		list, err := rein.Todo{}, error(nil)
		if a.Items == nil {
			list, err = read(ctx, inv)
		} else {
			list, err = listOf(*a.Items)
		}
		if err != nil {
			return rein.Done{}, err
		}
		if list.Items == nil {
			list.Items = []rein.TodoItem{}
		}
		data, err := json.Marshal(list)
		return rein.Done{Text: Text(list), Data: data}, err
	})
}

// listOf checks a list, and numbers its new items.
func listOf(items []item) (list rein.Todo, err error) {
	next, seen, doing := 1, map[int]bool{}, 0
	for i, it := range items {
		switch {
		case seen[it.ID]:
			return list, rein.Errorf(rein.CodeInvalid, "items[%d]: another item has the id %d: leave the id out for a new item", i, it.ID)
		case it.State == string(rein.TodoDoing) && doing > 0:
			return list, rein.Errorf(rein.CodeInvalid, "items[%d]: item %d is doing already: at most one item can be; set the others to pending or done", i, doing)
		case it.State == string(rein.TodoDoing):
			doing = i + 1
		}
		if it.ID > 0 {
			seen[it.ID], next = true, max(next, it.ID+1)
		}
	}
	for _, it := range items {
		if it.ID == 0 {
			it.ID, next = next, next+1
		}
		list.Items = append(list.Items, rein.TodoItem{ID: it.ID, Text: strings.Join(strings.Fields(it.Text), " "), State: rein.TodoState(it.State)})
	}
	return list, nil
}

// Text is a list for a model.
func Text(list rein.Todo) string {
	if len(list.Items) == 0 {
		return "The list is empty."
	}
	var b strings.Builder
	for _, it := range list.Items {
		fmt.Fprintf(&b, "%d. [%s] %s\n", it.ID, it.State, it.Text)
	}
	return b.String()
}
