package engine

import (
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/internal/near"
)

// permit finds the tool of a call, or says why the call is refused: the tool must exist, be one of
// the run's (and so of its parents'), not be denied by the frozen or the live policy, and have been
// offered in the prompt that made the call.
func (s *step) permit(c rein.ToolCall) (o order, refusal string) {
	o = order{call: c}
	if c.Internal {
		tool, ok := s.Worker.Tools[c.Name]
		if !ok || !tool.Internal {
			return o, fmt.Sprintf("there is no internal read %q", c.Name)
		}
		o.tool = tool
		return o, ""
	}
	usable := s.usable(c)
	name, guessed := matchName(c.Name, usable)
	if name != "" {
		o.tool = s.Worker.Tools[name]
		if guessed {
			o.mended = "name"
		}
		return o, ""
	}
	_, known := s.Worker.Tools[c.Name]
	switch {
	case !known:
		refusal = fmt.Sprintf("there is no tool %q%s", c.Name, near.DidYouMean(c.Name, usable))
	case !slices.Contains(s.task.Tools, c.Name):
		refusal = fmt.Sprintf("tool %q is not allowed here", c.Name)
	case slices.Contains(s.policy().Deny, c.Name):
		refusal = fmt.Sprintf("tool %q is denied by the policy", c.Name)
	default:
		refusal = fmt.Sprintf("tool %q was not offered", c.Name)
	}
	if len(usable) == 0 {
		return o, refusal + "; there are no tools now"
	}
	return o, refusal + "; there is: " + strings.Join(usable, ", ")
}

// usable lists the tools that the call may name.
func (s *step) usable(c rein.ToolCall) []string {
	offered, made := s.offeredWith(c.ID)
	denied := s.policy().Deny
	var names []string
	for _, name := range s.task.Tools {
		tool, known := s.Worker.Tools[name]
		if known && !tool.Internal && !slices.Contains(denied, name) && (!made || slices.Contains(offered, name)) {
			names = append(names, name)
		}
	}
	return names
}

// An offer is the tools that a prompt offered, and the step that it was.
type offer struct {
	step  rein.StepKey
	tools []string
}

// offeredWith returns what was offered when the call with this ID was made. Models count their calls
// in their own ways, so another branch may have calls of the same names.
func (s *step) offeredWith(id string) (tools []string, made bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range slices.Backward(s.offers[id]) {
		if !sideBySide(o.step, s.key) {
			return o.tools, true
		}
	}
	return nil, false
}

// policy is the run's own, made stricter by that of this process.
func (d *drive) policy() rein.Policy { return d.task.Policy.Stricter(d.present(&d.task)) }

// matchName finds the tool that a model means. It may write the name in its own way: then it is
// guessed, if only one can be meant.
func matchName(name string, usable []string) (match string, guessed bool) {
	if slices.Contains(usable, name) {
		return name, false
	}
	for _, candidate := range usable {
		if foldName(candidate) != foldName(name) {
			continue
		}
		if match != "" {
			return "", false
		}
		match = candidate
	}
	return match, match != ""
}

// foldName drops what models add to a name or spell otherwise: "functions.Read-File" is read_file.
func foldName(name string) string {
	name = strings.Trim(name, " \t\r\n\"'`()")
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		name = name[i+1:]
	}
	return strings.ReplaceAll(strings.ToLower(name), "-", "_")
}

// learnCall remembers what later calls are judged by: which tools were offered with a call, and what
// calls gave. It is called with mu held.
func (d *drive) learnCall(key rein.StepKey, r *record) {
	if r.start == nil || r.done == nil {
		return
	}
	if r.start.Prompt != nil && r.done.Message != nil {
		for _, c := range r.done.Message.Calls {
			d.offers[c.ID] = append(d.offers[c.ID], offer{key, r.start.Prompt.Tools})
		}
	}
	if r.start.Call != nil && r.done.Result != nil {
		d.learnResult(key, r)
	}
}
