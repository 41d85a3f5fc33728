package app

import (
	"errors"
	"strings"
	"testing"

	"rein"
	"rein/flow/kit"
)

// Parts of a program do not take the names of rein's: a run would not get what its settings say.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Options{
		`flow "chat" already`:     {Flows: []kit.Kind{{Name: "chat", Do: shout}}},
		`flow "mine" already`:     {Flows: []kit.Kind{{Name: "mine", Do: shout}, {Name: "mine", Do: shout}}},
		`"" needs a name`:         {Flows: []kit.Kind{{Do: shout}}},
		`"mine" needs`:            {Flows: []kit.Kind{{Name: "mine"}}},
		`[tools] in rein`:         {Flows: []kit.Kind{{Name: "tools", Do: shout}}},
		`tools named "read_file"`: {Tools: []rein.Tool{{Name: "read_file"}}},
		`tools named "mine"`:      {Tools: []rein.Tool{{Name: "mine"}, {Name: "mine"}}},
		`models.offline: the`:     {Models: map[string]rein.Model{"offline": nil}},
	} {
		o.Data, o.Env = t.TempDir(), []string{}
		a, err := Open(t.Context(), o)
		if err == nil {
			a.Close()
		}
		if _, ok := errors.AsType[*SettingError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

func shout(_ rein.Run, task rein.Task) (rein.Outcome, error) {
	return rein.Outcome{Text: task.Messages[0].Text + "!"}, nil
}
