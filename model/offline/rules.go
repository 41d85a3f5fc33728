package offline

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"rein"
)

const (
	maxSpans  = 3    // commands, files or folders of one message that are acted upon
	maxQuery  = 2000 // bytes of a question that are searched for
	maxFollow = 2    // files of a listing that are read
)

// spelledOut proposes what the message names: commands in backticks, the time, files and folders.
func (t *turn) spelledOut() []rein.ToolCall {
	return slices.Concat(t.commands(), t.clock(), t.files(), t.listing())
}

// commands proposes the backticked spans, exactly as written, if the person asks to run them or
// wrote nothing else.
func (t *turn) commands() []rein.ToolCall {
	spans, rest := backticked(t.question)
	words := tokenise(rest)
	alone := len(words) == 0 && len(paths(t.question)) == 0
	if !alone && !some(words, runWord) {
		return nil
	}
	return t.each(runs, spans)
}

// clock proposes to look at the clock for "what time is it?".
func (t *turn) clock() []rein.ToolCall {
	if !hasPhrase(tokenise(t.question), timePhrase) {
		return nil
	}
	return t.first(tells, "")
}

// files proposes to read the files that are named, unless they are commands to run. The person's
// answer to "which file?" is a name, whatever it looks like.
func (t *turn) files() []rein.ToolCall {
	if len(t.commands()) > 0 {
		return nil
	}
	named := paths(t.question)
	for _, a := range t.answers {
		bare := strings.Trim(strings.TrimSpace(a), around)
		if isPathWord(bare) && !slices.Contains(named, bare) {
			named = append(named, bare)
		}
	}
	return t.each(reads, named)
}

// askWhich asks for the name of a file if the message wants one read and does not say which.
func (t *turn) askWhich() []rein.ToolCall {
	if !t.lacksFile() {
		return nil
	}
	return t.first(asks, say(t.lang, "which_file"))
}

// lacksFile reports whether the message wants a file read and does not say which.
func (t *turn) lacksFile() bool {
	return len(t.answers) == 0 && len(t.toolsFor(reads)) > 0 && len(t.spelledOut()) == 0 &&
		hasPhrase(tokenise(t.question), missingPhrase)
}

// asksWhoIAm reports whether the message is about the model itself: no tool knows that.
func (t *turn) asksWhoIAm() bool {
	return hasPhrase(tokenise(t.question), identityPhrase)
}

// isOpen reports whether the message is a question that must be looked up, because it names nothing
// that can be done at once.
func (t *turn) isOpen() bool {
	words := tokenise(t.question)
	if len(words) == 0 || len(t.topic) == 0 || len(t.spelledOut()) > 0 || t.lacksFile() {
		return false
	}
	return strings.HasSuffix(strings.TrimSpace(t.question), "?") || is(words[0], askWord) || some(words, searchWord)
}

// aboutProject reports whether the question is about the project itself: its README answers that better
// than a search for "project".
func (t *turn) aboutProject() bool { return some(t.topic, aboutWord) }

// lookAround lists what is there, to find a file that may answer.
func (t *turn) lookAround() []rein.ToolCall {
	searchable := len(t.toolsFor(searches)) > 0 && !t.aboutProject()
	if !t.isOpen() || searchable || len(t.toolsFor(reads)) == 0 {
		return nil
	}
	return t.listHere()
}

// searchFor searches for the question as it was asked: small words are for the search to weigh.
func (t *turn) searchFor() []rein.ToolCall {
	if !t.isOpen() {
		return nil
	}
	return t.first(searches, t.query())
}

// query returns what to search for: the question, or of an order what comes after "search for".
func (t *turn) query() string {
	query := strings.Fields(t.question)
	if words := tokenise(t.question); verb(words[0]) {
		isSmall := func(w string) bool { return verb(w) || is(w, stopWord) }
		start := slices.IndexFunc(query, func(field string) bool { return slices.ContainsFunc(tokenise(field), not(isSmall)) })
		query = query[max(start, 0):]
	}
	return oneLine(strings.Join(query, " "), maxQuery)
}

func not(f func(string) bool) func(string) bool { return func(s string) bool { return !f(s) } }

// followListing reads the files of a listing whose names promise an answer, once. The words are the
// person's; the listing only says that there is such a file.
func (t *turn) followListing() []rein.ToolCall {
	if !t.isOpen() || t.made(func(u use) bool { return u.role == reads }) {
		return nil
	}
	var names []string
	for _, u := range t.worked() {
		if u.role == lists {
			names = append(names, t.promising(entries(u))...)
		}
	}
	return t.each(reads, names[:min(len(names), maxFollow)])
}

// promising returns the files that may answer the question, best first.
func (t *turn) promising(names []string) []string {
	wanted := stems(t.topic)
	promise := map[string]int{}
	for _, name := range names {
		promise[name] = t.promise(name, wanted)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return promise[name] == 0 })
	slices.SortStableFunc(names, func(a, b string) int { return promise[b] - promise[a] })
	return names
}

// proseFiles are the endings of files that are written for people, who ask questions. Code comes after.
var proseFiles = set(".md .txt .rst .org .markdown")

// promise says how much a file's name promises for the question: 3 for each word that they share, 1
// if it is code. A README is worth a look for any question, and answers one about the project.
func (t *turn) promise(name string, wanted map[string]bool) int {
	ext := path.Ext(name)
	title := strings.ToLower(strings.TrimSuffix(path.Base(name), ext))
	each, score := 1, 0
	if ext == "" || proseFiles[strings.ToLower(ext)] {
		each = 3
	}
	for w := range stems(tokenise(title)) {
		if wanted[w] {
			score += each
		}
	}
	if title == "readme" {
		score += 2
		if t.aboutProject() {
			score += 3
		}
	}
	return score
}

// clipped is the note in a clipped result that says how to read the rest.
var clipped = regexp.MustCompile(`read_result \{"handle":"([\w.:/-]{1,200})"\}`)

// handleIn returns the handle of such a note, or "".
func handleIn(body string) string {
	if m := clipped.FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return ""
}

// readOn looks for the first word of the question in the rest of a clipped result, if what was shown
// has none of its words.
func (t *turn) readOn() []rein.ToolCall {
	words, tools := t.wantedWords(), t.toolsFor(rereads)
	if len(words) == 0 || len(tools) == 0 || len(t.evidence().lines) > 0 {
		return nil
	}
	var all []rein.ToolCall
	for _, u := range t.worked() {
		if handle := handleIn(u.body); handle != "" && u.role != rereads {
			args := map[string]any{"handle": handle, "find": words[0]}
			all = append(all, rein.ToolCall{Name: tools[0].Name, Args: marshal(args)})
		}
	}
	return all
}
