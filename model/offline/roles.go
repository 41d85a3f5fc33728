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
	fetches  role = "fetch"
	rereads  role = "result" // reads the rest of a clipped result
	asks     role = "ask"
	other    role = "" // none: it is never called
)

// known are the tools whose names settle it.
var known = map[string]role{
	"find_similar": searches, "search_web": searches, "search_notes": searches,
	"read_file": reads, "read_note": reads, "list_directory": lists, "get_current_time": tells,
	"execute_command": runs, "run_command": runs, "read_result": rereads,
	"ask_user": asks, "request_input": asks,
}

// A clue gives a tool a role by a word of its name, or by the first word of its description.
type clue struct {
	role role
	any  map[string]bool // one of these words
	and  map[string]bool // and one of these, if there are any
}

// clues are tried in order.
var clues = []clue{
	{role: runs, any: set("execute exec run"), and: set("command shell cmd")},
	{role: runs, any: set("shell bash")},
	{role: tells, any: set("time clock date now"), and: set("get current now time date")},
	{role: fetches, any: set("fetch browse open read get"), and: set("url page website")},
	{role: searches, any: set("search find lookup grep query retrieve similar")},
	{role: lists, any: set("list ls dir")},
	{role: reads, any: set("read cat open view show load")},
}

// changes are words of tools that do more than look. No clue makes the rules call such a tool.
var changes = set(`write delete remove update add create set send replace edit move rename commit append upload post put
	insert drop kill stop cancel purge forget upsert install deploy publish approve schedule`)

// roleOf returns what a tool can be used for. Apart from commands, which only run what a person
// wrote, a tool must be pure to have one.
func roleOf(t rein.Tool) role {
	r, sure := known[t.Name]
	if !sure {
		r = roleByName(t.Name)
	}
	if r == other && !sure {
		r = roleByDescription(t)
	}
	if r != runs && r != asks && t.Effect != "" && t.Effect != rein.Pure {
		return other
	}
	return r
}

func roleByName(name string) role {
	if r, ok := known[name]; ok {
		return r
	}
	return roleByWords(nameWords(name))
}

func roleByWords(parts []string) role {
	if slices.ContainsFunc(parts, func(w string) bool { return changes[w] }) {
		return other
	}
	has := func(words map[string]bool) bool {
		return slices.ContainsFunc(parts, func(w string) bool { return words[w] })
	}
	for _, c := range clues {
		if has(c.any) && (len(c.and) == 0 || has(c.and)) {
			return c.role
		}
	}
	return other
}

// roleByDescription looks at the first words only ("Search the notes for …"): further on, a
// description talks about other tools.
func roleByDescription(t rein.Tool) role {
	if slices.ContainsFunc(nameWords(t.Name), func(w string) bool { return changes[w] }) {
		return other
	}
	first := tokenise(firstLine(t.Description))
	var said []string
	for _, w := range first[:min(len(first), 3)] {
		said = append(said, w, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"))
	}
	r := roleByWords(said[:min(len(said), 3)])
	if r == other {
		r = roleByWords(said)
	}
	if r == runs { // what runs commands must be named so
		return other
	}
	return r
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

// named returns the offered tools of a role, the best for the question first: those whose name
// shares words with it, then the well-known ones, then in the order offered; the web comes last unless wanted.
func (t *turn) named(r role) []rein.Tool {
	var all []rein.Tool
	for _, tool := range t.Offered {
		if roleOf(tool) == r {
			all = append(all, tool)
		}
	}
	slices.SortStableFunc(all, func(a, b rein.Tool) int { return t.liking(b) - t.liking(a) })
	return all
}

func (t *turn) liking(tool rein.Tool) int {
	n := 0
	wanted := stems(contentWords(t.question))
	for w := range stems(nameWords(tool.Name)) {
		if wanted[w] {
			n += 4
		}
	}
	if _, ok := known[tool.Name]; ok {
		n += 2
	}
	if isWeb(tool) && !t.wantsWeb() {
		n -= 8
	}
	return n
}

func isWeb(tool rein.Tool) bool {
	return some(nameWords(tool.Name), webWord)
}

func (t *turn) wantsWeb() bool {
	return some(tokenise(t.question), webWord)
}
