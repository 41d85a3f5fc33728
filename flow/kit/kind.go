package kit

import (
	"encoding/json"
	"slices"
	"time"

	"rein"
)

// A Kind is a flow and what is known of it before a run: all that a program has to be told to offer it.
// Its zero value, with a name and a function, is a flow without settings that may ask anything.
type Kind struct {
	Name  string
	About string // in one line, for people who choose
	Do    rein.FlowFunc
	// Revision is the newest that Do knows; see rein.Flow.
	Revision int

	// Settings are what a caller may choose; nil: nothing.
	Settings Settings
	// Section is the part of rein.toml with the settings; empty: that of its name. Flows can share one.
	Section string
	// Texts are the prompts that people can replace with their own.
	Texts Prompts

	// Tools are what a program that has them gives every run, beside those that were selected.
	Tools []string
	// Wants names more tools, which the settings of this task call for; nil: none.
	Wants func(rein.Task) []string
	// Questions lists what the flow may ask by itself in a run of this task, and what happens if nobody
	// answers. What its tools ask is not for it to say. nil: it may ask anything.
	Questions func(rein.Task) []rein.Blocker

	// Background says that nobody asks for it: a program starts it after other runs.
	Background bool
	// Recalls says that it reads what was said in its session, although it is in the background: its log quotes that.
	Recalls bool
	// Aside says that people start it in a session, and it reads nothing of what they say there meanwhile; see rein.Flow.
	Aside bool
	// Household says that it serves the members of a household: tools and rein speak the language of the message to somebody
	// for whom no language was chosen.
	Household bool
	// Remembered says that what its runs tell about people is kept, by background runs that come after.
	Remembered bool
	// BoundsNotes says that the settings hold upper limits for the tools that read notes, under the names
	// that package tool/notes gives them.
	BoundsNotes bool
	// Draft checks an answer while it is written, for clients that show it; nil: it is shown as it comes.
	Draft func(rein.Task) Draft
}

// A Draft is an answer while it is written, as people may see it.
type Draft interface {
	// Observe takes what a tool returned in the run.
	Observe(call rein.ToolCall, result rein.ToolResult)
	// Shown returns what can be shown of a reply of which this much is written. It only grows.
	Shown(written string) string
	// Whole is the reply as the run ends with it.
	Whole(reply string) string
}

// SectionName is the part of rein.toml with the settings.
func (k Kind) SectionName() string {
	if k.Section != "" {
		return k.Section
	}
	return k.Name
}

// Fit completes and checks settings of the flow; see Settings.
func (k Kind) Fit(raw json.RawMessage, c Ceiling) (complete json.RawMessage, changes []Change, err error) {
	if k.Settings == nil {
		return SettingsOf[struct{}]{Flow: k.Name}.Fit(raw, c)
	}
	return k.Settings.Fit(raw, c)
}

// Prepare completes a task of the flow before it is frozen.
func (k Kind) Prepare(task rein.Task, c Ceiling) (rein.Task, error) {
	complete, changes, err := k.Fit(task.Settings, c)
	if err != nil {
		return task, err
	}
	task.Settings = complete
	task.Notices = append(slices.Clone(task.Notices), Notices(k.Name, changes)...)
	return task, nil
}

// WithTools adds the tools to a task that the flow always has, for a program that has these tools.
func (k Kind) WithTools(task rein.Task) rein.Task {
	for _, name := range k.allTools(task) {
		if !slices.Contains(task.Tools, name) {
			task.Tools = append(slices.Clip(task.Tools), name)
		}
	}
	return task
}

// Flow is the flow as an engine takes it.
func (k Kind) Flow() rein.Flow { return rein.Flow{Do: k.Do, Revision: k.Revision, Aside: k.Aside} }

func (k Kind) allTools(task rein.Task) []string {
	if k.Wants == nil {
		return k.Tools
	}
	return append(slices.Clone(k.Tools), k.Wants(task)...)
}

// AsksNothing is for Kind.Questions: the flow asks nobody anything by itself.
func AsksNothing(rein.Task) []rein.Blocker { return nil }

// Asks is a question that a flow may ask in the phase. After the time, if there is one, the run goes on
// without an answer.
func Asks(phase, why string, waits time.Duration) rein.Blocker {
	b := rein.Blocker{Kind: rein.AskQuestion, What: phase, Why: why, Waits: waits, OnExpiry: rein.ExpiryContinue}
	if waits == 0 {
		b.OnExpiry = rein.ExpiryPark
	}
	return b
}
