package guard_test

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rein"
	"rein/engine/guard"
)

func TestCostCountsCachedPartsAndRoundsUp(t *testing.T) {
	plain := rein.ModelInfo{InputMicros: 3_000_000, OutputMicros: 15_000_000}
	caching := rein.ModelInfo{InputMicros: 3_000_000, OutputMicros: 15_000_000, CachedMicros: 300_000, CacheWriteMicros: 3_750_000}
	for _, tc := range []struct {
		name string
		info rein.ModelInfo
		use  rein.Usage
		want int64
	}{
		{"nothing", plain, rein.Usage{}, 0},
		{"no price", rein.ModelInfo{}, rein.Usage{Input: 1 << 40, Output: 1 << 40}, 0},
		{"input and output", plain, rein.Usage{Input: 1000, Output: 100}, 4500},
		{"rounded up", rein.ModelInfo{InputMicros: 1}, rein.Usage{Input: 1}, 1},
		{"not rounded if exact", rein.ModelInfo{InputMicros: 1}, rein.Usage{Input: 2_000_000}, 2},
		{"rounded once", rein.ModelInfo{InputMicros: 1, OutputMicros: 1}, rein.Usage{Input: 1, Output: 1}, 1},
		{"cached without a price of its own", plain, rein.Usage{Input: 1000, Cached: 900}, 3000},
		{"cached", caching, rein.Usage{Input: 1000, Cached: 900}, 570},
		{"written", caching, rein.Usage{Input: 1000, CacheWrite: 800}, 3600},
		{"both", caching, rein.Usage{Input: 1000, Cached: 500, CacheWrite: 400, Output: 10}, 2100},
		{"reasoning is part of the output", plain, rein.Usage{Output: 100, Reasoning: 90}, 1500},
		{"more cached than there is", caching, rein.Usage{Input: 10, Cached: 50, CacheWrite: 50}, 3},
		{"below zero", caching, rein.Usage{Input: -5, Cached: -5, CacheWrite: -5, Output: -5}, 0},
		{"too much to write down", rein.ModelInfo{InputMicros: math.MaxInt64, OutputMicros: math.MaxInt64}, rein.Usage{Input: math.MaxInt64, Output: math.MaxInt64}, math.MaxInt64},
	} {
		if got := guard.Cost(tc.info, tc.use); got != tc.want {
			t.Errorf("%s: Cost = %d, want %d", tc.name, got, tc.want)
		}
	}
}

func TestCostIsExactAndWithinItsBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n := func(bits int) int64 { return r.Int64N(1 << (1 + r.IntN(bits))) }
		info := rein.ModelInfo{InputMicros: n(40), OutputMicros: n(40), CachedMicros: n(40), CacheWriteMicros: n(40)}
		u := rein.Usage{Input: n(40), Output: n(40), Cached: n(40), CacheWrite: n(40)}
		got := guard.Cost(info, u)
		if want := exactCost(info, u); got != want {
			t.Fatalf("Cost(%+v, %+v) = %d, want %d", info, u, got, want)
		}
		if bound := guard.CostBound(info, u.Input, u.Output); got > bound {
			t.Fatalf("Cost(%+v, %+v) = %d, above its bound %d", info, u, got, bound)
		}
	}
}

// exactCost is Cost in numbers of any size.
func exactCost(info rein.ModelInfo, u rein.Usage) int64 {
	cached := min(u.Cached, u.Input)
	written := min(u.CacheWrite, u.Input-cached)
	sum := new(big.Int)
	for _, part := range [][2]int64{
		{u.Input - cached - written, info.InputMicros},
		{cached, cmp.Or(info.CachedMicros, info.InputMicros)},
		{written, cmp.Or(info.CacheWriteMicros, info.InputMicros)},
		{u.Output, info.OutputMicros},
	} {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(part[0]), big.NewInt(part[1])))
	}
	sum.Add(sum, big.NewInt(999_999)).Div(sum, big.NewInt(1_000_000))
	if !sum.IsInt64() {
		return math.MaxInt64
	}
	return sum.Int64()
}
