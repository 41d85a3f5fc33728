package verdict

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
)

// A Pattern describes commands, word by word:
//
//	git commit -m *      these words, then one word that is not an option
//	go test ...          these words, then any others, or none
//	go test engine/...   a path below the folder engine, in any spelling
//	rm *.tmp             in a word with more than a star, the star is any text without a slash
//	./run.sh ...         the program run.sh at the top of the workspace, from whatever folder
//	CI=1 make check      a command with exactly this variable set for it
//	> out/...            a redirection that writes below out
//	make lint (in web)   a command that runs in the folder web of the workspace
//
// Words are separated by blanks; quotes work as in a shell, and a quoted star is a star. What a star
// or "..." stands for must stay inside the workspace if it is a path, and must not name a sensitive
// file, be it for reading or for writing. A pattern without variables does not match a command that has any, apart from harmless ones.
type Pattern struct {
	text  string
	env   []parse.Variable
	write bool
	words []matcher
	rest  bool   // it ends with ...
	dir   string // the folder of the workspace that it holds in; "" if it names none
	how   string // the way in which the command runs; see Policy.How
}

// A matcher matches one word.
type matcher struct {
	text string
	kind matching
}

type matching int

const (
	exact matching = iota
	anyWord
	starred // text has stars in it
	below   // text is a folder
)

// String is the pattern as it was written.
func (p Pattern) String() string { return p.text }

// parsePattern reads a pattern.
func parsePattern(text string) (Pattern, error) {
	p := Pattern{text: strings.TrimSpace(text)}
	line := p.annotated()
	if after, ok := strings.CutPrefix(line, "> "); ok {
		p.write, line = true, after
	}
	words, err := split(line)
	if err != nil {
		return Pattern{}, rein.Errorf(rein.CodeInvalid, "pattern %.80q: %w", text, err)
	}
	for i, w := range words {
		name, value, isEnv := strings.Cut(w.text, "=")
		switch {
		case isEnv && len(p.words) == 0 && !p.write && isName(name):
			p.env = append(p.env, parse.Variable{Name: name, Value: parse.Word{Text: value}})
		case w.bare && w.text == "..." && i == len(words)-1 && len(p.words) > 0:
			p.rest = true
		case w.bare && w.text == "...":
			return Pattern{}, rein.Errorf(rein.CodeInvalid, "pattern %.80q: ... must be the last word, after the command's name", text)
		default:
			p.words = append(p.words, w.matcher())
		}
	}
	if len(p.words) == 0 || p.write && len(p.words) != 1 {
		return Pattern{}, rein.Errorf(rein.CodeInvalid, "pattern %.80q: it must name a command, or be > and one path", text)
	}
	if !p.write && p.words[0].kind != exact {
		return Pattern{}, rein.Errorf(rein.CodeInvalid, "pattern %.80q: the first word must be the command's name", text)
	}
	return p, nil
}

// annotation is what a pattern says in brackets at its end. Words with brackets have quotes.
var annotation = regexp.MustCompile(`^(.*\S)\s+\(([^()'"]+)\)$`)

// annotated takes what a pattern says of the folder and the way of a command, and returns its words.
func (p *Pattern) annotated() string {
	line := p.text
	for {
		m := annotation.FindStringSubmatch(line)
		if m == nil {
			return line
		}
		line = m[1]
		if folder, ok := strings.CutPrefix(m[2], "in "); ok && !strings.Contains(folder, " ") {
			p.dir = path.Clean(folder)
		} else {
			p.how = m[2]
		}
	}
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// A spelled word of a pattern; bare ones have no quotes.
type spelled struct {
	text string
	bare bool
}

func (s spelled) matcher() matcher {
	switch folder, isFolder := strings.CutSuffix(s.text, "/..."); {
	case !s.bare:
		return matcher{s.text, exact}
	case s.text == "*":
		return matcher{kind: anyWord}
	case isFolder && !strings.Contains(folder, "*"):
		return matcher{path.Clean(folder), below}
	case strings.Contains(s.text, "*"):
		return matcher{s.text, starred}
	}
	return matcher{s.text, exact}
}

// split reads the words of a pattern.
func split(text string) ([]spelled, error) {
	var words []spelled
	var b strings.Builder
	inWord, bare := false, true
	open := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case open != 0 && c == open:
			open = 0
		case open != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			open, inWord, bare = c, true, false
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, spelled{b.String(), bare})
			}
			b.Reset()
			inWord, bare = false, true
		default:
			inWord = true
			b.WriteByte(c)
		}
	}
	if open != 0 {
		return nil, rein.Errorf(rein.CodeInvalid, "a quote is not closed")
	}
	if inWord {
		words = append(words, spelled{b.String(), bare})
	}
	return words, nil
}

// matches reports whether the pattern allows a part. Every word must be known, and what the pattern
// leaves open must stay in the workspace.
func (p Pattern) matches(part parse.Part, at place) bool {
	if p.write {
		return part.Kind == parse.Redirect && part.Path.Kind == parse.Literal && p.words[0].matches(part.Path.Text, at)
	}
	if part.Kind != parse.Command || !slices.EqualFunc(p.env, telling(part.Env), equalVariable) || len(part.Argv) < len(p.words) || !p.rest && len(part.Argv) > len(p.words) {
		return false
	}
	for i, w := range part.Argv {
		switch {
		case i >= len(p.words):
			if !at.isInside(w, true) {
				return false
			}
		case i == 0 && strings.Contains(p.words[0].text, "/"):
			if w.Kind != parse.Literal || !p.words[0].isProgram(w.Text, at) {
				return false
			}
		case w.Kind != parse.Literal || !p.words[i].matches(w.Text, at):
			return false
		}
	}
	return true
}

// isProgram reports whether a word runs the program that a pattern names by its path. Paths of patterns begin at the
// workspace: ./run.sh is the one there, and not that of another folder.
func (m matcher) isProgram(word string, at place) bool {
	if path.IsAbs(m.text) || !strings.Contains(word, "/") {
		return word == m.text && !at.isLed(word, true)
	}
	top := at
	top.dir = "."
	want, ok := top.relative(m.text)
	got, inside := at.relative(word)
	real, known := at.real(word)
	return ok && inside && known && got == want && real == want
}

func (m matcher) matches(word string, at place) bool {
	switch m.kind {
	case anyWord:
		return !strings.HasPrefix(word, "-") && at.isInside(parse.Word{Text: word}, true)
	case starred:
		return isLike(word, m.text) && at.isInside(parse.Word{Text: word}, true)
	case below:
		real, ok := at.real(word)
		return ok && at.isBelow(word, m.text) && at.isBelow(path.Join(at.root, real), m.text) && at.isInside(parse.Word{Text: word}, true)
	}
	return word == m.text && !at.isLed(word, true) && !at.becomesHazard(word)
}

// becomesHazard reports whether a word names a sensitive file because of the folder in which it stands.
func (p place) becomesHazard(word string) bool {
	return slices.ContainsFunc(pathsIn(word), func(text string) bool {
		inside, ok := p.relative(text)
		return ok && hazardOf(inside, true) != "" && hazardOf(text, true) == ""
	})
}

// isLike matches stars, which stand for any text without slashes.
func isLike(word, pattern string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return word == pattern
	}
	rest, ok := strings.CutPrefix(word, head)
	if !ok {
		return false
	}
	for i := 0; i <= len(rest); i++ {
		if isLike(rest[i:], tail) {
			return true
		}
		if i < len(rest) && rest[i] == '/' {
			return false
		}
	}
	return false
}

// mayMatch reports whether a part could be what a rule forbids: unknown words may be any, a command may
// be named by its path, and variables do not matter.
func (p Pattern) mayMatch(part parse.Part, at place) bool {
	if p.write {
		return part.Kind == parse.Redirect && part.Mode == parse.Write && (part.Path.Kind != parse.Literal || p.words[0].matchesLoosely(part.Path.Text, at))
	}
	if len(part.Argv) == 0 {
		return false
	}
	for i, m := range p.words {
		if i >= len(part.Argv) {
			return slices.ContainsFunc(part.Argv, func(w parse.Word) bool { return w.Kind != parse.Literal })
		}
		w := part.Argv[i]
		switch {
		case w.Kind != parse.Literal:
			return true // it may be any number of words
		case i == 0 && path.Base(w.Text) == m.text, m.matchesLoosely(w.Text, at):
		default:
			return false
		}
	}
	return p.rest || len(part.Argv) == len(p.words) || slices.ContainsFunc(part.Argv, func(w parse.Word) bool { return w.Kind != parse.Literal })
}

// isNamedIn reports whether a text has the name of the pattern's command as a word, wherever it stands.
func (p Pattern) isNamedIn(text string) bool {
	if p.write {
		return false
	}
	name := path.Base(p.words[0].text)
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		if !endsInName(text[:at]) && !beginsWithName(text[at+len(name):]) {
			return true
		}
	}
}

func endsInName(text string) bool     { return text != "" && isName(text[len(text)-1:]) }
func beginsWithName(text string) bool { return text != "" && isName(text[:1]) }

func (m matcher) matchesLoosely(word string, at place) bool {
	switch m.kind {
	case anyWord:
		return true
	case starred:
		return isLike(word, m.text)
	case below:
		real, ok := at.real(word)
		return at.isBelow(word, m.text) || ok && at.isBelow(path.Join(at.root, real), m.text)
	}
	return word == m.text
}

func equalVariable(a, b parse.Variable) bool {
	return a.Name == b.Name && a.Value.Kind == parse.Literal && b.Value.Kind == parse.Literal && a.Value.Text == b.Value.Text
}
