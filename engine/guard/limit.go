// Package guard makes the pure decisions inside a verb: what a call may cost and what still fits,
// when to retry, what to redact, clip and summarise, and when calls make no progress. Functions
// take values and return values; the engine records the result.
package guard

import (
	"time"

	"rein"
)

// perMessage is an upper bound of the tokens that a provider adds to one message or tool for roles
// and framing.
const perMessage = 16

// perImage is an upper bound of the tokens of one image, at the sizes that providers take.
const perImage = 8192

// DefaultMaxOutput bounds a reply when neither the prompt nor the model does.
const DefaultMaxOutput = 4096

// InputBound is the most tokens that a prompt can be: no tokenizer makes more tokens than there are
// bytes.
func InputBound(messages []rein.Message, tools []rein.Tool, schema []byte) int64 {
	n := int64(len(schema))
	for i := range messages {
		n += messageBound(&messages[i])
	}
	for _, t := range tools {
		n += perMessage + int64(len(t.Name)+len(t.Description)+len(t.Schema))
	}
	return n
}

func messageBound(m *rein.Message) int64 {
	n := perMessage + int64(len(m.Text)+len(m.CallID)) + perImage*int64(len(m.Images))
	if m.Raw != nil {
		n += int64(len(m.Raw.Data))
	}
	for _, c := range m.Calls {
		n += perMessage + int64(len(c.ID)+len(c.Name)+len(c.Args))
	}
	return n
}

// OutputBound is the most tokens that the reply to a prompt can be.
func OutputBound(p rein.Prompt, info rein.ModelInfo) int64 {
	bound := info.MaxOutput
	if bound <= 0 {
		bound = DefaultMaxOutput
	}
	if p.MaxTokens > 0 {
		bound = min(bound, p.MaxTokens)
	}
	return bound
}

// ModelBound is the most that one model call can cost.
func ModelBound(p rein.Prompt, tools []rein.Tool, info rein.ModelInfo, timeout time.Duration) rein.Amount {
	return BoundOf(InputBound(p.Messages, tools, p.Schema), p, info, timeout)
}

// BoundOf is ModelBound of a prompt whose InputBound is known.
func BoundOf(in int64, p rein.Prompt, info rein.ModelInfo, timeout time.Duration) rein.Amount {
	out := OutputBound(p, info)
	return rein.Amount{Tokens: in + out, Micros: CostBound(info, in, out), DrivenMS: timeout.Milliseconds()}
}

// Reserve is what each run of a tree sets aside when it starts, so that it can still give an answer
// when the budget is spent. It is small, and the same for every run of the tree.
func Reserve(cap rein.Amount, info rein.ModelInfo) rein.Amount {
	const tokens, share = 4096, 16
	r := rein.Amount{Tokens: min(tokens, cap.Tokens/share), DrivenMS: min(30_000, cap.DrivenMS/share)}
	r.Micros = min(CostBound(info, r.Tokens, r.Tokens), cap.Micros/share)
	return r
}

// CutUsage guesses what a call took that was cut: its input, and what it had said. It is never more than
// the bound.
func CutUsage(bound rein.Amount, r rein.ModelRequest, said string) rein.Usage {
	const perToken = 4 // bytes, as EstimateTokens counts them
	in := EstimateTokens(r.Messages) + int64(len(r.Schema))/perToken
	for _, t := range r.Offered {
		in += int64(len(t.Name)+len(t.Description)+len(t.Schema)) / perToken
	}
	in = min(in, bound.Tokens)
	return rein.Usage{Input: in, Output: min(int64(len(said)+perToken-1)/perToken, bound.Tokens-in)}
}

// Settle turns what a call was allowed and what it took into the change of the ledger and the part
// that went beyond the bound. Rounds, calls and runs are used once they are reserved.
func Settle(bound rein.Amount, usage *rein.Usage, took time.Duration) (change, overrun rein.Amount) {
	used := bound
	if usage != nil {
		used.Tokens, used.Micros = max(usage.Input, 0)+max(usage.Output, 0), max(usage.Micros, 0)
	}
	// The deadline is what bounds time; the moments after it in which the call is being ended are not
	// the call's.
	used.DrivenMS = min(bound.DrivenMS, max(took.Milliseconds(), 0))
	change = used.Minus(bound)
	return change, change.Positive()
}
