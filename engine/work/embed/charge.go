package embed

import (
	"context"
	"time"

	"rein"
	"rein/engine/guard"
)

// A Charge counts what requests use for whoever pays for them. Before a request it is asked for the
// most that it can be, with reserved zero, and may refuse; afterwards it is told what was not used, as
// less than nothing, and when that was reserved.
type Charge func(ctx context.Context, a rein.Amount, reserved time.Time) error

// reserve asks for what a request may use, and returns what to call with what it did.
func (e *Embedder) reserve(ctx context.Context, texts []string) (settle func(rein.Embedding, error), err error) {
	if e.Charge == nil {
		return func(rein.Embedding, error) {}, nil
	}
	in := int64(0) // no tokenizer makes more tokens than there are bytes
	for _, text := range texts {
		in += int64(len(text)) + perText
	}
	bound := rein.Amount{Tokens: in, Micros: guard.CostBound(e.Info(), in, 0)}
	if err := e.Charge(ctx, bound, time.Time{}); err != nil {
		return nil, err
	}
	at := time.Now()
	return func(made rein.Embedding, err error) {
		change := e.used(bound, texts, made, err).Minus(bound)
		_ = e.Charge(context.WithoutCancel(ctx), change, at) // if that fails it stays reserved, which is spent
	}, nil
}

// perText is an upper bound of the tokens that a provider adds to one text.
const perText = 16

// used is what a request took. A provider that refuses one does not charge for it; of any other failure
// nobody knows.
func (e *Embedder) used(bound rein.Amount, texts []string, made rein.Embedding, err error) rein.Amount {
	switch rein.CodeOf(err) {
	case rein.CodeRateLimited, rein.CodeUnauthorized, rein.CodeTooLong, rein.CodeInvalid:
		return rein.Amount{}
	case "":
	default:
		return bound
	}
	usage := rein.Usage{Input: e.tokens(e.Info().Name, texts)}
	if made.Usage != nil {
		usage = *made.Usage
	}
	if usage.Micros == 0 {
		usage.Micros = guard.Cost(e.Info(), usage)
	}
	return rein.Amount{Tokens: usage.Input, Micros: usage.Micros}
}
