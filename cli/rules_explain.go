package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/visible"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// rulesFlags are the flags of rein rules explain alone.
type rulesFlags struct {
	rules   []string
	in      string
	session string
}

func rulesExplainCommand() command {
	var f rulesFlags
	return command{
		name: "rules explain", args: "COMMAND", does: "show which parts of a command need approval", least: 1, most: 1,
		more: `Reads a command line without running it: its parts, whether each would run without asking, and why. A line runs without asking only if every part does. Read-only commands in the workspace are allowed; --rule adds rules to try, such as "allow go test ..." or "deny curl ...". Your rules from approvals (rein rules) count too: those for this folder, and with --session those for one session.`,
		flags: func(c *call) []flagDef {
			rule := flagDef{name: "rule", value: "RULE", does: "allow, ask or deny, and a pattern; can be given more than once", again: true, set: func(s string) error {
				f.rules = append(f.rules, s)
				return nil
			}}
			return append([]flagDef{
				rule, text(&f.in, "in DIR", "the workspace's folder; default: this one"),
				text(&f.session, "session NAME", "count what was allowed for this session too"),
			}, lookFlags(c)...)
		}, run: f.run,
	}
}

func (f *rulesFlags) run(ctx context.Context, c *call) error {
	root, err := filepath.Abs(f.in)
	if err != nil {
		return err
	}
	policy := verdict.Policy{Root: filepath.ToSlash(root), Disk: verdict.OS{}}
	for _, text := range f.rules {
		rule, err := verdict.ParseRule(text)
		if err != nil {
			return usagef("%v", err)
		}
		policy.Rules = append(policy.Rules, rule)
	}
	held, err := f.held(ctx, c, root)
	if err != nil {
		return err
	}
	for _, r := range held {
		if r.Scope == rein.ScopeSession {
			policy.Session = append(policy.Session, r.Pattern)
		} else if rule, err := verdict.ParseGrant(r.Pattern); err == nil {
			policy.Rules = append(policy.Rules, rule)
		}
	}
	judgement := policy.Judge(c.args[0])
	held = slices.DeleteFunc(held, func(r rein.Rule) bool { return !matters(judgement, r) })
	if c.json {
		e := explained(judgement)
		e.Rules = held
		return c.printJSON(e)
	}
	if err := c.printJudgement(judgement); err != nil {
		return err
	}
	for _, r := range held {
		c.print("\nrule %s (%s), from ask %s, allows: %s\n", safe(r.ID), ruleScope(r), safe(string(r.Ask)), visible.Line(r.Pattern))
	}
	return nil
}

// commandTool is the tool that runs commands.
const commandTool = "execute_command"

// held returns the rules from approvals that count for commands in the folder. Without data there are none.
func (f *rulesFlags) held(ctx context.Context, c *call, root string) (held []rein.Rule, err error) {
	v, err := c.setup().Look(ctx)
	if _, none := errors.AsType[*app.NoDataError](err); none {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if real, err := app.RealPath(root); err == nil {
		root = real
	}
	all, err := v.Rules(ctx, api.RuleQuery{User: rein.Host().User})
	for _, r := range all {
		if r.Tool == commandTool && r.Root == root && (r.Scope == rein.ScopeAlways || f.session != "" && r.Session == f.session) {
			held = append(held, r)
		}
	}
	return held, err
}

// matters reports whether a rule is why a part is allowed.
func matters(j verdict.Judgement, r rein.Rule) bool {
	return slices.ContainsFunc(j.Findings, func(f verdict.Finding) bool {
		if f.Verdict != rein.Allowed {
			return false
		}
		return r.Scope == rein.ScopeSession && f.Session == r.Pattern || r.Scope == rein.ScopeAlways && strings.Contains(f.Why, `"`+r.Pattern+`"`)
	})
}

// An explanation is a judgement in JSON.
type explanation struct {
	Verdict string          `json:"verdict"`
	Trouble []string        `json:"trouble,omitempty"`
	Parts   []explainedPart `json:"parts"`
	Run     string          `json:"run"`
	Shell   []string        `json:"shell,omitempty"`
	Rules   []rein.Rule     `json:"rules,omitempty"` // from approvals, that decide here
}

type explainedPart struct {
	Verdict string   `json:"verdict"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source"`
	Via     []string `json:"via,omitempty"`
	Why     string   `json:"why"`
	Session string   `json:"session,omitempty"`
	Always  string   `json:"always,omitempty"`
}

func explained(j verdict.Judgement) explanation {
	e := explanation{Verdict: verdict.Word(j.Verdict), Trouble: j.Line.Trouble, Parts: []explainedPart{}, Run: j.Run}
	for _, f := range j.Findings {
		part := explainedPart{Verdict: verdict.Word(f.Verdict), Kind: string(f.Part.Kind), Source: f.Part.Source, Via: f.Part.Via, Why: f.Why}
		if f.Verdict == rein.MustAsk {
			part.Session, part.Always = f.Session, f.Always
		}
		e.Parts = append(e.Parts, part)
	}
	if shell, ok := parse.FindShell(); ok {
		e.Shell = shell.Argv(j.Run)
	}
	return e
}

func (c *call) printJudgement(j verdict.Judgement) error {
	fmt.Fprintln(c.out.Stdout, verdict.Word(j.Verdict))
	if text := j.Explain(); text != "" {
		fmt.Fprint(c.out.Stdout, visible.Lines(text))
	}
	if len(j.Findings) > 0 {
		fmt.Fprintln(c.out.Stdout)
	}
	var rows [][]string
	for _, f := range j.Findings {
		rows = append(rows, []string{verdict.Word(f.Verdict), visible.Short(through(f.Part), 50), f.Why})
		if f.Always != "" && f.Verdict == rein.MustAsk {
			rows = append(rows, []string{"", "", "always: " + f.Always})
		}
	}
	c.advice(rows)
	if j.Run != j.Line.Text {
		fmt.Fprintf(c.out.Stdout, "\nIt runs as: %s\n", visible.Lines(j.Run))
	}
	return nil
}

// through is a part with the commands that run it.
func through(p parse.Part) string {
	if len(p.Via) == 0 || p.Nested || len(p.Argv) == 0 {
		return p.Source
	}
	var words []string
	for _, a := range p.Argv {
		words = append(words, a.Text)
	}
	return strings.Join(words, " ") + " (from " + strings.Join(p.Via, ", ") + ")"
}
