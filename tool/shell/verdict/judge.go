package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
)

// A Finding is what was decided about one part.
type Finding struct {
	Part    parse.Part
	Verdict rein.Verdict
	Why     string // a sentence without a full stop: "rm is not on the list of read-only commands"
	// Session spells the part and how it runs, so that nothing else is spelled like it: what a person allows for a
	// session. It is "" if not all of its words are known.
	Session string
	// Always is the pattern that a person may allow for good, or "" if there is none. ParseGrant reads it.
	Always string
	By     Source // what allowed it
}

// A Source is what allowed a part.
type Source string

const (
	BySession Source = "session" // a person, for this session
	ByGrant   Source = "grant"   // a person, for good
	ByRule    Source = "rule"    // the settings
	ByList    Source = "list"    // the list of read-only commands, or that it does nothing
)

// A Judgement is what was decided about a line.
type Judgement struct {
	Line     parse.Line
	Verdict  rein.Verdict
	Findings []Finding
	// Run is the line to run, with settings that keep git from running anything of the repository's. It
	// differs from the line only in commands that the list of read-only commands allowed.
	Run string
}

// Judge decides about a line. One that cannot be read is refused where a rule denies something: it may hold just that.
func (p Policy) Judge(line string) Judgement {
	j := Judgement{Line: parse.Parse(line), Run: line}
	if len(j.Line.Trouble) > 0 || len(j.Line.Parts) == 0 {
		j.Verdict = rein.MustAsk
	}
	if j.Line.Unread && slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.Verdict == rein.Denied }) {
		j.Verdict = rein.Denied
	}
	var edits []edit
	for _, part := range j.Line.Parts {
		if p.Dir != "" && !path.IsAbs(part.Dir) {
			part.Dir = path.Join(p.Dir, part.Dir)
		}
		f, edit := p.part(part)
		j.Findings = append(j.Findings, f)
		j.Verdict = max(j.Verdict, f.Verdict)
		edits = append(edits, edit...)
	}
	if j.Verdict != rein.Denied {
		j.Run = rewrite(line, edits)
	}
	return j
}

// part decides about one part. The edits are those that make a read-only command harmless.
func (p Policy) part(part parse.Part) (Finding, []edit) {
	at := p.at(part.Dir)
	f := Finding{Part: part, Verdict: rein.MustAsk, Session: p.exact(part)}
	if rule, ok := p.rule(rein.Denied, part, at); ok {
		f.Verdict, f.Why = rein.Denied, "the rule \""+rule+"\" denies it"
		return f, nil
	}
	if f.Verdict, f.Why = fixed(part, at); f.Why != "" {
		if f.Verdict == rein.Allowed {
			f.By = ByList
		}
		if f.Verdict == rein.MustAsk && part.Kind != parse.Redirect && p.isGranted(f) {
			f.Verdict, f.Why, f.By = rein.Allowed, granted, BySession
		}
		return f, nil
	}
	f.Verdict, f.Always = rein.MustAsk, p.propose(part, at)
	if rule, ok := p.rule(rein.MustAsk, part, at); ok {
		f.Why, f.Always = "the rule \""+rule+"\" asks", ""
		return f, nil
	}
	if p.isGranted(f) {
		f.Verdict, f.Why, f.By = rein.Allowed, granted, BySession
		return f, nil
	}
	for _, r := range p.Rules {
		if r.allows(part, at, p.How) {
			f.Verdict, f.Why, f.By = rein.Allowed, "the rule \""+r.Pattern.String()+"\" allows it", ByRule
			if r.Granted {
				f.By = ByGrant
			}
			return f, nil
		}
	}
	why, edits, ok := p.readOnly(part, at)
	f.Why = why
	if ok {
		f.Verdict, f.By = rein.Allowed, ByList
	}
	return f, edits
}

const led = "a link leads out of the workspace or to a sensitive file"

const granted = "somebody allowed exactly this for the session"

func (p Policy) isGranted(f Finding) bool {
	return f.Session != "" && slices.Contains(p.Session, f.Session)
}

// rule finds a rule that asks or denies.
func (p Policy) rule(v rein.Verdict, part parse.Part, at place) (string, bool) {
	for _, r := range p.Rules {
		if r.Verdict == v && r.Pattern.mayMatch(part, at) {
			return r.Pattern.String(), true
		}
	}
	return "", false
}

// fixed is what no pattern changes: parts that cannot be judged, and paths that are sensitive. An empty
// reason leaves the part to the rules.
func fixed(part parse.Part, at place) (rein.Verdict, string) {
	switch part.Kind {
	case parse.Opaque:
		return rein.MustAsk, part.Why
	case parse.Redirect:
		return redirection(part, at)
	case parse.Assign:
		return assignment(part)
	}
	if at.dir == "" {
		return rein.MustAsk, fmt.Sprintf("it runs in %s, outside the workspace", part.Dir)
	}
	for _, v := range part.Env {
		if parse.IsTrap(v.Name) || v.Name == "PATH" {
			return rein.MustAsk, fmt.Sprintf("%s changes what the command runs", v.Name)
		}
	}
	return rein.MustAsk, ""
}

// redirection judges a file that the shell opens.
func redirection(part parse.Part, at place) (rein.Verdict, string) {
	name, write := part.Path.Text, part.Mode == parse.Write
	does := map[bool]string{true: "writes to", false: "reads"}[write]
	if part.Path.Kind != parse.Literal {
		return rein.MustAsk, "the file that it " + strings.Replace(does, " to", "", 1) + " is not known in advance"
	}
	if slices.Contains([]string{"/dev/null", "/dev/stdout", "/dev/stderr"}, name) {
		return rein.Allowed, "it " + does + " nothing that is kept"
	}
	if clean := path.Clean(name); write && path.IsAbs(clean) {
		for _, system := range []string{"/dev", "/proc", "/sys", "/boot"} {
			if clean == system || strings.HasPrefix(clean, system+"/") {
				return rein.Denied, fmt.Sprintf("it writes to %s, which belongs to the system", clean)
			}
		}
	}
	inside, ok := at.relative(name)
	if !ok {
		return rein.MustAsk, fmt.Sprintf("it %s %s, outside the workspace", does, name)
	}
	if why := hazardOf(inside, write); why != "" {
		return rein.MustAsk, fmt.Sprintf("it %s %s, and %s", does, name, why)
	}
	if at.isLed(name, write) {
		return rein.MustAsk, fmt.Sprintf("it %s %s, and %s", does, name, led)
	}
	if !write {
		return rein.Allowed, "it reads a file of the workspace"
	}
	return rein.MustAsk, ""
}

// assignment judges variables that later parts see. Those in lower case are nobody's but the line's;
// where they are used, the words are unknown.
func assignment(part parse.Part) (rein.Verdict, string) {
	for _, v := range part.Env {
		if v.Name != strings.ToLower(v.Name) || strings.HasSuffix(v.Name, "_proxy") || strings.HasPrefix(v.Name, "npm_") || v.Name == "path" || v.Name == "_" {
			return rein.MustAsk, fmt.Sprintf("it sets %s, which other programs may read", v.Name)
		}
	}
	return rein.Allowed, "it sets a variable of the line"
}
