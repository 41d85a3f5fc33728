package cli

import (
	"fmt"
	"strings"

	"rein"
)

// What happens inside a step: arguments are mended, histories summed up, results clipped.

// sub tells a model call inside a step.
func (t *teller) sub(s rein.StepStart) string {
	if s.Folds != nil {
		return "summing up " + folded(s.Folds)
	}
	return "asking the model to mend the arguments"
}

func (t *teller) subDone(key rein.StepKey, end rein.StepEnd) string {
	start := t.steps[key]
	delete(t.steps, key)
	name := "mended arguments"
	if start.Folds != nil {
		name = "summary"
	}
	text := t.result(name, end) + t.costs(end)
	if end.Failure != nil && start.Folds != nil {
		text += "; it goes on with the whole history"
	}
	return text
}

// folded says which messages a summary stands for, counted as people do.
func folded(f *rein.Folded) string {
	return fmt.Sprintf("messages %d to %d", f.From+1, f.To)
}

// mended tells what a call became on its way to the tool.
func (t *teller) mended(m rein.Mend) string {
	text := ""
	if m.Mended != "" {
		text = ", mended (" + safe(m.Mended) + ")"
	}
	if called := strings.TrimSpace(safe(m.Tool) + t.said(" ", string(m.Args))); called != "" {
		text += ", called with " + called
	}
	return text
}

// resultNotes tells what was done to a result before the model got it.
func resultNotes(end rein.StepEnd) string {
	notes := []string{}
	if end.Result.Mended != "" {
		notes = append(notes, "arguments mended: "+safe(end.Result.Mended))
	}
	if end.Result.Handle != "" {
		notes = append(notes, "clipped: "+resultSize(end)+", handle "+safe(end.Result.Handle))
	}
	if len(end.Redacted) > 0 {
		notes = append(notes, "secrets taken out: "+safe(strings.Join(end.Redacted, ", ")))
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}
