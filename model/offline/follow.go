package offline

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"rein"
)

// maxQuery is how much of a question is searched for, in bytes.
const maxQuery = 2000

// searchFor searches with the question as it was asked, once: small words are for the search to weigh.
func (t *turn) searchFor() []rein.ToolCall {
	if !t.isQuestion() || len(t.topic) == 0 || len(t.spelledOut()) > 0 || t.lacksFile() {
		return nil
	}
	return t.one(searches, t.query())
}

// query returns what to search for: the question, or of an order what comes after "search the web for".
func (t *turn) query() string {
	fields := strings.Fields(t.question)
	if words := tokenise(t.question); len(words) == 0 || !verb(words[0]) {
		return oneLine(t.question, maxQuery)
	}
	for i, field := range fields {
		if slices.ContainsFunc(tokenise(field), func(w string) bool { return !verb(w) && !is(w, stopWord) && !is(w, webWord) }) {
			return oneLine(strings.Join(fields[i:], " "), maxQuery)
		}
	}
	return oneLine(t.question, maxQuery)
}

// lookAround lists what is there for a question about the project itself: its README answers
// better than a search for "project".
func (t *turn) lookAround() []rein.ToolCall {
	if !t.aboutProject() || len(t.named(reads)) == 0 || len(t.spelledOut()) > 0 {
		return nil
	}
	return t.listHere()
}

func (t *turn) aboutProject() bool {
	return t.isQuestion() && some(t.topic, aboutWord)
}

// lookAnyway lists what is there for a question that nothing can be searched for.
func (t *turn) lookAnyway() []rein.ToolCall {
	if !t.isQuestion() || len(t.topic) == 0 || len(t.named(searches)) > 0 || len(t.named(reads)) == 0 || len(t.spelledOut()) > 0 || t.lacksFile() {
		return nil
	}
	if words := tokenise(t.question); some(words, folderWord) {
		if c := t.each(lists, t.folder(words)); len(c) > 0 {
			return c
		}
	}
	return t.listHere()
}

// followFolder lists the folder of "what is in docs?", if a listing says that there is one.
func (t *turn) followFolder() []rein.ToolCall {
	words := t.bareWords()
	if !t.isQuestion() || len(t.spelledOut()) > 0 || !t.onlyFiles(words) {
		return nil
	}
	for _, u := range t.worked() {
		for _, dir := range t.folder(words) {
			if u.role == lists && slices.Contains(namesIn(u.body), dir+"/") {
				return t.one(lists, dir)
			}
		}
	}
	return nil
}

// articles may stand before the name of a folder.
var articles = set("the my our this de het mijn onze deze")

// bareWords returns the words of the question without articles: "in docs" for "in the docs".
func (t *turn) bareWords() []string {
	return slices.DeleteFunc(tokenise(t.question), func(w string) bool { return articles[w] })
}

// listsNamed reports whether a use listed the folder that the question names.
func (t *turn) listsNamed(u use) bool {
	return u.role == lists && slices.Contains(t.folder(t.bareWords()), mainArg(u))
}

// maxFollow is how many files of a listing are read.
const maxFollow = 2

// followListing reads the files of a listing whose names share a word with the question, once. The
// words are the person's; the listing only says that there is such a file.
func (t *turn) followListing() []rein.ToolCall {
	read := t.made(func(u use) bool { return u.role == reads })
	done := slices.ContainsFunc(t.worked(), t.listsNamed) && t.onlyFiles(t.bareWords())
	if read || done || !t.isQuestion() || len(t.spelledOut()) > 0 {
		return nil
	}
	var names []string
	for _, u := range t.worked() {
		if u.role == lists {
			names = append(names, t.matching(u)...)
		}
	}
	return t.each(reads, names[:min(len(names), maxFollow)])
}

// matching returns the files of a listing that match, best first.
func (t *turn) matching(u use) []string {
	type scored struct {
		name  string
		score int
	}
	var all []scored
	wanted := stems(t.topic)
	for _, name := range entries(u) {
		if score := t.promise(name, wanted); score > 0 {
			all = append(all, scored{name, score})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return b.score - a.score })
	var names []string
	for _, s := range all {
		names = append(names, s.name)
	}
	return names
}

// proseFiles are the endings of files that are written for people, who ask questions. Code comes after.
var proseFiles = set(".md .txt .rst .org .markdown")

// promise says how much a file's name promises for the question: 3 for each word that they share, 1
// if it is code. A README is worth a look for any question, and answers one about the project.
func (t *turn) promise(name string, wanted map[string]bool) int {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	title := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	each, score := 1, 0
	if ext == "" || proseFiles[ext] {
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

// entries returns the files that a listing names, inside the folder that was listed. Absolute
// paths and paths upwards are no entries.
func entries(u use) []string {
	var args map[string]any
	_ = json.Unmarshal(u.call.Args, &args)
	dir := ""
	for _, slot := range slots[lists] {
		if s, ok := args[slot].(string); ok {
			dir = s
			break
		}
	}
	var all []string
	for _, name := range namesIn(u.body) {
		if !looksLikeFile(name) || path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") || strings.HasPrefix(name, "~") {
			continue
		}
		if dir != "" && dir != "." && !strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") {
			name = path.Join(dir, name)
		}
		all = append(all, name)
	}
	return all
}

// namesIn returns the first word of each line, or every word of a listing that is one line.
func namesIn(body string) []string {
	body = strings.TrimSpace(body)
	if !strings.Contains(body, "\n") {
		body, _, _ = strings.Cut(body, " -> ") // a link does not name its target
		body = strings.Join(strings.Fields(body), "\n")
	}
	var all []string
	for line := range strings.Lines(body) {
		if words := strings.Fields(strings.TrimLeft(line, " \t-*")); len(words) > 0 {
			all = append(all, strings.Trim(words[0], around))
		}
	}
	return all
}

// moreBy is the note in a clipped result that says how to read the rest.
var moreBy = regexp.MustCompile(`read_result (\{"handle":"(?:[^"\\]|\\.){1,200}"\})`)

// handleIn returns the handle of such a note, or "".
func handleIn(body string) string {
	m := moreBy.FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	var args struct {
		Handle string `json:"handle"`
	}
	_ = json.Unmarshal([]byte(m[1]), &args)
	return args.Handle
}

// readOn looks for the question's words in the rest of a clipped result if the part that was shown
// has none of them.
func (t *turn) readOn() []rein.ToolCall {
	words := t.wantedWords()
	if len(words) == 0 || len(t.named(rereads)) == 0 || len(t.evidence().lines) > 0 {
		return nil
	}
	var all []rein.ToolCall
	for _, u := range t.worked() {
		handle := handleIn(u.body)
		if handle == "" || u.role == rereads {
			continue
		}
		if c, ok := t.call(t.named(rereads)[0], handle, map[string]any{"find": words[0]}); ok {
			all = append(all, c)
		}
	}
	return all
}
