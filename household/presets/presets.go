// Package presets keeps tasks with a name: what a run worked with, to start others the same way. It has the
// rules and the SQL; the settings have presets of their own, which come first.
package presets

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"rein"
)

// A Preset is a task that somebody saved: a user's, or the household's if User is empty.
type Preset struct {
	Household, User string
	Name, About     string
	Task            rein.Task
	Run             rein.RunID // that it was made from; empty: none
	By              string
	Changed         time.Time
}

// What there is at most.
const (
	maxOwned = 200
	maxTask  = 256 << 10
	maxAbout = 500
)

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Check says what is wrong with a preset, if anything.
func (p Preset) check() error {
	switch {
	case p.Household == "":
		return rein.Errorf(rein.CodeInvalid, "preset %.80q belongs to no household", p.Name)
	case !plainName.MatchString(p.Name):
		return rein.Errorf(rein.CodeInvalid, "preset %.80q: a name has 1 to 64 letters, digits, '_' and '-'", p.Name)
	case len(p.About) > maxAbout || strings.ContainsAny(p.About, "\r\n"):
		return rein.Errorf(rein.CodeInvalid, "preset %q: about is one line of at most %d bytes", p.Name, maxAbout)
	}
	return nil
}

// Of returns what a preset keeps of a task: how it works, and not what it was asked, whose it is, where it works, or what
// it may do without asking.
func Of(task rein.Task) rein.Task {
	kept := rein.Task{Flow: task.Flow, Model: task.Model, Tools: task.Tools, Budget: task.Budget, Settings: settings(task.Settings), Language: task.Language}
	for _, m := range task.Messages {
		if m.Role == rein.System && m.Text != "" {
			kept.Messages = append(kept.Messages, rein.Message{Role: rein.System, Text: m.Text})
		}
	}
	for name, text := range task.Texts {
		if !fromFolder(name) {
			if kept.Texts == nil {
				kept.Texts = map[string]string{}
			}
			kept.Texts[name] = text
		}
	}
	return kept
}

// fromFolder reports whether a text belongs to a folder: another run reads that of its own, as far as somebody trusts it. Skills
// are read again too.
func fromFolder(name string) bool {
	for _, begins := range []string{"rule/AGENTS", "rule/workspace/", "untrusted/", "skill/", "skill-parts/"} {
		if strings.HasPrefix(name, begins) {
			return true
		}
	}
	return false
}

// settings leaves out what belongs to one conversation.
func settings(all json.RawMessage) json.RawMessage {
	var table map[string]json.RawMessage
	if json.Unmarshal(all, &table) != nil || table["files"] == nil {
		return all
	}
	delete(table, "files")
	kept, err := json.Marshal(table)
	if err != nil {
		return all
	}
	return kept
}
