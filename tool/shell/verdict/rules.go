// Package verdict decides what may run without asking: a line is allowed only if every part of it is.
// It has patterns that people read and grant, a list of read-only commands that was reviewed, and
// paths that are asked about whatever the command.
//
// A line is denied if a rule denies one part, or if there is such a rule and the line cannot be read. It is asked about if one part is not understood, if a
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
	// Granted says that a person allowed it for good when a command was shown. It holds as that command ran: in its folder,
	// which is the top of the workspace if the pattern names none, in the way that the pattern names, and without input.
	Granted bool
}

// Policy is what a line is judged by. Its zero value allows reviewed read-only commands in a workspace
// that is not known, which is almost nothing.
type Policy struct {
	Root string // the workspace's folder, absolute
	// Dir is the folder that lines start in, relative to Root; "" for Root itself. Patterns are relative to Root.
	Dir   string
	Rules []Rule
	// Session has the parts that a person allowed for this session, as Finding.Session spells them.
	Session []string
	// How says what is unusual about the way in which the line runs, such as "in the background"; a grant for the session
	// holds for that way only.
	How string
	// Disk has the files of the workspace. Without it paths are judged by their names, and git is always asked about.
	Disk Disk
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
	return Rule{Verdict: v, Pattern: p}, nil
}

// NamesDenied reports whether a line has the name of a command that a rule denies, in any place: programs that run others, such
// as flock or a shell that reads its input, hide it from the rule.
func (p Policy) NamesDenied(line string) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.Verdict == rein.Denied && r.Pattern.isNamedIn(line) })
}

// ParseGrant reads the pattern of a Finding that a person allowed for good.
func ParseGrant(pattern string) (Rule, error) {
	p, err := parsePattern(pattern)
	return Rule{Verdict: rein.Allowed, Pattern: p, Granted: true}, err
}

// allows reports whether a rule allows a part where it runs. One without a folder does not reach into those whose files run
// or are obeyed later: its words mean something else there.
func (r Rule) allows(part parse.Part, at place, how string) bool {
	dir := r.Pattern.dir
	switch {
	case r.Verdict != rein.Allowed, r.Granted && (part.Input.Text != "" || r.Pattern.how != how):
		return false
	case r.Granted && dir == "":
		dir = "."
	}
	if dir != "" && dir != at.dir || (dir == "" || r.Granted) && hazardOf(at.dir, true) != "" {
		return false
	}
	return r.Pattern.matches(part, at)
}

// exact spells a part and the way in which it runs so that nothing else is spelled like it, and people can read it: what
// they allow for a session. It is "" for a part whose words are not all known.
func (p Policy) exact(part parse.Part) string {
	spelled := spell(part)
	if part.Kind == parse.Opaque && part.Input.Text != "" && !isDocument(part.Input.Text) {
		return "" // what it reads may be what it runs, and can be something else the next time
	}
	if spelled != "" && p.How != "" {
		spelled += " (" + p.How + ")"
	}
	return spelled
}

// isDocument reports whether an input is one here-document, which the digest of it names.
func isDocument(input string) bool {
	return strings.HasPrefix(input, "<<") && !strings.Contains(input, " ")
}

// spell spells a part. Brackets that are not in quotation marks are never a part of a word.
func spell(p parse.Part) string {
	if !p.IsKnown() || len(p.Argv) == 0 && p.Kind != parse.Redirect {
		return ""
	}
	var words []string
	if p.Kind == parse.Redirect {
		words = append(words, map[parse.Mode]string{parse.Read: "<", parse.Write: ">"}[p.Mode], Quote(p.Path.Text))
	}
	for _, v := range p.Env {
		words = append(words, v.Name+"="+Quote(v.Value.Text))
	}
	for i, a := range p.Argv {
		word := Quote(a.Text)
		if i == 0 && word == a.Text && strings.Contains(word, "=") {
			word = "'" + word + "'" // no variable
		}
		words = append(words, word)
	}
	if p.Dir != "" {
		words = append(words, "(in "+Quote(p.Dir)+")")
	}
	if p.Input.Text != "" {
		words = append(words, "(fed by "+Quote(p.Input.Text)+")")
	}
	if len(p.Via) > 0 { // with the options of what runs it
		words = append(words, "(run by "+Quote(strings.Join(p.Via, " "))+": "+Quote(p.Source)+")")
	}
	return strings.Join(words, " ")
}

// Quote writes a word so that a pattern or a shell reads it as itself.
func Quote(word string) string {
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
