package eventjson

import "rein"

func (o *object) about(a *rein.About) {
	o.text("phase", a.Phase)
	o.number("round", int64(a.Round))
	o.text("human", a.Human)
}

func (o *object) prompt(p *rein.PromptRecord) {
	o.open()
	o.about(&p.About)
	o.text("model", p.Model)
	o.texts("tools", p.Tools)
	o.raw("schema", p.Schema)
	o.number("max_tokens", p.MaxTokens)
	o.flag("stream", p.Stream)
	o.flag("prose", p.Prose)
	o.text("rendering", string(p.Rendering))
	if c := p.Compact; c != nil {
		o.compact(c)
	}
	o.texts("hand_over", p.HandOver)
	o.flag("closing", p.Closing)
	o.text("base", string(p.Base))
	o.number("keep", int64(p.Keep))
	o.messages("add", p.Add)
	if p.Folds != nil {
		o.reflected("folds", p.Folds)
	}
	o.close()
}

func (o *object) compact(c *rein.Compact) {
	if c.Share != 0 {
		o.reflected("compact", c)
		return
	}
	o.key("compact")
	o.open()
	o.number("messages", int64(c.Messages))
	o.number("keep", int64(c.Keep))
	o.close()
}

func (o *object) messages(key string, messages []rein.Message) {
	if len(messages) == 0 {
		return
	}
	o.key(key)
	o.b = append(o.b, '[')
	for i := range messages {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.message(&messages[i])
	}
	o.b = append(o.b, ']')
}

func (o *object) message(m *rein.Message) {
	o.open()
	o.must("role", string(m.Role))
	o.text("text", m.Text)
	if len(m.Calls) > 0 {
		o.calls(m.Calls)
	}
	o.text("call_id", m.CallID)
	o.text("status", string(m.Status))
	o.flag("from_person", m.FromPerson)
	o.text("note", m.Note)
	if len(m.Images) > 0 {
		o.reflected("images", m.Images)
	}
	if m.Past != nil {
		o.reflected("past", m.Past)
	}
	if m.Raw != nil {
		o.reflected("raw", m.Raw)
	}
	o.text("stop", string(m.Stop))
	o.close()
}

func (o *object) calls(calls []rein.ToolCall) {
	o.key("calls")
	o.b = append(o.b, '[')
	for i := range calls {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.call(&calls[i])
	}
	o.b = append(o.b, ']')
}

// call writes a call as its MarshalJSON does, which escapes for HTML. A call that this would change, or whose
// arguments are not JSON, is left to it.
func (o *object) call(c *rein.ToolCall) {
	if escapes(c.Phase) || escapes(c.Human) || escapes(c.ID) || escapes(c.Name) || escapes(c.Args) || escapes(c.Why) {
		o.reflect(c)
		return
	}
	if o.unknown {
		return
	}
	start := len(o.b)
	o.open()
	o.about(&c.About)
	o.must("id", c.ID)
	o.must("name", c.Name)
	o.raw("args", c.Args)
	o.text("why", c.Why)
	o.flag("internal", c.Internal)
	o.close()
	if o.unknown {
		o.b, o.unknown = o.b[:start], false
		o.reflect(c)
	}
}

// escapes reports whether HTML could need an escape: in <, > and &, and in the ends of lines of JavaScript,
// which begin with the byte E2.
func escapes[T ~string | ~[]byte](text T) bool {
	for i := range len(text) {
		switch text[i] {
		case '<', '>', '&', 0xE2:
			return true
		}
	}
	return false
}

func (o *object) result(r *rein.ToolResult) {
	o.open()
	o.must("status", string(r.Status))
	o.text("text", r.Text)
	o.raw("data", r.Data)
	o.text("handle", r.Handle)
	o.flag("from_person", r.FromPerson)
	o.text("mended", r.Mended)
	o.text("note", r.Note)
	o.text("evidence", string(r.Evidence))
	if len(r.Images) > 0 {
		o.reflected("images", r.Images)
	}
	if len(r.Files) > 0 {
		o.reflected("files", r.Files)
	}
	o.close()
}

func (o *object) usage(u *rein.Usage) {
	o.open()
	o.number("input", u.Input)
	o.number("output", u.Output)
	o.number("micros", u.Micros)
	o.number("cached", u.Cached)
	o.number("cache_write", u.CacheWrite)
	o.number("reasoning", u.Reasoning)
	o.close()
}

// amount leaves an amount of nothing out.
func (o *object) amount(key string, a *rein.Amount) {
	if *a == (rein.Amount{}) {
		return
	}
	o.key(key)
	o.open()
	o.parts(a)
	o.close()
}

func (o *object) parts(a *rein.Amount) {
	o.number("rounds", a.Rounds)
	o.number("tool_calls", a.ToolCalls)
	o.number("tokens", a.Tokens)
	o.number("micros", a.Micros)
	o.number("driven_ms", a.DrivenMS)
	o.number("runs", a.Runs)
}
