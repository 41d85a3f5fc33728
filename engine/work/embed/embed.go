// Package embed makes vectors for any number of texts. It sends them in batches at the pace the
// provider allows, retries what can succeed later, and checks what comes back.
package embed

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/pace"
)

// What one request may hold. Servers take between 100 and 2,048 texts; together they must not be
// larger than what a provider reads at once.
const (
	batchTexts = 96
	batchBytes = 256 << 10
)

// An Embedder is a rein.Embedder in front of one that makes a single request. It is safe for use by
// many at once.
type Embedder struct {
	// Of is asked for each batch.
	Of rein.Embedder
	// Pace keeps the requests within what the provider allows, together with those of runs; nil lets
	// all of them through.
	Pace *pace.Limiter
	// Owner says whose turns at the provider a request takes; nil: nobody's.
	Owner func(context.Context) (household, user string)
	// Estimate guesses the tokens of a request for pacing, by the model's name; nil counts bytes.
	Estimate func(model string, r rein.ModelRequest) int64
	// Charge counts what each request uses; nil counts nothing.
	Charge Charge
	// Timeout bounds one request; zero means 1 minute.
	Timeout time.Duration

	dimension atomic.Int64 // of the first vector that came
}

var _ rein.Embedder = (*Embedder)(nil)

// Info implements rein.Embedder.
func (e *Embedder) Info() rein.ModelInfo { return e.Of.Info() }

// Space implements rein.Embedder.
func (e *Embedder) Space() rein.Space {
	s := e.Of.Space()
	if s.Dimension == 0 {
		s.Dimension = int(e.dimension.Load())
	}
	return s
}

// Embed implements rein.Embedder. It waits for its turn and before another try for as long as the
// context lets it. The usage is of all batches, with what they cost.
func (e *Embedder) Embed(ctx context.Context, texts []string) (rein.Embedding, error) {
	all := rein.Embedding{Vectors: make([][]float32, 0, len(texts))}
	if i := slices.Index(texts, ""); i >= 0 {
		return rein.Embedding{}, rein.Errorf(rein.CodeInvalid, "text %d of %d is empty: it has no meaning to make a vector of", i+1, len(texts))
	}
	for len(texts) > 0 {
		n := batch(texts)
		made, err := e.persist(ctx, texts[:n])
		if err != nil {
			return rein.Embedding{}, err
		}
		all.Vectors = append(all.Vectors, made.Vectors...)
		all.Usage, all.Pace = sum(all.Usage, made.Usage), made.Pace
		texts = texts[n:]
	}
	if all.Usage != nil && all.Usage.Micros == 0 {
		all.Usage.Micros = guard.Cost(e.Info(), *all.Usage)
	}
	return all, nil
}

// batch is how many of the texts go into the next request: one at least.
func batch(texts []string) int {
	n, bytes := 0, 0
	for n < min(len(texts), batchTexts) {
		if bytes += len(texts[n]); n > 0 && bytes > batchBytes {
			break
		}
		n++
	}
	return n
}

func sum(total, more *rein.Usage) *rein.Usage {
	switch {
	case more == nil:
		return total
	case total == nil:
		total = &rein.Usage{}
	}
	total.Input += more.Input
	total.Micros += more.Micros
	return total
}

// persist asks until it works or will not.
func (e *Embedder) persist(ctx context.Context, texts []string) (rein.Embedding, error) {
	began, waited := time.Now(), time.Duration(0)
	for try := 1; ; try++ {
		made, err := e.Once(ctx, texts)
		if err == nil {
			return made, nil
		}
		failed, ok := errors.AsType[*rein.Error](err)
		if !ok || ctx.Err() != nil {
			return made, err
		}
		wait, again := guard.Retry(failed, try, time.Since(began)-waited, rand.Float64())
		if !again {
			return made, err
		}
		if sleep(ctx, wait) != nil {
			return made, err // says more than that the time is over
		}
		if failed.RetryAfter > 0 {
			waited += wait // it is the provider's wish and does not count
		}
	}
}

// Once waits for its turn and makes one request, without another try.
func (e *Embedder) Once(ctx context.Context, texts []string) (rein.Embedding, error) {
	ticket, flight, err := e.turn(ctx, texts)
	if err != nil {
		return rein.Embedding{}, err
	}
	defer flight.Land()
	charged, err := e.reserve(ctx, texts)
	if err != nil {
		ticket.Done(0, nil)
		return rein.Embedding{}, err
	}
	limit := e.Timeout
	if limit <= 0 {
		limit = time.Minute
	}
	calling, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	made, err := e.Of.Embed(calling, texts)
	settle(ticket, made, err)
	charged(made, err)
	if err == nil {
		err = e.check(texts, made)
	}
	return made, err
}

// turn waits for the provider to take a request, and then for a place among the calls under way.
func (e *Embedder) turn(ctx context.Context, texts []string) (pace.Ticket, *pace.Flight, error) {
	if e.Pace == nil {
		return pace.Ticket{}, nil, nil
	}
	info := e.Info()
	want := pace.Want{Run: "embeddings", Local: info.Local, Tokens: e.tokens(info.Name, texts)}
	if e.Owner != nil {
		want.Household, want.User = e.Owner(ctx)
	}
	ticket, err := e.Pace.Wait(ctx, info.Account, info.Name, want, nil)
	if err != nil {
		return pace.Ticket{}, nil, err
	}
	flight, err := e.Pace.Board(info.Account, want, func(ready <-chan struct{}) error {
		select {
		case <-ready:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	if err != nil {
		ticket.Done(0, nil)
	}
	return ticket, flight, err
}

func (e *Embedder) tokens(model string, texts []string) int64 {
	r := rein.ModelRequest{Prompt: rein.Prompt{MaxTokens: 1}} // there is no reply
	for _, text := range texts {
		r.Messages = append(r.Messages, rein.Message{Text: text})
	}
	if e.Estimate == nil {
		return guard.EstimateTokens(r.Messages)
	}
	return e.Estimate(model, r)
}

// settle tells the limiter what came of the request.
func settle(ticket pace.Ticket, made rein.Embedding, err error) {
	failed, ok := errors.AsType[*rein.Error](err)
	switch {
	case ok && failed.Code == rein.CodeRateLimited:
		ticket.Refused(failed.RetryAfter, failed.Pace)
	case ok:
		ticket.Done(0, failed.Pace)
	case made.Usage != nil:
		ticket.Done(made.Usage.Input, made.Pace)
	default:
		ticket.Done(-1, made.Pace)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
