package turn

import (
	"cmp"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
)

// A family is the tools for one thing. The model hears of it in English, a person in their language.
type family struct {
	about       string // for the model
	en, nl      string // for people, after "Using"
	looks, does bool   // what can be looked up there, and done
}

// families are the tools of a household. A tool of another family is called by its name, in words.
var families = map[string]family{
	"agenda":                       {"the agenda", "the agenda", "de agenda", true, true},
	"cron":                         {"reminders and other things at set times", "the reminders", "de herinneringen", true, true},
	"lists":                        {"shared lists, such as the groceries", "the lists", "de lijsten", true, true},
	"memory":                       {"what is remembered about people", "what I remember", "wat ik onthoud", true, true},
	"preferences":                  {"what people like, need and cannot have", "the preferences", "de voorkeuren", true, true},
	"web":                          {"the web", "the web", "het web", true, false},
	"search_web":                   {"the web", "the web", "het web", true, false},
	"github":                       {"public code on GitHub", "GitHub", "GitHub", true, false},
	"codebase":                     {"the source code", "the source code", "de broncode", true, false},
	"get_current_time":             {"the clock", "the clock", "de klok", true, false},
	"generate_week_menu":           {"menus for a week", "the week menu", "het weekmenu", false, true},
	"create_grocery_list":          {"lists of groceries for meals", "the groceries", "de boodschappen", false, true},
	"summarize_family_preferences": {"what people like, need and cannot have", "the preferences", "de voorkeuren", true, false},
	"get_dashboard_link":           {"a link to the dashboard", "the link to the dashboard", "de link naar het dashboard", false, true},
	"find_similar":                 {"the notes", "the notes", "de notities", true, false},
	"read_note":                    {"the notes", "the notes", "de notities", true, false},
	"read_file":                    {"files", "the files", "de bestanden", true, false},
	"list_directory":               {"files", "the files", "de bestanden", true, false},
	"grep":                         {"files", "the files", "de bestanden", true, false},
	"glob":                         {"files", "the files", "de bestanden", true, false},
	"write_file":                   {"files", "the files", "de bestanden", false, true},
	"edit_file":                    {"files", "the files", "de bestanden", false, true},
	"apply_patch":                  {"files", "the files", "de bestanden", false, true},
	"execute_command":              {"commands on this computer", "a command", "een opdracht", false, true},
	"read_session_file":            {"the files of this conversation", "the files of this conversation", "de bestanden van dit gesprek", true, false},
	"session_files":                {"the files of this conversation", "the files of this conversation", "de bestanden van dit gesprek", true, false},
	"read_result":                  {"what was found", "what was found", "wat er gevonden is", false, false},
	"load_skill":                   {"what was learned", "what I learned", "wat ik geleerd heb", false, false},
}

// familyOf is the family of a tool, by its name. Of a tool that nobody knows, both can be true.
func familyOf(tool string) family {
	base, _, _ := strings.Cut(tool, ".")
	if f, ok := families[base]; ok {
		return f
	}
	words := strings.NewReplacer("_", " ", ".", " ", "-", " ").Replace(tool)
	return family{words, tool, tool, true, true}
}

// word is a tool as a person reads of it. Older revisions gave its name.
func (t *Turn) word(tool string) string {
	if !t.Explains {
		return tool
	}
	f := familyOf(tool)
	return kit.Words{"en": {"": f.en}, "nl": {"": f.nl}}.Say(t.Task, "")
}

// Usable are the tools of a task that its policy does not deny.
func Usable(task rein.Task) []string {
	return slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool { return slices.Contains(task.Policy.Deny, name) })
}

// Families says in English what the tools are for, each thing once, in the order of the tools. which chooses: what can be
// looked up, or done.
func Families(tools []string, looks, does bool) (nouns []string) {
	for _, name := range tools {
		f := familyOf(name)
		if (looks && f.looks || does && f.does) && !slices.Contains(nouns, f.about) {
			nouns = append(nouns, f.about)
		}
	}
	return nouns
}

// FamilyList is what tools are for, a line each.
func FamilyList(tools []string) string {
	list := strings.Join(Families(tools, true, true), "\n- ")
	return cmp.Or(strings.TrimSuffix("- "+list, "- "), "(nothing)")
}
