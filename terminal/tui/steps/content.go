package steps

import (
	"bytes"
	"encoding/json"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/visible"
	"rein/terminal/tui/look"
)

// voice says whose words a line is. Those of others stand behind a mark that no text of theirs can draw.
type voice int

const (
	fact  voice = iota // rein's
	label              // rein's, over a part
	model
	other // a tool, a person, a file, and what was sent to a model
	blank
)

// A line is a part of what is shown, before it is folded.
type line struct {
	voice voice
	text  string // safe to show
	part  int
}

// A part is what a label stands over, and what is copied at once.
type part struct {
	name  string
	texts []string // as they were written
}

// text is what is copied: with all that cannot be seen spelled out.
func (p part) text() string { return visible.Lines(strings.Join(p.texts, "\n")) }

// A content is a step as lines.
type content struct {
	theme look.Theme
	lines []line
	parts []part
}

// contentOf writes a step out: what is known of it, what came of it and, at the end, what was sent.
func contentOf(t look.Theme, d api.StepDetail) *content {
	c := &content{theme: t}
	c.about(d)
	if d.Step.Erased {
		c.fact("", "the texts of this step were erased")
	}
	if d.Reply != nil {
		c.part("reply", "")
		c.message(*d.Reply, model)
	}
	c.text("written before it was cut off", d.Partial, model)
	if d.Call != nil {
		c.part("call as it was written", look.SafeLine(d.Call.Name))
		c.quote(readable(d.Call.Args), model)
	}
	c.text("arguments as the tool got them", readable(d.Args), other)
	c.answer(d.Answer)
	c.result(d)
	for _, item := range d.Items {
		c.part("it read", look.SafeLine(string(item.Kind))+by(item.By))
		c.quote(item.Text, other)
	}
	c.outcome(d.Outcome)
	c.prompt(d.Prompt)
	return c
}

// part begins a part. Its name is in capitals, and what is beside it is not.
func (c *content) part(name, beside string) {
	if len(c.lines) > 0 {
		c.add(blank, "")
	}
	c.parts = append(c.parts, part{name: name})
	c.add(label, strings.TrimSpace(strings.ToUpper(name)+"  "+beside))
}

func (c *content) add(v voice, text string) {
	c.lines = append(c.lines, line{v, text, len(c.parts) - 1})
}

// fact adds a line of rein's own.
func (c *content) fact(name, value string) {
	if value == "" {
		return
	}
	if name != "" {
		value = name + ": " + value
	}
	c.add(fact, value)
	c.copied(value)
}

// copied adds to what is copied with a part.
func (c *content) copied(text string) {
	p := &c.parts[len(c.parts)-1]
	p.texts = append(p.texts, text)
}

// text adds a part with words of others, if there are any.
func (c *content) text(name, text string, v voice) {
	if strings.TrimSpace(text) != "" {
		c.part(name, "")
		c.quote(text, v)
	}
}

// quote adds words of others.
func (c *content) quote(text string, v voice) {
	text = strings.TrimRight(text, " \n")
	if text == "" {
		return
	}
	c.copied(text)
	for row := range strings.SplitSeq(look.Safe(text), "\n") {
		c.add(v, c.harmless(row))
	}
}

// harmless takes the marks of rein from the beginning of a row: only rein draws them.
func (c *content) harmless(row string) string {
	for _, mark := range []string{look.Nice.Gutter, look.Nice.Fold} {
		if rest, ok := strings.CutPrefix(row, mark); ok {
			return "¦" + rest
		}
	}
	return row
}

// readable is JSON on many lines; what is not JSON is as it was written.
func readable(data json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, data, "", "  ") != nil {
		return string(data)
	}
	return out.String()
}

// message adds the words and the calls of a message.
func (c *content) message(m rein.Message, v voice) {
	c.quote(m.Text, v)
	for _, call := range m.Calls {
		c.fact("calls", look.SafeLine(call.Name))
		c.quote(readable(call.Args), v)
	}
	for _, image := range m.Images {
		c.fact("", look.SafeLine(image.String()))
	}
	c.fact("rein added", look.SafeLine(m.Note))
	if m.Text == "" && len(m.Calls) == 0 && len(m.Images) == 0 {
		c.fact("", "no text")
	}
	if m.Stop != "" {
		c.fact("cut off", look.SafeLine(string(m.Stop)))
	}
}

func (c *content) answer(a *rein.Answer) {
	if a == nil {
		return
	}
	c.part("answer", look.SafeLine(string(a.State))+by(a.By))
	c.quote(a.Text, other)
}

func by(who string) string {
	if who == "" {
		return ""
	}
	return " by " + look.SafeLine(who)
}

func (c *content) result(d api.StepDetail) {
	r := d.Result
	if r == nil {
		return
	}
	words := look.SafeLine(string(r.Status))
	if r.FromPerson {
		words += ", in the words of a person"
	}
	if r.Handle != "" {
		words += ", clipped: the whole is below"
	}
	c.part("result", words)
	c.quote(r.Text, other)
	for _, image := range r.Images {
		c.fact("", look.SafeLine(image.String()))
	}
	c.fact("rein added", look.SafeLine(r.Note))
	c.text("whole result, before it was clipped", d.Whole, other)
	c.text("data of the result, for programs", readable(r.Data), other)
}

func (c *content) outcome(o *rein.Outcome) {
	if o == nil {
		return
	}
	c.part("outcome of the run", look.SafeLine(string(o.End)))
	c.quote(o.Text, other)
}
