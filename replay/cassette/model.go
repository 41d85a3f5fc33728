package cassette

import (
	"context"
	"strings"

	"rein"
	"rein/internal/quote"
)

// model is one of the tape's, by name.
type model struct {
	*Player
	info rein.ModelInfo
}

// Models returns the models that the tape's runs ask, each under its name.
func (p *Player) Models() map[string]rein.Model {
	models := map[string]rein.Model{"": model{p, p.tape.Models[""]}}
	for name, info := range p.tape.Models {
		models[name] = model{p, info}
	}
	for _, s := range p.steps {
		if s.start != nil && s.start.Prompt != nil {
			name := s.start.Prompt.Model
			models[name] = model{p, p.tape.Models[name]}
		}
	}
	for _, run := range p.tape.Runs() {
		if start, _, ok := p.tape.Start(run); ok {
			models[start.Task.Model] = model{p, p.tape.Models[start.Task.Model]}
		}
	}
	return models
}

// Info implements rein.Model.
func (m model) Info() rein.ModelInfo { return m.info }

// Generate implements rein.Model.
func (m model) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	if s := m.steps[stepAt{r.Run, r.Step}]; s != nil && s.long != nil && r.Attempt == 1 {
		return rein.ModelReply{}, s.long.Err()
	}
	return m.reply(ctx, r.Run, r.Step, show)
}

// reply gives what a model gave at the step. A call that was cut is under way until it is cut again,
// and so is one whose end the tape does not hold.
func (p *Player) reply(ctx context.Context, run rein.RunID, key rein.StepKey, show func(string)) (rein.ModelReply, error) {
	s := p.steps[stepAt{run, key}]
	switch {
	case s == nil:
		return rein.ModelReply{}, rein.Errorf(rein.CodeProvider, "the recording has no step %s of run %s", key, run)
	case s.done == nil:
		<-ctx.Done()
		return rein.ModelReply{}, context.Cause(ctx)
	}
	if err := p.wait(ctx, s.rank); err != nil {
		return rein.ModelReply{}, err
	}
	if s.done.Message == nil && p.Failing != nil {
		defer p.Failing()
	}
	return Reply(ctx, key, s.done, show)
}

// Reply is what a model gave at a step that ended so.
func Reply(ctx context.Context, key rein.StepKey, end *rein.StepEnd, show func(string)) (rein.ModelReply, error) {
	if end.Message == nil {
		return rein.ModelReply{}, fail(ctx, end, show)
	}
	message := *end.Message
	message.Redacted = end.Redacted
	if strings.HasSuffix(string(key), ".compact") {
		message.Text = unframed(message.Text)
	}
	if show != nil && message.Text != "" {
		show(message.Text)
	}
	return rein.ModelReply{Message: message, Usage: end.Usage, Model: end.Model}, nil
}

// unframed returns the summary that a model wrote. What is recorded is made of it: a heading, and what
// the model forgot.
func unframed(text string) string {
	for _, block := range quote.Blocks(text, quote.UntrustedTag) {
		if block.Attr("source") == "summary" {
			return block.Content
		}
	}
	text, _, _ = strings.Cut(text, "\n\nKept verbatim:\n") // of an earlier program
	return quote.Unescape(text)
}

// fail gives the failure of a call that has none but that.
func fail(ctx context.Context, end *rein.StepEnd, show func(string)) error {
	if end.Failure == nil {
		return rein.Errorf(rein.CodeProvider, "the recording has no model's reply here")
	}
	if show != nil && end.Partial != "" {
		show(end.Partial)
	}
	switch end.Failure.Code {
	case rein.CodeInterrupted, rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted:
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return &rein.Error{Code: end.Failure.Code, Msg: end.Failure.Msg, Dim: end.Failure.Dim, Usage: end.Usage}
}
