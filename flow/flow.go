// Package flow has the flows that come with rein. A flow is a plain function over rein.Run. It is
// pure (internal/archtest checks that), so that a run can be replayed to where it was; whatever a
// flow needs from outside, it gets through the verbs of its Run.
package flow

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
)

// A Kind is a flow and what is known of it beforehand.
type Kind struct {
	About string // in one line
	Flow  rein.FlowFunc
	// Revision is the newest that Flow knows; see rein.Flow.
	Revision int
	// Settings completes and checks the settings of a task: what is missing takes its default, what is
	// out of range is clamped with a notice, what makes no sense is an error.
	Settings func(raw json.RawMessage, c Ceiling) (complete json.RawMessage, notices []string, err error)
	// Tools are what a program that has them gives every run, beside those that were selected; see
	// WithTools.
	Tools []string
	// Background says that nobody asks for it: a program starts it after other runs.
	Background bool
}

// Kinds returns every flow by its name. A flow that changes so that old logs would no longer replay gets
// a new revision, and branches on the one in its task.
func Kinds() map[string]Kind {
	return map[string]Kind{
		"answer":    {About: "looks things up one at a time, then answers with sources", Flow: Answer, Tools: sessionTools, Revision: answerChanges, Settings: settingsOf("answer", DefaultAnswer(), (*AnswerSettings).fit)},
		"assist":    {About: "chats, and hands over to research, code or a task when it has to", Flow: Assist, Tools: sessionTools, Revision: 1, Settings: settingsOf("assist", DefaultAssist(), (*AssistSettings).fit)},
		"chat":      {About: "one plain model call", Flow: Chat, Tools: sessionTools, Revision: 1, Settings: noSettings("chat")},
		"code":      {About: "plans, acts and reflects on code, then writes", Flow: Code, Tools: sessionTools, Revision: 1, Settings: settingsOf("code", DefaultResearch(), (*ResearchSettings).fit)},
		"critique":  {About: "judges the last exchange", Flow: Critique, Settings: noSettings("critique")},
		"explore":   {About: "asks what is unclear, splits it, explores the parts side by side", Flow: Explore, Tools: sessionTools, Revision: 1, Settings: settingsOf("explore", DefaultExplore(), (*ExploreSettings).fit)},
		"operate":   {About: "speaks and calls tools until it is done; each call approved where it must be", Flow: Operate, Tools: sessionTools, Settings: settingsOf("operate", DefaultOperate(), (*OperateSettings).fit)},
		"remember":  {About: "keeps what is worth knowing of a run", Flow: Remember, Settings: settingsOf("remember", DefaultRemember(), (*RememberSettings).fit), Background: true},
		"research":  {About: "plans, acts and reflects, then writes", Flow: Research, Tools: sessionTools, Revision: 1, Settings: settingsOf("research", DefaultResearch(), (*ResearchSettings).fit)},
		"strict":    {About: "reason, act, observe, in every step", Flow: Strict, Tools: sessionTools, Revision: strictPlans, Settings: settingsOf("strict", DefaultStrict(), (*StrictSettings).fit)},
		"summarise": {About: "sums up a session or a day", Flow: Summarise, Settings: settingsOf("summarise", DefaultSummarise(), (*SummariseSettings).fit), Background: true},
		"task":      {About: "one thing to be done, with a small protocol", Flow: Task, Tools: sessionTools, Revision: 1, Settings: settingsOf("task", DefaultTask(), (*TaskSettings).fit)},
	}
}

// Names lists the flows that people ask for.
func Names() []string {
	kinds := Kinds()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(kinds)), func(name string) bool { return kinds[name].Background })
}

// All returns the flows alone, for an engine.
func All() map[string]rein.Flow {
	all, kinds := map[string]rein.Flow{}, Kinds()
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		all[name] = rein.Flow{Do: kinds[name].Flow, Revision: kinds[name].Revision}
	}
	return all
}

// WithTools adds the tools to a task that its flow always has, for a program that has these tools.
func WithTools(task rein.Task) rein.Task {
	names := slices.Clone(Kinds()[task.Flow].Tools)
	if Retrieves(task) {
		names = append(names, findNotes)
	}
	for _, name := range names {
		if !slices.Contains(task.Tools, name) {
			task.Tools = append(slices.Clip(task.Tools), name)
		}
	}
	return task
}

// Prepare completes a task for its flow before it is frozen.
func Prepare(task rein.Task, c Ceiling) (rein.Task, error) {
	kinds := Kinds()
	kind, ok := kinds[task.Flow]
	if !ok {
		return task, rein.Errorf(rein.CodeInvalid, "flow %q does not exist; there is: %s", task.Flow, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	settings, notices, err := kind.Settings(task.Settings, c)
	if err != nil {
		return task, err
	}
	task.Settings = settings
	task.Notices = append(slices.Clone(task.Notices), notices...)
	return task, nil
}
