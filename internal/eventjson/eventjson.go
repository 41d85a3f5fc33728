// Package eventjson writes the payloads of events. Those that every run writes, it writes without
// reflection; byte for byte they are what encoding/json writes without its escapes for HTML, so that it
// does not matter to a log which of them wrote it.
package eventjson

import (
	"bytes"
	"encoding/json"

	"rein"
)

// Append appends a payload to dst. The error is that of encoding/json.
func Append(dst []byte, payload any) ([]byte, error) {
	o := object{b: dst}
	switch p := payload.(type) {
	case *rein.StepStart:
		o.stepStart(p)
	case *rein.StepEnd:
		o.stepEnd(p)
	case *rein.RunEnd:
		o.runEnd(p)
	case *rein.RunStart:
		o.runStart(p)
	case *rein.Task:
		if !o.null(p == nil) {
			o.task(p)
		}
	default:
		o.unknown = true
	}
	if o.unknown {
		return appendReflected(dst, payload)
	}
	return o.b, nil
}

// appendReflected leaves it to encoding/json.
func appendReflected(dst []byte, value any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return dst, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (o *object) stepStart(s *rein.StepStart) {
	if o.null(s == nil) {
		return
	}
	o.open()
	o.must("sig", s.Sig)
	o.text("verb", string(s.Verb))
	o.about(&s.About)
	if s.Prompt != nil {
		o.key("prompt")
		o.prompt(s.Prompt)
	}
	if s.Call != nil {
		o.key("call")
		o.call(s.Call)
	}
	o.text("tool", s.Tool)
	o.raw("args", s.Args)
	o.text("mended", s.Mended)
	o.text("server_name", s.Server)
	o.text("child", string(s.Child))
	if s.Tree != nil {
		o.reflected("tree", s.Tree)
	}
	if s.Folds != nil {
		o.reflected("folds", s.Folds)
	}
	o.amount("bound", &s.Bound)
	o.close()
}

func (o *object) stepEnd(e *rein.StepEnd) {
	if o.null(e == nil) {
		return
	}
	o.open()
	o.text("sig", e.Sig)
	o.text("verb", string(e.Verb))
	o.text("tool", e.Tool)
	o.text("server_name", e.Server)
	if e.Call != nil {
		o.key("call")
		o.call(e.Call)
	}
	if e.Message != nil {
		o.key("message")
		o.message(e.Message)
	}
	if e.Result != nil {
		o.key("result")
		o.result(e.Result)
	}
	o.rareResults(e)
	o.text("model", e.Model)
	if e.Usage != nil {
		o.key("usage")
		o.usage(e.Usage)
	}
	o.flag("overrun", e.Overrun)
	o.text("partial", e.Partial)
	o.text("whole", e.Whole)
	o.texts("redacted", e.Redacted)
	o.number("duration", int64(e.Duration))
	o.close()
}

// rareResults are those of steps that most runs do not have.
func (o *object) rareResults(e *rein.StepEnd) {
	if e.Answer != nil {
		o.reflected("answer", e.Answer)
	}
	if len(e.Items) > 0 {
		o.reflected("items", e.Items)
	}
	o.text("child", string(e.Child))
	if e.Outcome != nil {
		o.reflected("outcome", e.Outcome)
	}
	if e.Failure != nil {
		o.reflected("failure", e.Failure)
	}
}

func (o *object) runEnd(e *rein.RunEnd) {
	if o.null(e == nil) {
		return
	}
	o.open()
	o.must("end", string(e.End))
	o.text("text", e.Text)
	o.raw("data", e.Data)
	if e.Failure != nil {
		o.reflected("failure", e.Failure)
	}
	if e.Next != nil {
		o.reflected("next", e.Next)
	}
	o.close()
}

func (o *object) runStart(s *rein.RunStart) {
	if o.null(s == nil) {
		return
	}
	o.open()
	o.key("task")
	o.task(&s.Task)
	o.text("after", string(s.After))
	o.amount("reserve", &s.Reserve)
	o.close()
}
