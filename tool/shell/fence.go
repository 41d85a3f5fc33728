package shell

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// fence returns what of a workspace's repository is read-only for a command that nobody approved: all of it. Git takes
// programs to run from files of several names, also from some that are not there yet.
func fence(root string) (readOnly []string, err error) {
	git := filepath.Join(root, ".git")
	info, err := os.Lstat(git)
	switch {
	case os.IsNotExist(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, unfenced(git)
	}
	return []string{git}, nil
}

func unfenced(path string) error {
	return rein.Errorf(rein.CodeForbidden, "the command did not run: %s is a link, so that nothing keeps commands from changing what git runs. Approve the command, or put a folder there", path)
}

// isLoose reports whether a line wants what its sandbox does not hold back, or does not give: a person's own rule asks
// about it, it names a file that runs or is obeyed outside later, or it is git's and changes the repository.
func (c *Commands) isLoose(inv rein.Invocation, p *plan, line string) bool {
	return c.asksByRule(inv, p, line) || slices.ContainsFunc(p.judgement.Findings, func(f verdict.Finding) bool {
		return f.Verdict == rein.MustAsk && (f.Part.Name() == "git" || slices.ContainsFunc(written(f.Part), p.isHazard))
	})
}

// asksByRule reports whether a rule that asks means a part of the line.
func (c *Commands) asksByRule(inv rein.Invocation, p *plan, line string) bool {
	policy := c.policy(inv, p, c.o.Settings())
	policy.Rules = slices.DeleteFunc(policy.Rules, func(r verdict.Rule) bool { return r.Verdict != rein.MustAsk })
	for i := range policy.Rules {
		policy.Rules[i].Verdict = rein.Denied // so that nothing comes before it
	}
	return len(policy.Rules) > 0 && policy.Judge(line).Verdict == rein.Denied
}

// isApproved reports whether people allowed a line in advance, with a rule or for the session. The list of read-only
// commands is nobody's approval.
func (c *Commands) isApproved(inv rein.Invocation, p *plan, line string) bool {
	bare := c.policy(inv, p, c.o.Settings())
	bare.Rules, bare.Session = nil, nil
	return slices.Contains(inv.Granted.Session, p.spelled(line)) || p.judgement.Verdict == rein.Allowed && bare.Judge(line).Verdict != rein.Allowed
}

// written are the words of a part that may name files which it writes.
func written(part parse.Part) []string {
	if part.Kind == parse.Redirect {
		if part.Mode != parse.Write {
			return nil
		}
		return []string{part.Path.Text}
	}
	var words []string
	for i, word := range part.Argv {
		if i > 0 {
			_, value, _ := strings.Cut(word.Text, "=")
			words = append(words, word.Text, value)
		}
	}
	return words
}

// instructions are files that models obey.
var instructions = []string{"AGENTS.md", "CLAUDE.md"}

// isHazard reports whether a word names such a file of the workspace. Those outside are not in the box.
func (p *plan) isHazard(word string) bool {
	if filepath.IsAbs(word) {
		inside, err := filepath.Rel(p.Root, word)
		if err != nil || !filepath.IsLocal(inside) {
			return false
		}
		word = inside
	}
	return slices.Contains(instructions, filepath.Base(word)) || verdict.Hazard(word, true) != ""
}
