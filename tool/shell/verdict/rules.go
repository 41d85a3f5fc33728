// Package verdict decides what may run without asking: a line is allowed only if every part of it is.
// It has patterns that people read and grant, a list of read-only commands that was reviewed, and
// paths that are asked about whatever the command.
//
// A line is denied if a rule denies one part. It is asked about if one part is not understood, if a
// rule says so, or if nothing allows it. The Judgement says of each part what was decided and why, in
// sentences for the person who is asked.
package verdict

import (
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
)

// A Rule allows, asks about or denies what a pattern describes. Deny beats ask, and ask beats allow.
type Rule struct {
	Verdict rein.Verdict
	Pattern Pattern
}

// Policy is what a line is judged by. Its zero value allows reviewed read-only commands in a workspace
// that is not known, which is almost nothing.
type Policy struct {
	Root string // the workspace's folder, absolute
	// Dir is the folder that lines start in, relative to Root; "" for Root itself. Patterns are relative to Root.
	Dir   string
	Rules []Rule
	// Session has the parts that a person allowed for this session, as Exact spells them.
	Session []string
	// ReadFile reads a file of the workspace, to look at the settings of a repository. Without it git is
	// always asked about.
	ReadFile func(name string) ([]byte, error)
	// Readlink says where a link leads, as os.Readlink does. Without it paths are judged by their names, and git is always
	// asked about.
	Readlink func(name string) (string, error)
}

// ParseRule reads a rule: a verdict, a blank and a pattern.
func ParseRule(text string) (Rule, error) {
	word, pattern, _ := strings.Cut(strings.TrimSpace(text), " ")
	verdicts := map[string]rein.Verdict{"allow": rein.Allowed, "ask": rein.MustAsk, "deny": rein.Denied}
	v, ok := verdicts[word]
	if !ok {
		return Rule{}, rein.Errorf(rein.CodeInvalid, "rule %.80q: it must begin with allow, ask or deny", text)
	}
	p, err := parsePattern(pattern)
	if err != nil {
		return Rule{}, err
	}
	return Rule{v, p}, nil
}

// Exact spells a part so that nothing else is spelled like it, and people can read it: what they allow for a
// session. It is "" for a part whose words are not all known. Brackets that are not in quotation marks are never a
// part of a word.
func Exact(p parse.Part) string {
	if !p.IsKnown() || len(p.Argv) == 0 && p.Kind != parse.Redirect {
		return ""
	}
	var words []string
	if p.Kind == parse.Redirect {
		words = append(words, map[parse.Mode]string{parse.Read: "<", parse.Write: ">"}[p.Mode], quote(p.Path.Text))
	}
	for _, v := range p.Env {
		words = append(words, v.Name+"="+quote(v.Value.Text))
	}
	for i, a := range p.Argv {
		word := quote(a.Text)
		if i == 0 && word == a.Text && strings.Contains(word, "=") {
			word = "'" + word + "'" // no variable
		}
		words = append(words, word)
	}
	if p.Dir != "" {
		words = append(words, "(in "+quote(p.Dir)+")")
	}
	if len(p.Via) > 0 { // with the options of what runs it
		words = append(words, "(run by "+quote(strings.Join(p.Via, " "))+": "+quote(p.Source)+")")
	}
	return strings.Join(words, " ")
}

// quote writes a word so that a pattern or a shell reads it as itself.
func quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+:,./=@%"
	if word != "" && word != "..." && !strings.HasSuffix(word, "/...") && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// telling leaves out variables that change nothing but language, width and colour.
func telling(env []parse.Variable) []parse.Variable {
	return slices.DeleteFunc(slices.Clone(env), func(v parse.Variable) bool {
		const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@"
		name := slices.Contains([]string{"LANG", "LANGUAGE", "NO_COLOR", "CLICOLOR", "FORCE_COLOR", "COLUMNS", "LINES"}, v.Name) || strings.HasPrefix(v.Name, "LC_")
		return name && v.Value.Kind == parse.Literal && strings.Trim(v.Value.Text, plain) == ""
	})
}
