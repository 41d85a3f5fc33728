package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"rein"
	"rein/internal/visible"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// rulesFlags are the flags of rein rules explain alone.
type rulesFlags struct {
	rules []string
	in    string
}

func rulesExplainCommand() command {
	var f rulesFlags
	return command{
		name: "rules explain", args: "COMMAND", does: "show which parts of a command need approval", least: 1, most: 1,
		more: `Reads a command line without running it: its parts, whether each would run without asking, and why. A line runs without asking only if every part does. Read-only commands in the workspace are allowed; --rule adds rules to try, such as "allow go test ..." or "deny curl ...".`,
		flags: func(c *call) []flagDef {
			rule := flagDef{name: "rule", value: "RULE", does: "allow, ask or deny, and a pattern; can be given more than once", again: true, set: func(s string) error {
				f.rules = append(f.rules, s)
				return nil
			}}
			return []flagDef{rule, text(&f.in, "in DIR", "the workspace's folder; default: this one"), jsonFlag(c)}
		}, run: f.run,
	}
}

func (f *rulesFlags) run(_ context.Context, c *call) error {
	root, err := filepath.Abs(f.in)
	if err != nil {
		return err
	}
	policy := verdict.Policy{Root: filepath.ToSlash(root), ReadFile: os.ReadFile}
	for _, text := range f.rules {
		rule, err := verdict.ParseRule(text)
		if err != nil {
			return usagef("%v", err)
		}
		policy.Rules = append(policy.Rules, rule)
	}
	judgement := policy.Judge(c.args[0])
	if c.json {
		return c.printJSON(explained(judgement))
	}
	return c.printJudgement(judgement)
}

// An explanation is a judgement in JSON.
type explanation struct {
	Verdict string          `json:"verdict"`
	Trouble []string        `json:"trouble,omitempty"`
	Parts   []explainedPart `json:"parts"`
	Run     string          `json:"run"`
	Shell   []string        `json:"shell,omitempty"`
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
			part.Session, part.Always = verdict.Exact(f.Part), f.Always
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
	table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
	for _, f := range j.Findings {
		fmt.Fprintf(table, "%s\t%s\t%s\n", verdict.Word(f.Verdict), visible.Short(through(f.Part), 50), f.Why)
		if f.Always != "" && f.Verdict == rein.MustAsk {
			fmt.Fprintf(table, "\t\talways: %s\n", visible.Line(f.Always))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
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
