package steps

import (
	"strconv"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/terminal/tui/look"
)

// prompt adds a prompt as it was sent, a part for each message.
func (c *content) prompt(p *api.SentPrompt) {
	if p == nil {
		return
	}
	c.part("prompt as it was sent", "")
	c.fact("", units.Count(int64(len(p.Messages)), "message")+", "+units.Count(int64(len(p.Tools)), "tool")+" offered")
	c.fact("model", look.SafeLine(p.Model))
	c.fact("tools", look.SafeLine(strings.Join(p.Tools, ", ")))
	c.fact("calls and results are written as", look.SafeLine(string(p.Rendering)))
	if f := p.Folded; f != nil {
		c.fact("", "messages "+strconv.Itoa(f.From+1)+" to "+strconv.Itoa(f.To)+" were replaced by a summary when this was sent")
		c.text("summary that was sent in their place", f.Summary, other)
	}
	for i, m := range p.Messages {
		c.part("message "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(p.Messages)), roleWords(m))
		v := other
		if m.Role == rein.Assistant {
			v = model
		}
		c.message(m, v)
	}
	c.text("shape of the reply", readable(p.Schema), other)
}

// roleWords says who speaks in a message of a prompt.
func roleWords(m rein.Message) string {
	words := look.SafeLine(string(m.Role))
	switch m.Role {
	case rein.Developer:
		words = "rein"
	case rein.Assistant:
		words = "model"
	case rein.ToolRole:
		words = "tool, " + look.SafeLine(string(m.Status))
		if m.FromPerson {
			words += ", in the words of a person"
		}
	}
	if m.Past != nil {
		words += ", from an earlier run"
	}
	return words
}
