package flowtest

import (
	"fmt"
	"slices"
	"strings"

	"rein"
)

// tellShown writes down what people see when a step begins, if the file asks for it: human is the
// line about the step, stream says that they see the reply while it is written.
func (p *player) tellShown(b *strings.Builder, e rein.Event) {
	start := read[rein.StepStart](e)
	if slices.Contains(p.show, "human") && start.Human != "" {
		fmt.Fprintf(b, "%s shows: %s\n", e.Step, start.Human)
	}
	if slices.Contains(p.show, "stream") && start.Prompt != nil && start.Prompt.Stream {
		fmt.Fprintf(b, "%s streams\n", e.Step)
	}
	if slices.Contains(p.show, "stream") && start.Prompt != nil && start.Prompt.Prose {
		fmt.Fprintf(b, "%s streams if it is prose\n", e.Step)
	}
}

// tellData writes down what an outcome holds for machines, if the file asks for data.
func (p *player) tellData(b *strings.Builder, end rein.RunEnd) {
	if slices.Contains(p.show, "data") && len(end.Data) > 0 {
		fmt.Fprintf(b, "  data: %s\n", end.Data)
	}
}
