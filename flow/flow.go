// Package flow is the table of the flows that come with rein, and what works on such a table. A flow is
// a plain function over rein.Run. It is pure (internal/archtest checks that), so that a run can be
// replayed to where it was. Each flow is a package below this one, with its prompts and its scenes.
// Package kit has what all of them need; import it to write your own.
package flow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/flow/answer"
	"rein/flow/assist"
	"rein/flow/chat"
	"rein/flow/compact"
	"rein/flow/critique"
	"rein/flow/explore"
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/flow/notice"
	"rein/flow/operate"
	"rein/flow/remember"
	"rein/flow/research"
	"rein/flow/shell"
	"rein/flow/strict"
	"rein/flow/summarise"
	"rein/flow/task"
	"rein/flow/undo"
)

// A Table is flows, in the order in which their settings are listed.
type Table []kit.Kind

// Kinds are the flows that are part of rein. A flow that changes so that old logs would no longer replay
// gets a new revision, and branches on the one in its task.
func Kinds() Table {
	return Table{
		answer.Kind(),
		operate.Kind(),
		strict.Kind(),
		explore.Kind(),
		assist.Kind(),
		research.Kind(),
		research.CodeKind(),
		task.Kind(),
		critique.Kind(),
		chat.Kind(),
		remember.Kind(),
		summarise.Kind(),
		compact.Kind(),
		undo.Kind(),
		shell.Kind(),
		notice.Kind(),
	}
}

// All returns rein's flows alone, for an engine.
func All() map[string]rein.Flow { return Kinds().All() }

// All returns the flows alone, for an engine.
func (t Table) All() map[string]rein.Flow {
	all := map[string]rein.Flow{}
	for _, k := range t {
		all[k.Name] = k.Flow()
	}
	return all
}

// Find returns the flow of that name, or one that is empty.
func (t Table) Find(name string) (kit.Kind, bool) {
	i := slices.IndexFunc(t, func(k kit.Kind) bool { return k.Name == name })
	if i < 0 {
		return kit.Kind{}, false
	}
	return t[i], true
}

// IsName reports whether there is a flow of that name.
func (t Table) IsName(name string) bool {
	_, ok := t.Find(name)
	return ok
}

// Names lists the flows that people ask for.
func (t Table) Names() []string {
	var names []string
	for _, k := range t {
		if !k.Background {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}

// IsBackground reports whether nobody asks for the flow of that name.
func (t Table) IsBackground(name string) bool {
	k, _ := t.Find(name)
	return k.Background
}

// IsApart reports whether a run of the flow knows nothing of its session.
func (t Table) IsApart(name string) bool {
	k, _ := t.Find(name)
	return k.Background && !k.Recalls
}

// IsAside reports whether people start a run of the flow, or rein does, in the midst of a session, whose later runs know of it.
func (t Table) IsAside(name string) bool {
	k, _ := t.Find(name)
	return k.Aside
}

// Remembered lists the flows after whose runs what they tell about people is kept.
func (t Table) Remembered() (names []string) {
	for _, k := range t {
		if k.Remembered {
			names = append(names, k.Name)
		}
	}
	return names
}

// WithTools adds the tools to a task that its flow always has, for a program that has these tools.
func (t Table) WithTools(task rein.Task) rein.Task {
	kind, _ := t.Find(task.Flow)
	return kind.WithTools(task)
}

// Prepare completes a task for its flow before it is frozen.
func (t Table) Prepare(task rein.Task, c kit.Ceiling) (rein.Task, error) {
	kind, ok := t.Find(task.Flow)
	if !ok {
		return task, rein.Errorf(rein.CodeInvalid, "flow %q does not exist; available: %s", task.Flow, strings.Join(slices.Sorted(maps.Keys(t.All())), ", "))
	}
	return kind.Prepare(task, c)
}

// prompts are all that people can replace with their own.
func (t Table) prompts() map[string]kit.Prompts {
	all := map[string]kit.Prompts{}
	add := func(p kit.Prompts) {
		for _, name := range p.Names() {
			all[name] = p
		}
	}
	add(kit.Shared)
	add(turn.Prompts)
	for _, k := range t {
		add(k.Texts)
	}
	return all
}

// TextNames lists the prompts that can be replaced.
func (t Table) TextNames() []string { return slices.Sorted(maps.Keys(t.prompts())) }

// CheckText says why a text cannot take the place of the built-in one, if it cannot.
func (t Table) CheckText(name, text string) error {
	prompts, ok := t.prompts()[name]
	if !ok {
		return fmt.Errorf("there is no prompt %q; available: %s", name, strings.Join(t.TextNames(), ", "))
	}
	return prompts.Check(name, text)
}
