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

// Exact spells a part so that nothing else is spelled like it: what a person allows for a session. It is
// "" for a part whose words are not all known. A plain command is spelled as its words; whatever else it has comes before
// them in brackets, which no word has without quotes.
func Exact(p parse.Part) string {
	if !p.IsKnown() || len(p.Argv) == 0 && p.Kind != parse.Redirect {
		return ""
	}
	var words []string
	tag := func(what string, with ...string) {
		for i, w := range with {
			with[i] = quote(w)
		}
		words = append(words, "("+strings.Join(append([]string{what}, with...), " ")+")")
	}
	if p.Kind != parse.Command {
		tag(string(p.Kind))
	}
	if p.Dir != "" {
		tag("in", p.Dir)
	}
	if len(p.Via) > 0 {
		tag("from", strings.Join(p.Via, " "), p.Source) // with the options of what runs it
	}
	if p.Mode != "" || p.Path.Text != "" {
		tag(string(p.Mode), p.Path.Text)
	}
	for _, v := range p.Env {
		tag("set", v.Name+"="+v.Value.Text)
	}
	for _, a := range p.Argv {
		words = append(words, quote(a.Text))
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
