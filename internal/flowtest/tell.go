package flowtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/model/script"
)

// tell writes down what the model was sent and answered, what the tools and people did, and how the
// run ended, in the order of the log.
func (p *player) tell() string {
	var b strings.Builder
	said := prompts{calls: p.model.Calls()}
	for _, e := range inOrder(p.log) {
		switch e.Kind {
		case rein.RunStarted:
			if e.Run.Depth() == 0 && e.Run != runID { // the next one of the session
				fmt.Fprintf(&b, "run %s\n", e.Run)
			}
		case rein.StepStarted, rein.SubStarted:
			p.tellShown(&b, e)
			said.tell(&b, e)
		case rein.AskOpened:
			ask := read[rein.Ask](e)
			fmt.Fprintf(&b, "%s asks (%s): %s\n", ask.ID, ask.Kind, indent(ask.Text))
		case rein.StepDone, rein.SubDone:
			tellDone(&b, e)
		case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
			end := read[rein.RunEnd](e)
			fmt.Fprintf(&b, "ended: %s%s\n  %s\n", end.End, failed(end.Failure), indent(end.Text))
			p.tellData(&b, end)
		default:
			if kind := e.Kind.Command(); kind != "" {
				tellCommand(&b, e)
			}
		}
	}
	return b.String()
}

// prompts are the requests to the model that have not been told yet.
type prompts struct {
	calls  []script.Call
	before []rein.Message // of the last one that was told
}

// tell writes down a request as the model got it. What stood in the one before is not repeated.
func (p *prompts) tell(b *strings.Builder, e rein.Event) {
	start := read[rein.StepStart](e)
	of := func(c script.Call) bool { return c.Request.Run == e.Run && c.Request.Step == e.Step }
	first := slices.IndexFunc(p.calls, of)
	if start.Prompt == nil || first < 0 { // or it was never sent
		return
	}
	r := p.calls[first].Request
	p.calls = slices.DeleteFunc(p.calls, of)
	fmt.Fprintf(b, "%s model (%s, round %d)", e.Step, r.Phase, r.Round)
	for i, tool := range r.Offered {
		b.WriteString([]string{", offered ", " "}[min(i, 1)] + tool.Name)
	}
	b.WriteString("\n")
	same := 0
	for same < len(r.Messages) && same < len(p.before) && cmp.Equal(r.Messages[same], p.before[same]) {
		same++
	}
	if same > 0 {
		fmt.Fprintf(b, "  (%d messages as before)\n", same)
	}
	for _, m := range r.Messages[same:] {
		fmt.Fprintf(b, "  %s%s: %s\n", m.Role, ofCall(m), indent(standing(m)))
		tellCalls(b, m)
	}
	p.before = r.Messages
}

// standing is a message's text; of standing instructions only the beginning, for what they say is
// no matter of a scenario.
func standing(m rein.Message) string {
	const most = 60
	ours := m.Role == rein.System || m.Role == rein.Developer || strings.HasPrefix(m.Text, "<untrusted source=\"other members") // with a time in it
	if !ours || strings.HasPrefix(m.Text, "Summary of") || len(m.Text) <= most {
		return m.Text
	}
	return strings.ToValidUTF8(m.Text[:most], "") + " […]"
}

func ofCall(m rein.Message) string {
	if m.CallID == "" {
		return ""
	}
	return " " + m.CallID
}

func tellCalls(b *strings.Builder, m rein.Message) {
	for _, c := range m.Calls {
		fmt.Fprintf(b, "    call %s %s %s\n", c.ID, c.Name, c.Args)
	}
}

func tellDone(b *strings.Builder, e rein.Event) {
	end := read[rein.StepEnd](e)
	switch {
	case end.Message != nil:
		fmt.Fprintf(b, "%s says%s: %s\n", e.Step, failed(end.Failure), indent(end.Message.Text))
		tellCalls(b, *end.Message)
	case end.Result != nil:
		fmt.Fprintf(b, "%s gives (%s%s)%s: %s\n", e.Step, end.Result.Status, mended(end.Result.Mended), failed(end.Failure), indent(end.Result.Text))
	case end.Failure != nil:
		fmt.Fprintf(b, "%s fails%s\n", e.Step, failed(end.Failure))
	}
}

func mended(how string) string {
	if how == "" {
		return ""
	}
	return ", mended: " + how
}

func tellCommand(b *strings.Builder, e rein.Event) {
	c := read[rein.Command](e)
	switch {
	case c.By == clockName: // whether it or the deadline is written first is chance
	case c.Kind == rein.CommandAnswer:
		fmt.Fprintf(b, "%s: %s %s %s%s\n", c.By, c.Answer.State, c.Ask, c.Answer.Text, c.Answer.Args)
	default:
		fmt.Fprintf(b, "%s: %s %s\n", c.By, c.Kind, c.Text)
	}
}

func failed(f *rein.Failure) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf(" [%s: %s]", f.Code, f.Msg)
}

func indent(text string) string {
	return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

func read[T any](e rein.Event) T {
	payload, err := rein.Payload[T](e)
	if err != nil {
		panic(err) // the store returned what it did not write
	}
	return payload
}

func diff(want, got string) string {
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
}
