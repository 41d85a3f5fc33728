package app

import (
	"errors"
	"strings"
	"testing"

	"rein"
)

// Parts of a program do not take the names of rein's: a run would not get what its settings say.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Options{
		`flow "chat"`:             {Flows: map[string]rein.Flow{"chat": {}}},
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
