package guard

import (
	"math"

	"rein"
)

// Cost is what a call cost, in millionths of the currency unit, rounded up. Input that was read from
// the provider's cache or written to it has prices of its own, which are those of input if the model
// has none. Parts that are more than the whole are taken as the whole.
func Cost(info rein.ModelInfo, u rein.Usage) int64 {
	input := max(u.Input, 0)
	cached := min(max(u.Cached, 0), input)
	written := min(max(u.CacheWrite, 0), input-cached)
	var sum bill
	sum.add(input-cached-written, info.InputMicros)
	sum.add(cached, orInput(info.CachedMicros, info))
	sum.add(written, orInput(info.CacheWriteMicros, info))
	sum.add(u.Output, info.OutputMicros)
	return sum.total()
}

// CostBound is the most that so many tokens can cost, whatever part of them is cached: writing to a
// cache can cost more than input does.
func CostBound(info rein.ModelInfo, in, out int64) int64 {
	var sum bill
	sum.add(in, max(info.InputMicros, info.CachedMicros, info.CacheWriteMicros))
	sum.add(out, info.OutputMicros)
	return sum.total()
}

func orInput(price int64, info rein.ModelInfo) int64 {
	if price > 0 {
		return price
	}
	return info.InputMicros
}

// A bill adds up tokens times prices of a million. It is exact: what is less than a millionth is
// kept until the end. A sum that is too large to be written down is the largest there is.
type bill struct{ micros, parts int64 } // parts are millionths of a millionth

func (b *bill) add(tokens, price int64) {
	const million = 1_000_000
	if tokens <= 0 || price <= 0 {
		return
	}
	a, r := tokens/million, tokens%million
	c, s := price/million, price%million
	// tokens·price/million, multiplied out so that nothing is lost
	b.micros = plus(b.micros, times(times(a, c), million))
	b.micros = plus(b.micros, plus(times(a, s), times(r, c)))
	b.parts += r * s
}

func (b *bill) total() int64 {
	const million = 1_000_000
	return plus(b.micros, (b.parts+million-1)/million)
}

// plus and times are of numbers that are not below zero.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
