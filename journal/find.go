package journal

import (
	"slices"

	"rein"
)

// Find returns one step of the run, with its texts. One that is unknown is CodeNotFound.
func (l Log) Find(key rein.StepKey) (*Course, error) {
	begin, err := l.begin(key)
	if err != nil {
		return nil, err
	}
	c, steps, asks := &Course{}, Steps{}, Asks{}
	for e, err := range l.From(begin - 1) {
		if err != nil {
			return nil, err
		}
		if e.Seq > l.Length || c.Step == nil && placeOf(e.Step) > placeOf(key) {
			break
		}
		for _, ask := range asks.See(e) {
			if ask.Step == key {
				c.asked(ask)
			}
		}
		c.Cut = c.Cut || e.Kind.Ends()
		if id, ok := idOf(e); !ok || id.key != key {
			continue
		}
		c.Step = steps.See(e)
		if c.see(e); c.Over() {
			break
		}
	}
	if c.Step == nil {
		return nil, l.noStep(key)
	}
	return c, nil
}

// A Sent is a prompt as a model got it.
type Sent struct {
	rein.Prompt
	// Folds names the messages that a summary replaced, if one did, except those that say what the run is to
	// do: these always stay.
	Folds   *rein.Folded
	Summary string // empty: another branch of the run made it
}

// Prompt assembles the prompt of a model call that was found: a log has only what each prompt adds to
// an earlier one. It is nil if the step has none.
func (l Log) Prompt(c *Course) (*Sent, error) {
	if c.Start == nil || c.Start.Prompt == nil {
		return nil, nil
	}
	record := c.Start.Prompt
	sent := &Sent{Prompt: record.Prompt, Folds: record.Folds}
	sent.About = c.About
	if c.folds != nil {
		sent.Folds = c.folds
	}
	maker, parts, err := l.parts(c, sent.Folds)
	if err != nil {
		return nil, err
	}
	slices.Reverse(parts)
	sent.Messages = slices.Concat(parts...)
	if sent.Folds != nil {
		sent.Summary, err = l.summary(maker, sent.Folds.Digest)
	}
	return sent, err
}

// parts gathers the messages of a prompt, the last ones first, by following the steps that it begins as. maker is
// the earliest of them whose prompt had the same summary: there it was made.
func (l Log) parts(c *Course, folds *rein.Folded) (maker rein.StepKey, parts [][]rein.Message, err error) {
	record, seq := c.Start.Prompt, c.First
	maker, need := c.Key, record.Keep
	parts = append(parts, record.Add)
	for sameFold := folds != nil; record.Base != "" && (need > 0 || sameFold); {
		base := record.Base
		if record, seq, err = l.started(base, seq); err != nil {
			return maker, nil, err
		}
		if sameFold = sameFold && record.Folds != nil && record.Folds.Digest == folds.Digest; sameFold {
			maker = base
		}
		if need > record.Keep+len(record.Add) {
			return maker, nil, rein.Errorf(rein.CodeDamaged, "run %s: step %s has fewer messages than a later prompt takes from it", l.Run, base)
		}
		if need > record.Keep {
			parts = append(parts, record.Add[:need-record.Keep])
			need = record.Keep
		}
	}
	return maker, parts, nil
}

// started returns the prompt with which a step began before an event, and the event's sequence number.
func (l Log) started(key rein.StepKey, before int64) (*rein.PromptRecord, int64, error) {
	begin, err := l.lowest(placeOf(key), l.near(key, before), before)
	if err != nil {
		return nil, 0, err
	}
	for e, err := range l.From(begin - 1) {
		if err != nil {
			return nil, 0, err
		}
		if e.Seq >= before || placeOf(e.Step) > placeOf(key) {
			break
		}
		if e.Step != key || e.Kind != rein.StepStarted && e.Kind != rein.SubStarted {
			continue
		}
		start, err := rein.Payload[rein.StepStart](e)
		if err == nil && start.Prompt != nil {
			return start.Prompt, e.Seq, nil
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, rein.Errorf(rein.CodeDamaged, "run %s: a prompt begins as that of step %s, which has none", l.Run, key)
}

// nearby is how far before a prompt the one that it begins as is looked for at first.
const nearby = 8

// near returns a lower bound for the search of a step before an event. A prompt mostly begins as the one before
// it, so the search goes back in growing strides.
func (l Log) near(key rein.StepKey, before int64) int64 {
	for stride := int64(nearby); before-stride > 1; stride *= 4 {
		_, place, err := l.placeFrom(before-stride, before)
		if err == nil && place > 0 && place < placeOf(key) {
			return before - stride
		}
	}
	return 1
}

// summary returns the summary with this digest that a step made, or "".
func (l Log) summary(maker rein.StepKey, digest rein.Hash) (string, error) {
	begin, err := l.begin(maker)
	if err != nil {
		return "", err
	}
	var steps Steps
	for e, err := range l.From(begin - 1) {
		if err != nil {
			return "", err
		}
		if e.Seq > l.Length || placeOf(e.Step) > placeOf(maker) {
			break
		}
		step := steps.See(e)
		if step.Over() && step.Inside == maker && step.Start != nil && step.Start.Folds != nil && step.Start.Folds.Digest == digest && step.End.Message != nil {
			return step.End.Message.Text, nil
		}
	}
	return "", nil
}
