package engine

import (
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/engine/guard"
	"rein/engine/work"
	"rein/internal/near"
)

// permit finds the tool of a call, or says why the call is refused: the tool must exist, be one of
// the run's (and so of its parents'), not be denied by the frozen or the live policy, and have been
// offered in the prompt that made the call. The refusal names the tools that there are: a model that sees
// them makes its next call right.
//
// Internal reads are a flow's own. A model cannot make one, whatever it writes: see normalMessage.
func (s *toolStep) permit(c rein.ToolCall) (o *order, refusal string) {
	o = &order{call: c}
	if c.Internal {
		tool, ok := s.run.tool(c.Name)
		if !ok || !tool.Internal {
			return o, fmt.Sprintf("there is no internal read %q", c.Name)
		}
		if tool.Family != "" && !s.run.rights().Offer(tool.Family) {
			return o, fmt.Sprintf("runs of a %s have no %s", s.run.rights().Role, tool.Family)
		}
		o.tool = tool
		return o, ""
	}
	usable := s.usable(c)
	name, guessed := matchName(c.Name, usable, s.run.opts.Worker)
	called, known := s.run.tool(c.Name)
	s.server = called.Server
	if known && !strings.EqualFold(name, c.Name) {
		name = "" // a.b that is not usable is not taken for a_b
	}
	if name != "" {
		o.tool, _ = s.run.tool(name)
		if guessed {
			o.mended = "name"
		}
		return o, ""
	}
	switch {
	case !known:
		refusal = fmt.Sprintf("there is no tool %q%s", c.Name, near.DidYouMean(c.Name, usable))
	case !slices.Contains(s.run.task.Tools, c.Name):
		refusal = fmt.Sprintf("tool %q is not allowed here", c.Name)
	case !s.run.history.leaves(c.Name):
		refusal = fmt.Sprintf("tool %q is not one of those that the loaded skills allow", c.Name)
	case s.run.policy().Denies(called):
		refusal = fmt.Sprintf("tool %q is denied by the policy", c.Name)
	case guard.BarredByPlan(called, s.permitMode()):
		refusal = guard.PlanRefuses(called)
	default:
		refusal = fmt.Sprintf("tool %q was not offered", c.Name)
	}
	if len(usable) == 0 {
		return o, refusal + "; there are no tools now"
	}
	return o, refusal + "; there is: " + strings.Join(usable, ", ")
}

// usable lists the tools that the call may name.
func (s *toolStep) usable(c rein.ToolCall) []string {
	offered, made := s.run.history.offeredWith(c.ID, s.key)
	policy, mode := s.run.policy(), s.permitMode()
	var names []string
	for _, name := range s.run.task.Tools {
		tool, known := s.run.tool(name)
		if known && !tool.Internal && !policy.Denies(tool) && !guard.BarredByPlan(tool, mode) && s.run.history.leaves(name) && (!made || slices.Contains(offered, name)) {
			names = append(names, name)
		}
	}
	return names
}

// tool looks up a tool of the run.
func (d *drive) tool(name string) (rein.Tool, bool) { return d.opts.Worker.Tool(&d.task, name) }

// policy is the run's own, made stricter by that of this process. It is asked for at every call, so that a
// tool can be denied to runs that are under way.
func (d *drive) policy() rein.Policy {
	return d.engine.byRole(&d.task, d.rights(), d.task.Policy.Stricter(d.engine.present(&d.task)))
}

// matchName finds the tool that a model means. It may write the name in its own way, or with more
// before it ("functions.Read-File"): then it is guessed, if only one can be meant.
func matchName(name string, usable []string, known *work.Worker) (match string, guessed bool) {
	if slices.Contains(usable, name) {
		return name, false
	}
	rest := strings.Trim(name, " \t\r\n\"'`()")
	for {
		var found []string
		for _, candidate := range usable {
			if foldName(candidate) == foldName(rest) {
				found = append(found, candidate)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], true
		default:
			return "", false
		}
		i := strings.IndexAny(rest, ".:/")
		if i < 0 || isFamily(rest[:i], usable, known) {
			return "", false
		}
		rest = rest[i+1:]
	}
}

// isFamily reports whether tools have the name before their dot: what follows it is one of them then,
// and not a tool of the same name elsewhere.
func isFamily(name string, usable []string, known *work.Worker) bool {
	if slices.Contains(known.Families, strings.ToLower(name)) {
		return true
	}
	if slices.ContainsFunc(usable, func(tool string) bool { return strings.HasPrefix(tool, strings.ToLower(name)+".") }) {
		return true
	}
	for tool := range known.Tools {
		if strings.HasPrefix(tool, strings.ToLower(name)+".") {
			return true
		}
	}
	return false
}

// foldName drops what models spell otherwise: "Read-File" is read_file.
func foldName(name string) string {
	return strings.NewReplacer("-", "_", ".", "_", ":", "_", "/", "_").Replace(strings.ToLower(name))
}
