package match

import "strings"

// A Verdict is what rules say of a path.
type Verdict uint8

const (
	// None says that no rule matches.
	None Verdict = iota
	// Yes says that the last rule that matches does not begin with "!".
	Yes
	// No says that it does.
	No
)

// A Rule is a glob as a line of .gitignore has it: "!" in front takes back, a slash at the end matches
// folders only, and a slash elsewhere ties it to the folder that the rule belongs to. Without such a
// slash it matches a name at any depth.
type Rule struct {
	not     bool
	folder  bool // it matches folders only
	byName  bool // it is compared with the last name of a path
	literal bool // text is compared as it is
	text    string
	glob    Glob
}

// ParseRule reads a rule.
func ParseRule(line string, s Syntax) (Rule, error) {
	var r Rule
	line, r.not = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	r.byName = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if r.text = line; !strings.ContainsAny(line, `*?[\{`) {
		r.literal = true
		return r, nil
	}
	var err error
	r.glob, err = Compile(line, s)
	return r, err
}

// matches reports whether the rule's glob describes a path.
func (r *Rule) matches(path string, folder bool) bool {
	if r.folder && !folder {
		return false
	}
	if r.byName {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if r.literal {
		return r.text == path
	}
	return r.glob.Match(path)
}

// Rules are rules in order. They are safe for use by many at once.
type Rules []Rule

// Judge asks the rules about a path from the folder that they belong to. The last that matches decides.
func (rules Rules) Judge(path string, folder bool) Verdict {
	for i := len(rules) - 1; i >= 0; i-- {
		if !rules[i].matches(path, folder) {
			continue
		}
		if rules[i].not {
			return No
		}
		return Yes
	}
	return None
}

// A Filter is a list of globs as ripgrep's --glob has them, with braces: those that begin with "!" leave
// out, the others choose.
type Filter struct {
	rules   Rules
	chooses bool
}

// NewFilter reads globs. An error names the one that is wrong.
func NewFilter(globs ...string) (Filter, error) {
	var f Filter
	for _, glob := range globs {
		r, err := ParseRule(glob, Syntax{Braces: true, Runes: true})
		if err != nil {
			return Filter{}, &Error{glob, err}
		}
		f.rules, f.chooses = append(f.rules, r), f.chooses || !r.not
	}
	return f, nil
}

// Takes reports whether the globs choose a file; without globs they choose all.
func (f Filter) Takes(path string) bool {
	v := f.rules.Judge(path, false)
	return v == Yes || v == None && !f.chooses
}

// Prunes reports whether the globs leave out a folder with everything in it.
func (f Filter) Prunes(path string) bool { return f.rules.Judge(path, true) == No }

// An Error is a glob that cannot be read.
type Error struct {
	Glob string
	Err  error
}

func (e *Error) Error() string { return "glob " + e.Glob + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }
