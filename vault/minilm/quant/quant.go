// Package quant stores vectors as signed bytes, a quarter of the memory of floats, and compares
// many of them with one quickly. It does not depend on a model.
package quant

import "math"

// A Vector is Scale times Values.
type Vector struct {
	Values []int8
	Scale  float32
}

// largest is the value that the largest component gets. Minus 128 is never used, so that a vector and
// its opposite have opposite values.
const largest = 127

// Of rounds a vector to bytes. The scale fits its largest component: those of vectors that are one
// long in hundreds of dimensions are small, and a common scale would waste most of the bits. What is
// not a finite number counts as zero.
func Of(vector []float32) Vector {
	var reach float32
	for _, v := range vector {
		reach = max(reach, magnitude(v))
	}
	q := Vector{Values: make([]int8, len(vector)), Scale: reach / largest}
	if reach == 0 {
		return q
	}
	for i, v := range vector {
		if magnitude(v) > 0 {
			q.Values[i] = int8(math.RoundToEven(float64(v) / float64(reach) * largest))
		}
	}
	return q
}

// magnitude is zero for what is not a finite number.
func magnitude(v float32) float32 {
	if v-v != 0 {
		return 0
	}
	return float32(math.Abs(float64(v)))
}
