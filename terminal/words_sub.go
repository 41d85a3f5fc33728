package terminal

import (
	"fmt"
	"strings"

	"rein"
	"rein/journal"
	"rein/journal/timeline"
)

// What happens inside a step: arguments are repaired, histories summarised, results clipped.

// sub tells a model call inside a step.
func (t *Teller) sub(s rein.StepStart) string {
	if s.Tree != nil {
		return safe(timeline.Inside(s)) + t.said(": ", s.Tree.Prompt+s.Tree.Text)
	}
	if s.Folds != nil {
		return "summarising " + folded(s.Folds)
	}
	return timeline.Inside(s)
}

func (t *Teller) subDone(step *journal.Step) string {
	if step.Start != nil && step.Start.Tree != nil {
		return t.result(safe(timeline.Inside(*step.Start)), *step.End)
	}
	name, folds := "repaired arguments", step.Start != nil && step.Start.Folds != nil
	switch {
	case folds:
		name = "summary"
	case step.Start != nil && step.Start.Phase == rein.PhaseConsult:
		name = "the model's answer to the tool"
	}
	text := t.result(name, *step.End) + t.costs(*step.End)
	if folds && step.End.Failure != nil {
		text += "; the run continues with the whole history"
	}
	return text
}

// folded says which messages a summary stands for, counted as people do.
func folded(f *rein.Folded) string {
	return fmt.Sprintf("messages %d to %d", f.From+1, f.To)
}

// repaired tells what a call became on its way to the tool.
func (t *Teller) repaired(m rein.Mend) string {
	text := ""
	if m.Mended != "" {
		text = ", " + repairWords(m.Mended)
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
		notes = append(notes, "arguments "+repairWords(end.Result.Mended))
	}
	if end.Result.Handle != "" {
		notes = append(notes, "clipped: "+resultSize(end)+", handle "+safe(end.Result.Handle))
	}
	if len(end.Redacted) > 0 {
		notes = append(notes, "secrets removed: "+safe(strings.Join(end.Redacted, ", ")))
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}
