package kit

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// Prompts are the texts of a flow for models: files NAME.md in a folder prompts, embedded beside the
// flow. A file of the same name in the user's folder takes the place of one; the run is started with its
// text (Task.Texts), so that a later edit changes nothing in a run under way. The folder prompts/earlier has built-in
// texts as they were before they changed, for the runs that were started with them.
type Prompts struct{ embed.FS }

//go:embed prompts/*.md
var files embed.FS

// Shared are the prompts that every flow uses.
var Shared = Prompts{files}

// Names of texts that have no built-in form.
const (
	SoulText    = "SOUL"   // who the assistant is
	RulePrefix  = "rule/"  // what it must heed
	SkillPrefix = "skill/" // what it can learn when it needs it
	// UntrustedPrefix is for instructions that the folder of the workspace brings and that nobody trusts. They are shown
	// as what they are, and obeyed by nobody.
	UntrustedPrefix = "untrusted/"
)

// builtin returns a prompt that is part of the program; of those that flows share, if the flow has none
// of that name.
func (p Prompts) builtin(name string) string {
	for _, from := range []Prompts{p, Shared} {
		if data, err := from.ReadFile("prompts/" + name + ".md"); err == nil {
			return strings.TrimSpace(string(data))
		}
	}
	return ""
}

// Names lists the prompts.
func (p Prompts) Names() []string {
	entries, err := p.ReadDir("prompts")
	if err != nil {
		return nil // the flow has none
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, strings.TrimSuffix(e.Name(), ".md"))
		}
	}
	return names
}

var placeholder = regexp.MustCompile(`\{\{\s*([a-z_]+)\s*\}\}`)

// placeholders lists what a text wants filled in.
func placeholders(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Check says why a text cannot take the place of the built-in one, if it cannot.
func (p Prompts) Check(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("prompt %q is empty", name)
	}
	known := placeholders(p.builtin(name))
	for _, p := range placeholders(text) {
		if !slices.Contains(known, p) {
			return fmt.Errorf("prompt %q has the placeholder {{%s}}, which it has no value for; available: %s", name, p, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	return nil
}

// Text returns the prompt that this run uses, with values in the place of its {{placeholders}}. Values
// are put in as they are and not looked at again: what a user wrote stays what a user wrote. A text
// that cannot be used gives way to the built-in one.
func (p Prompts) Text(task rein.Task, name string, values map[string]string) string {
	return p.fill(task, name, p.builtin(name), values)
}

// Earlier is Text for a run of a revision from before the built-in text changed. One that never did is as it is.
func (p Prompts) Earlier(task rein.Task, name string, values map[string]string) string {
	return p.fill(task, name, cmp.Or(p.builtin("earlier/"+name), p.builtin(name)), values)
}

func (p Prompts) fill(task rein.Task, name, builtin string, values map[string]string) string {
	chosen, ok := task.Texts[name]
	if !ok || p.Check(name, chosen) != nil {
		chosen = builtin
	}
	return strings.TrimSpace(placeholder.ReplaceAllStringFunc(chosen, func(found string) string {
		return values[strings.Trim(found, "{} \t\n")]
	}))
}

// Persona is how the system prompt of a flow is made: who the assistant is, what the flow asks of
// it, the rules, the skills that it can load, and that it is to plan, if so.
func Persona(task rein.Task, prompt string) string {
	parts := []string{strings.TrimSpace(task.Texts[SoulText]), prompt}
	for _, name := range slices.Sorted(maps.Keys(task.Texts)) {
		if strings.HasPrefix(name, RulePrefix) {
			parts = append(parts, strings.TrimSpace(task.Texts[name]))
		}
	}
	if list := skillList(task); list != "" && slices.Contains(task.Tools, "load_skill") {
		parts = append(parts, "Skills that you can load with load_skill when you need them:\n"+list)
	}
	if task.Mode == rein.ModePlan {
		parts = append(parts, Shared.Text(task, "plan_mode", nil))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// untrusted is what the model sees of instructions that nobody trusts, if there are any. No part of it is a message of the
// system: whatever the folder says has the weight of a user at most, and is quoted.
func untrusted(task rein.Task) []rein.Message {
	var blocks []string
	for _, name := range slices.Sorted(maps.Keys(task.Texts)) {
		if file, ok := strings.CutPrefix(name, UntrustedPrefix); ok {
			blocks = append(blocks, quote.Untrusted(file, task.Texts[name]))
		}
	}
	if blocks == nil {
		return nil
	}
	note := Shared.Text(task, "untrusted_folder", nil)
	return []rein.Message{{Role: rein.User, Text: note + "\n\n" + strings.Join(blocks, "\n\n")}}
}

// skillList names the skills with what they are for, a line each.
func skillList(task rein.Task) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(task.Texts)) {
		if skill, ok := strings.CutPrefix(name, SkillPrefix); ok {
			lines = append(lines, "- "+skill+": "+description(task.Texts[name]))
		}
	}
	return strings.Join(lines, "\n")
}

// description reads the line of that name in a text's front matter.
func description(text string) string {
	head, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return ""
	}
	head, _, _ = strings.Cut(head, "\n---")
	for line := range strings.Lines(head) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "description:"); ok {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}
