package quant

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func bytes(random *rand.Rand, n int) []int8 {
	values := make([]int8, n)
	for i := range values {
		values[i] = int8(random.IntN(256) - 128)
	}
	return values
}

// naive is what a product is.
func naive(a, b []int8) int32 {
	var sum int32
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

// dot is the product of two vectors.
func dot(a, b []int8) int32 {
	var out [1]int32
	DotRows(out[:], a, b)
	return out[0]
}

func TestDotIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, dimension := range []int{1, 3, 15, 16, 17, 31, 32, 100, 384, 385, 1536} {
		for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 33} {
			query, rows := bytes(random, dimension), bytes(random, dimension*count)
			fast, portable := make([]int32, count), make([]int32, count)
			DotRows(fast, query, rows)
			dotRowsPortable(portable, query, rows)
			for i := range count {
				row := rows[i*dimension:][:dimension]
				want := naive(query, row)
				if fast[i] != want || portable[i] != want {
					t.Fatalf("dimension %d, row %d of %d: %d, portable %d; want %d",
						dimension, i, count, fast[i], portable[i], want)
				}
			}
		}
	}
}

func TestDotOfExtremes(t *testing.T) {
	const dimension = 4096
	low, high := make([]int8, dimension), make([]int8, dimension)
	for i := range low {
		low[i], high[i] = -128, 127
	}
	for _, pair := range [][2][]int8{{low, low}, {low, high}, {high, high}} {
		if got, want := dot(pair[0], pair[1]), naive(pair[0], pair[1]); got != want {
			t.Errorf("dot(%d..., %d...) = %d; want %d", pair[0][0], pair[1][0], got, want)
		}
	}
}

func TestDotOfNothing(t *testing.T) {
	out := []int32{7}
	if DotRows(out, nil, nil); out[0] != 0 {
		t.Errorf("the product of vectors without components is %d; want 0", out[0])
	}
}

func TestDotRowsChecksLengths(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("rows that are too short were read")
		}
	}()
	DotRows(make([]int32, 2), make([]int8, 384), make([]int8, 2*384-1))
}

// BenchmarkDotRows reads rows that lie in the processor's cache and rows that do not, on one core.
func BenchmarkDotRows(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, set := range []struct {
		name string
		dot  func([]int32, []int8, []int8)
	}{{"fastest", DotRows}, {"portable", dotRowsPortable}} {
		for _, count := range []int{64, 100_000} {
			b.Run(fmt.Sprintf("%s/rows=%d", set.name, count), func(b *testing.B) {
				query, rows := bytes(random, 384), bytes(random, 384*count)
				out := make([]int32, count)
				b.SetBytes(int64(len(rows)))
				for b.Loop() {
					set.dot(out, query, rows)
				}
			})
		}
	}
}
