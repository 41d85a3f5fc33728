package skill

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
)

// Names of texts in a task: of a skill, and of what it has beside its text. Only the program that starts a run writes the
// second: see Strip.
const (
	TextPrefix  = "skill/"
	PartsPrefix = "skill-parts/"
)

// Parts are what a skill has beside its text, as they were when a run started. The contents are kept elsewhere, by their
// sums.
type Parts struct {
	Skill string `json:"skill"`
	From  string `json:"from"`            // FromUser or FromWorkspace
	Trust string `json:"trust,omitempty"` // the hash of all that the folder brought when somebody trusted it
	// Allowed are the tools that its work needs: loading it leaves the run no others. Nil: it narrows nothing.
	Allowed []string `json:"allowed,omitempty"`
	// Narrows says that Allowed counts, also if it is empty.
	Narrows bool   `json:"narrows,omitempty"`
	Files   []File `json:"files,omitempty"`
	Tools   []Tool `json:"tools,omitempty"`
}

// IsEmpty reports whether the skill is its text and nothing else.
func (p Parts) IsEmpty() bool { return len(p.Files)+len(p.Tools) == 0 && p.Allowed == nil }

// Text is the parts as a task has them.
func (p Parts) Text() (string, error) {
	p.Narrows = p.Allowed != nil
	data, err := json.Marshal(p)
	return string(data), err
}

// File finds a file by its path.
func (p Parts) File(path string) (File, bool) {
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return File{}, false
	}
	return p.Files[i], true
}

// PartsOf returns the parts of a skill of a run.
func PartsOf(task *rein.Task, skill string) (p Parts, ok bool) {
	if task == nil {
		return p, false
	}
	text, ok := task.Texts[PartsPrefix+skill]
	if !ok || json.Unmarshal([]byte(text), &p) != nil {
		return Parts{}, false
	}
	if p.Narrows && p.Allowed == nil {
		p.Allowed = []string{}
	}
	return p, true
}

// Names lists the skills of a run, sorted.
func Names(task *rein.Task) (names []string) {
	if task == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(task.Texts)) {
		if skill, ok := strings.CutPrefix(name, TextPrefix); ok {
			names = append(names, skill)
		}
	}
	return names
}

// FindTool finds a tool of the skills of a run.
func FindTool(task *rein.Task, name string) (Tool, Parts, bool) {
	rest, ok := strings.CutPrefix(name, Family+".")
	if !ok {
		return Tool{}, Parts{}, false
	}
	key, _, _ := strings.Cut(rest, ".")
	for _, skill := range Names(task) {
		if Key(skill) != key {
			continue
		}
		parts, _ := PartsOf(task, skill)
		if i := slices.IndexFunc(parts.Tools, func(t Tool) bool { return t.Name == name }); i >= 0 {
			return parts.Tools[i], parts, true
		}
	}
	return Tool{}, Parts{}, false
}

// Strip removes from the texts of a task what only rein may say of skills. Whoever sends a task could otherwise name
// programs, and call them harmless.
func Strip(texts map[string]string) map[string]string {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(texts)), isParts) {
		return texts
	}
	texts = maps.Clone(texts)
	maps.DeleteFunc(texts, func(name, _ string) bool { return isParts(name) })
	return texts
}

func isParts(name string) bool { return strings.HasPrefix(name, PartsPrefix) }
