package verdict

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// readOnlyText is the reviewed list of commands that only read. Its head says how it is written.
//
//go:embed readonly.txt
var readOnlyText string

// An entry is one command of the list.
type entry struct {
	why      string
	flags    []string // options without a value
	values   []string // options with one
	dashed   []string // those of them whose value may begin with a dash
	follows  []string // options that follow links, wherever they lead
	operands string   // none, paths, files, objects, pattern+paths, path, words, any, plus, lines+paths
	long     bool     // options of one dash are words, as those of find
}

var readOnlyList = readEntries(readOnlyText)

func readEntries(text string) map[string]*entry {
	list := map[string]*entry{}
	var now *entry
	for line := range strings.Lines(text) {
		key, value, isField := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case !strings.HasPrefix(line, "\t"):
			now = &entry{}
			for name := range strings.SplitSeq(strings.TrimSpace(line), ",") {
				list[strings.TrimSpace(name)] = now
			}
		case isField && key == "why":
			now.why = value
		case isField && key == "flags":
			now.flags = append(now.flags, strings.Fields(value)...)
		case isField && key == "values":
			now.values = append(now.values, strings.Fields(value)...)
		case isField && key == "dashed":
			now.dashed = append(now.dashed, strings.Fields(value)...)
		case isField && key == "follows":
			now.follows = append(now.follows, strings.Fields(value)...)
		case isField && key == "operands":
			now.operands = value
		case isField && key == "options" && value == "words":
			now.long = true
		}
	}
	return list
}

// readOnly reports whether the list allows a part, and otherwise why not.
func (p Policy) readOnly(part parse.Part, at place) (why string, edits []edit, ok bool) {
	switch {
	case part.Kind == parse.Redirect:
		return "it writes to a file of the workspace", nil, false
	case part.Name() == "cd":
		if _, inside := at.relative(part.Argv[1].Text); !inside || at.isLed(part.Argv[1].Text, false) {
			return "it leaves the workspace", nil, false
		}
		return "it stays in the workspace", nil, true
	case len(telling(part.Env)) > 0:
		return fmt.Sprintf("it sets %s for the command", telling(part.Env)[0].Name), nil, false
	}
	name, args := part.Name(), part.Argv[1:]
	if name == "git" {
		return p.gitReadOnly(part, at)
	}
	e, listed := readOnlyList[name]
	if !listed || strings.Contains(name, " ") || strings.HasPrefix(name, "-") { // the list has "git log", which is two words
		if len(args) == 1 && args[0].Kind == parse.Literal && args[0].Text == "--version" && !strings.Contains(name, "/") && slices.Contains(readOnlyList["--version"].flags, name) {
			return "it shows a version", nil, true
		}
		return fmt.Sprintf("%s is not on the list of read-only commands", name), nil, false
	}
	if why := e.refuses(args, at); why != "" {
		return why, nil, false
	}
	return e.why, nil, true
}

// refuses says which argument is not on the list, or "".
func (e *entry) refuses(args []parse.Word, at place) string {
	var operands []parse.Word
	ended := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case e.operands == "any":
			continue
		case a.Kind == parse.Unknown:
			return fmt.Sprintf("%s is not known in advance", short(a.Text))
		case ended || a.Kind == parse.Glob || !strings.HasPrefix(a.Text, "-") || a.Text == "-":
			operands = append(operands, a)
		case a.Text == "--" && !e.long: // find and test read options after it
			ended = true
		default:
			takes, ok := e.option(a.Text)
			if !ok && e.isFollowing(a.Text) {
				return fmt.Sprintf("with %s it follows links, which may lead out of the workspace", short(a.Text))
			}
			if !ok {
				return fmt.Sprintf("its option %s is not on the list of read-only ones", short(a.Text))
			}
			if !takes {
				continue
			}
			if i++; i == len(args) || args[i].Kind != parse.Literal {
				return fmt.Sprintf("the value of its option %s is not known in advance", short(a.Text))
			}
			if e.isOption(a.Text, args[i].Text) {
				return fmt.Sprintf("the value of its option %s may be read as an option", short(a.Text))
			}
		}
	}
	return e.refusesOperands(operands, at, slices.ContainsFunc(args, givesPattern))
}

// isOption reports whether a program may take the value after an option for another option. A number is none that does harm.
func (e *entry) isOption(option, value string) bool {
	return strings.HasPrefix(value, "-") && value != "-" && strings.Trim(value[1:2], "0123456789") != "" && !slices.Contains(e.dashed, option)
}

// givesPattern reports whether an option says that the first operand is no pattern but a path. It may
// find too many.
func givesPattern(a parse.Word) bool {
	if strings.HasPrefix(a.Text, "--") {
		return strings.HasPrefix(a.Text, "--regexp") || a.Text == "--files" || a.Text == "--type-list"
	}
	return strings.HasPrefix(a.Text, "-") && strings.Contains(a.Text, "e")
}

// option reports whether an option is listed, and whether the next word is its value.
func (e *entry) option(text string) (takesNext, ok bool) {
	switch name, _, attached := strings.Cut(text, "="); {
	case slices.Contains(e.flags, text):
		return false, true
	case slices.Contains(e.values, text):
		return true, true
	case strings.HasPrefix(text, "--"), e.long:
		return false, attached && (slices.Contains(e.values, name) || slices.Contains(e.values, name+"="))
	}
	if slices.Contains(e.flags, "-#") && strings.Trim(text[1:], "0123456789") == "" {
		return false, true
	}
	for i := 1; i < len(text); i++ {
		letter := "-" + text[i:i+1]
		switch {
		case slices.Contains(e.flags, letter):
		case slices.Contains(e.values, letter):
			return i+1 == len(text), true
		case slices.Contains(e.values, letter+"="):
			return false, i+1 < len(text)
		default:
			return false, false
		}
	}
	return false, true
}

// isFollowing reports whether an option, or one of several letters, follows links.
func (e *entry) isFollowing(text string) bool {
	if strings.HasPrefix(text, "--") || e.long {
		return slices.Contains(e.follows, text)
	}
	return slices.ContainsFunc(strings.Split(text[1:], ""), func(letter string) bool { return slices.Contains(e.follows, "-"+letter) })
}

// refusesOperands says which operand is not allowed, or "".
func (e *entry) refusesOperands(operands []parse.Word, at place, hasPattern bool) string {
	switch e.operands {
	case "none":
		if len(operands) > 0 {
			return fmt.Sprintf("with the argument %s it may do more than read", short(operands[0].Text))
		}
	case "path":
		if len(operands) > 1 {
			return "it writes to its second argument"
		}
		if len(operands) == 1 && operands[0].Kind == parse.Glob {
			return fmt.Sprintf("what %s finds may be more than one file, and it writes to the second", short(operands[0].Text))
		}
	case "objects":
		for _, o := range operands {
			if strings.HasPrefix(o.Text, "@") {
				return fmt.Sprintf("with the argument %s it may do more than read", short(o.Text))
			}
		}
	case "plus":
		for _, o := range operands {
			if !strings.HasPrefix(o.Text, "+") {
				return fmt.Sprintf("with the argument %s it may do more than read", short(o.Text))
			}
		}
		return ""
	case "words":
		return e.refusesWords(operands)
	case "pattern+paths":
		if len(operands) > 0 && operands[0].Kind == parse.Literal && !hasPattern {
			operands = operands[1:]
		}
	case "lines+paths":
		if len(operands) == 0 || operands[0].Kind != parse.Literal || !isLines(operands[0].Text) {
			return "its script may do more than print lines"
		}
		operands = operands[1:]
	}
	for _, o := range operands {
		if why := at.outside(o); why != "" {
			return why
		}
		if folder := at.folderIn(o); e.operands == "files" && folder != "" {
			return fmt.Sprintf("%s is a folder, and it reads what links in there lead to", short(folder))
		}
	}
	return ""
}

// setsVariable finds what makes printf set a variable, as "%n" does.
var setsVariable = regexp.MustCompile(`%[^a-zA-Z%]*[hlLjzt]*n`)

// refusesWords says which word a builtin of the shell could read as more than a text, or "".
func (e *entry) refusesWords(words []parse.Word) string {
	for _, w := range words {
		switch {
		case w.Kind == parse.Glob && !isTame(w.Text):
			return fmt.Sprintf("a file that %s finds could be read as an option; ./ before it helps", short(w.Text))
		case e.long && strings.Contains(w.Text, "["), setsVariable.MatchString(strings.ReplaceAll(w.Text, "%%", "")):
			return fmt.Sprintf("with the argument %s it may do more than read", short(w.Text))
		}
	}
	return ""
}

// isLines reports whether a script of sed prints lines by their numbers: "5p", "1,20p", "$p".
func isLines(script string) bool {
	numbers, ok := strings.CutSuffix(script, "p")
	return ok && numbers != "" && strings.Trim(numbers, "0123456789,$") == "" && strings.Count(numbers, ",") < 2
}

// outside says why an operand must be asked about, or "".
func (p place) outside(w parse.Word) string {
	if p.isInside(w, false) {
		return ""
	}
	if w.Kind == parse.Glob && !isTame(w.Text) {
		return fmt.Sprintf("a file that %s finds could be read as an option or be elsewhere; ./ before it helps", short(w.Text))
	}
	if w.Kind == parse.Glob && p.globFinds(w.Text, false) != "" {
		return fmt.Sprintf("%s finds %s", short(w.Text), p.globFinds(w.Text, false))
	}
	if inside, ok := p.relative(w.Text); ok {
		if p.isLed(w.Text, false) {
			return fmt.Sprintf("it reads %s, and %s", short(w.Text), led)
		}
		if why := hazardOf(inside, false); why != "" {
			return fmt.Sprintf("it reads %s, and %s", short(w.Text), why)
		}
	}
	return fmt.Sprintf("%s is outside the workspace, or may be", short(w.Text))
}
