package offline

import (
	"slices"
	"strings"
	"unicode"

	"rein"
)

// A role is what the rules can use a tool for.
type role string

const (
	searches role = "search"
	reads    role = "read"
	lists    role = "list"
	tells    role = "clock"
	runs     role = "command"
	rereads  role = "result" // reads the rest of a clipped result
	asks     role = "ask"
	other    role = "" // none: it is never called
)

// known are rein's own tools.
var known = map[string]role{
	"find_similar": searches, "get_current_time": tells, "execute_command": runs,
	"read_file": reads, "read_note": reads, "read_session_file": reads, "read_result": rereads,
	"list_directory": lists, "session_files": lists,
	"grep": other, "codebase.search": other, // they take a regular expression, and a question is none
	"ask_user": asks, "request_input": asks,
}

// clues give other tools a role by a word of their name. They are tried in order.
var clues = []struct {
	role  role
	words map[string]bool
}{
	{searches, set("search find lookup query")},
	{lists, set("list ls")},
	{reads, set("read open view")},
	{tells, set("time clock date")},
	{runs, set("command shell bash")},
}

// changes are words of tools that do more than look. No clue makes the rules call such a tool.
var changes = set(`write delete remove update add create set send replace edit move rename commit append upload post put
	insert drop kill stop cancel purge forget upsert install deploy publish approve schedule`)

// roleOf returns what a tool can be used for. Apart from commands, which a person wrote, and questions
// to a person, a tool must be pure to have a role.
func roleOf(t rein.Tool) role {
	r := roleByName(t.Name)
	if r != runs && r != asks && t.Effect != "" && t.Effect != rein.Pure {
		return other
	}
	return r
}

func roleByName(name string) role {
	if r, ok := known[name]; ok {
		return r
	}
	words := nameWords(name)
	if hasAny(words, changes) {
		return other
	}
	for _, c := range clues {
		if hasAny(words, c.words) {
			return c.role
		}
	}
	return other
}

func hasAny(words []string, wanted map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return wanted[w] })
}

// nameWords splits read_file, codebase.readFile and read-file into their words.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, c := range name {
		if unicode.IsUpper(c) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(c)
		b.WriteRune(c)
	}
	return tokenise(b.String())
}

// toolsFor returns the offered tools of a role, the best for the question first: those whose name shares
// words with it, then rein's own, then in the order offered.
func (t *turn) toolsFor(r role) []rein.Tool {
	var all []rein.Tool
	for _, tool := range t.Offered {
		if roleOf(tool) == r {
			all = append(all, tool)
		}
	}
	wanted := stems(contentWords(t.question))
	slices.SortStableFunc(all, func(a, b rein.Tool) int { return liking(b, wanted) - liking(a, wanted) })
	return all
}

func liking(tool rein.Tool, wanted map[string]bool) int {
	n := 0
	for w := range stems(nameWords(tool.Name)) {
		if wanted[w] {
			n += 2
		}
	}
	if _, ok := known[tool.Name]; ok {
		n++
	}
	return n
}
