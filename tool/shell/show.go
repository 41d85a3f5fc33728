package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/internal/visible"
	"rein/sandbox"
	"rein/tool/shell/verdict"
)

// show says what a call would do, decides about it, and pins it.
func (c *Commands) show(ctx context.Context, inv rein.Invocation, args commandArgs) (rein.Shown, error) {
	p, err := c.plan(inv, args)
	if err != nil {
		return rein.Shown{}, err
	}
	if err := c.mayBeAsked(inv.Task, p, args); err != nil {
		return rein.Shown{}, err
	}
	pin, err := json.Marshal(p)
	if err != nil {
		return rein.Shown{}, err
	}
	undo, err := c.undoWords(ctx, inv)
	if err != nil {
		return rein.Shown{}, err
	}
	return rein.Shown{Text: c.text(p, args) + undo + "\n", Pin: map[string]string{"plan": string(pin)}, Ruling: c.rule(inv, p, args)}, nil
}

// mayBeAsked refuses what the user of a run cannot grant.
func (c *Commands) mayBeAsked(task *rein.Task, p *plan, args commandArgs) error {
	if c.trusts(task) {
		return nil
	}
	switch {
	case len(p.Missing) > 0:
		return rein.Errorf(rein.CodeUnavailable, "commands cannot run here: the sandbox lacks %s", strings.Join(p.Missing, ", "))
	case args.Network && !c.settings().Network:
		return rein.Errorf(rein.CodeForbidden, "the network cannot be granted by this user: an admin can set shell.network")
	case len(p.Read)+len(p.Write) > 0:
		return rein.Errorf(rein.CodeForbidden, "paths outside the workspace cannot be granted by this user: an admin can set shell.read and shell.write")
	}
	return nil
}

// asksMore reports whether a call wants more than the settings give to all of them.
func (p *plan) asksMore(s Settings) bool {
	return p.Network && !s.Network || len(p.Read)+len(p.Write) > 0
}

// rule decides about a call. A command that nothing contains is always asked about. One that wants the network or a path
// outside is too, unless exactly that was allowed for the session.
func (c *Commands) rule(inv rein.Invocation, p *plan, args commandArgs) rein.Ruling {
	settings, j := c.settings(), p.judgement
	r := rein.Ruling{Verdict: j.Verdict, Why: why(j), Contained: len(p.Missing) == 0 && !p.Network && len(p.Read)+len(p.Write) == 0 && !c.isLoose(inv, p, args.Command)}
	switch {
	case j.Verdict == rein.Denied:
	case len(p.Missing) > 0:
		r.Verdict, r.Why = rein.MustAsk, "the sandbox lacks "+strings.Join(p.Missing, ", ")+", so every command needs approval"
	case j.Verdict == rein.MustAsk && c.asksByRule(inv, p, args.Command): // whoever wrote it wants to see each one
		if p.asksMore(settings) {
			r.Why += "; it also wants " + p.wants(settings)
		}
	case p.asksMore(settings):
		if p.isGranted(inv, settings, args.Command) {
			r.Verdict, r.Why = rein.Allowed, "somebody allowed exactly this for the session"
		} else {
			r.Verdict, r.Why = rein.MustAsk, "it wants "+p.wants(settings)
			if !p.isMixed() {
				r.Session = []string{p.spelled(settings, args.Command)}
			}
		}
	case j.Verdict == rein.MustAsk:
		r.Session, r.Always = c.offers(inv, p, args)
	}
	return c.fenced(inv, p, args, r)
}

// fenced asks about a command that would run in a fence, if there can be none.
func (c *Commands) fenced(inv rein.Invocation, p *plan, args commandArgs, r rein.Ruling) rein.Ruling {
	if r.Verdict == rein.Allowed && p.searches() && c.reads(inv, p, args.Command) {
		if _, err := secrets(p.Root); err != nil {
			r.Verdict, r.Why = rein.MustAsk, err.Error()
		}
		return r
	}
	isAllowed := r.Verdict == rein.Allowed && !c.isApproved(inv, p, args.Command) && !c.reads(inv, p, args.Command)
	if isAllowed && p.isMixed() {
		r.Verdict, r.Why = rein.MustAsk, "it changes the repository, in one line with other commands"
		return r
	}
	if !isAllowed && !(r.Contained && p.judgement.Verdict == rein.MustAsk) {
		return r
	}
	if _, err := newFence(p.Root); err != nil {
		r.Verdict, r.Contained, r.Why = rein.MustAsk, false, "nothing would keep it from changing what programs run: "+err.Error()
	}
	return r
}

// offers returns what a person can allow beside this one call: what would be enough for the same line.
func (c *Commands) offers(inv rein.Invocation, p *plan, args commandArgs) (session, always []string) {
	if p.isMixed() { // it is asked about each time
		return nil, nil
	}
	policy := c.policy(inv, p, c.settings())
	once, forGood := policy, policy
	once.Session, forGood.Rules = slices.Clone(policy.Session), slices.Clone(policy.Rules)
	for _, f := range p.judgement.Findings {
		if f.Verdict != rein.MustAsk {
			continue
		}
		if f.Session != "" {
			session, once.Session = append(session, f.Session), append(once.Session, f.Session)
		}
		if rule, err := verdict.ParseGrant(f.Always); f.Always != "" && err == nil {
			always, forGood.Rules = append(always, f.Always), append(forGood.Rules, rule)
		}
	}
	if once.Judge(args.Command).Verdict != rein.Allowed {
		session = nil
	}
	if forGood.Judge(args.Command).Verdict != rein.Allowed {
		always = nil
	}
	return session, always
}

// spelled is a line with what it was granted, so that nothing else is spelled like it and people can read it.
func (p *plan) spelled(s Settings, line string) string {
	words := []string{"in " + verdict.Quote(p.Dir)}
	if p.Network {
		words = append(words, "with the network")
	}
	for _, path := range p.Read {
		words = append(words, "reading "+verdict.Quote(path))
	}
	for _, path := range p.Write {
		words = append(words, "writing "+verdict.Quote(path))
	}
	if how := p.how(s); how != "" {
		words = append(words, how)
	}
	return "'" + strings.ReplaceAll(line, "'", `'"'"'`) + "' (" + strings.Join(words, ", ") + ")"
}

// oldSpelled is how spelled was written before: sessions have it.
func (p *plan) oldSpelled(line string) string {
	text, _ := json.Marshal(map[string]any{"command": line, "cwd": p.Dir, "network": p.Network, "read": p.Read, "write": p.Write, "background": p.Background, "timeout": p.Seconds}) // it can be written
	return string(text)
}

// isGranted reports whether exactly this was allowed for the session, with what it wants from outside the sandbox.
func (p *plan) isGranted(inv rein.Invocation, s Settings, line string) bool {
	return p.asksMore(s) && (slices.Contains(inv.Granted.Session, p.spelled(s, line)) || slices.Contains(inv.Granted.Session, p.oldSpelled(line)))
}

// why is the reason for a verdict about a line, in one sentence.
func why(j verdict.Judgement) string {
	for _, f := range j.Findings {
		if f.Verdict == j.Verdict && j.Verdict != rein.Allowed {
			return visible.Short(f.Part.Source, 80) + ": " + f.Why
		}
	}
	switch {
	case j.Verdict == rein.Allowed:
		return "every part of the line is allowed"
	case j.Verdict == rein.Denied:
		return verdict.Unread
	}
	return "the line is not understood"
}

// text is what a person reads.
func (c *Commands) text(p *plan, args commandArgs) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Run in %s:\n%s\n", p.Dir, quoted(args.Command))
	for _, trouble := range p.judgement.Line.Trouble {
		fmt.Fprintln(&b, trouble)
	}
	if len(p.judgement.Findings) > 0 {
		fmt.Fprintln(&b, "Its parts:")
	}
	for _, f := range p.judgement.Findings {
		fmt.Fprintf(&b, "- %s: %s (%s)\n", visible.Short(f.Part.Source, 200), verdict.Word(f.Verdict), f.Why)
	}
	if p.Run != args.Command {
		fmt.Fprintf(&b, "With settings that keep git from running programs, it runs as:\n%s\n", quoted(p.Run))
	}
	fmt.Fprintf(&b, "%s\n%s\n", p.reach(c.settings()), p.contained())
	if p.Background {
		fmt.Fprintf(&b, "It runs in the background until it ends, is stopped, or rein exits, for at most %s.\n", p.span())
	} else {
		fmt.Fprintf(&b, "It can take at most %s.\n", p.span())
	}
	return b.String()
}

// span is how long a command may take, in words.
func (p *plan) span() string {
	for _, unit := range []struct {
		seconds int
		name    string
	}{{3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := p.Seconds / unit.seconds; p.Seconds%unit.seconds == 0 && n > 0 {
			if n == 1 {
				return "1 " + unit.name
			}
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return "no time"
}

// quoted sets a line apart, so that its words cannot be taken for ours.
func quoted(line string) string {
	return "  | " + strings.ReplaceAll(strings.ReplaceAll(line, "\r\n", "\n"), "\n", "\n  | ")
}

// reach says what a command can use.
func (p *plan) reach(s Settings) string {
	text := "It can write in " + p.Root + " and in a new temporary folder, and read the system's programs."
	for _, more := range []struct {
		what  string
		paths []string
	}{{"read", s.Read}, {"write", s.Write}} {
		if len(more.paths) > 0 {
			text += fmt.Sprintf("\nThe settings let every command %s %s.", more.what, list(more.paths))
		}
	}
	switch {
	case p.Network && s.Network:
		text += "\nThe settings let every command use the network."
	case !p.Network:
		text += "\nIt has no network."
	}
	if wants := p.wants(s); wants != "" {
		text += "\nIF YOU AGREE, it also gets " + wants + "."
	}
	return text
}

// wants says what a call asks for beyond what all commands have.
func (p *plan) wants(s Settings) string {
	var wants []string
	if p.Network && !s.Network {
		wants = append(wants, "the network")
	}
	if len(p.Read) > 0 {
		wants = append(wants, "to read "+list(p.Read))
	}
	if len(p.Write) > 0 {
		wants = append(wants, "to write "+list(p.Write))
	}
	return strings.Join(wants, ", and ")
}

func list(paths []string) string {
	var shown []string
	for _, path := range paths {
		shown = append(shown, visible.Line(filepath.Clean(path)))
	}
	return strings.Join(shown, ", ")
}

// contained says what holds the command, or what does not.
func (p *plan) contained() string {
	if len(p.missing) == 0 {
		return "It runs in the sandbox."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "IT IS NOT FULLY CONTAINED. The sandbox lacks %s, so every command needs approval:", strings.Join(p.Missing, ", "))
	for _, s := range p.missing {
		fmt.Fprintf(&b, "\n- %s: %s", s.Mechanism, s.Says)
		if s.Fix != "" {
			fmt.Fprintf(&b, "; %s", s.Fix)
		}
	}
	if slices.Contains(p.Missing, string(sandbox.Mount)) {
		b.WriteString("\nIt can read and write all files that rein can.")
	}
	return b.String()
}
