package guard

import (
	"math"
	"math/bits"

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

// A bill adds up tokens times prices of a million, in 128 bits: it is exact for all numbers.
type bill struct{ high, low uint64 }

func (b *bill) add(tokens, price int64) {
	if tokens <= 0 || price <= 0 {
		return
	}
	high, low := bits.Mul64(uint64(tokens), uint64(price))
	var carry uint64
	b.low, carry = bits.Add64(b.low, low, 0)
	b.high, _ = bits.Add64(b.high, high, carry)
}

func (b *bill) total() int64 {
	const million = 1_000_000
	if b.high >= million {
		return math.MaxInt64
	}
	micros, rest := bits.Div64(b.high, b.low, million)
	if rest > 0 {
		micros++
	}
	return int64(min(micros, math.MaxInt64))
}
