package quant

import (
	"math"
	"math/rand/v2"
	"testing"
)

func unit(random *rand.Rand, dimension int) []float32 {
	vector := make([]float32, dimension)
	var squares float64
	for i := range vector {
		v := random.NormFloat64()
		vector[i] = float32(v)
		squares += v * v
	}
	for i := range vector {
		vector[i] /= float32(math.Sqrt(squares))
	}
	return vector
}

// cosine is about that of the vectors that a and b were made of, if those were one long.
func cosine(a, b Vector) float32 { return float32(dot(a.Values, b.Values)) * a.Scale * b.Scale }

func TestRoundingIsSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		a, b := unit(random, 384), unit(random, 384)
		qa, qb := Of(a), Of(b)
		for i, v := range qa.Values {
			if off := math.Abs(float64(float32(v)*qa.Scale - a[i])); off > float64(qa.Scale)*0.5001 {
				t.Fatalf("component %d is off by %g; the scale is %g", i, off, qa.Scale)
			}
		}
		var exact float64
		for i := range a {
			exact += float64(a[i]) * float64(b[i])
		}
		if got := float64(cosine(qa, qb)); math.Abs(got-exact) > 0.003 {
			t.Fatalf("cosine is %f; want %f", got, exact)
		}
		if got := cosine(qa, qa); math.Abs(float64(got)-1) > 0.003 {
			t.Fatalf("cosine with itself is %f", got)
		}
	}
}

func TestOddVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name   string
		vector []float32
		want   []int8
	}{
		{"none", nil, nil},
		{"zero", []float32{0, 0}, []int8{0, 0}},
		{"opposite", []float32{1, -1, 0.5, -0.5}, []int8{127, -127, 64, -64}},
		{"not a number", []float32{nan, 2, -1}, []int8{0, 127, -64}},
		{"infinite", []float32{inf, -inf, 3}, []int8{0, 0, 127}},
		{"tiny", []float32{math.SmallestNonzeroFloat32, 0}, []int8{127, 0}},
		{"huge", []float32{math.MaxFloat32, -math.MaxFloat32}, []int8{127, -127}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Of(test.vector).Values
			if len(got) != len(test.want) {
				t.Fatalf("got %v; want %v", got, test.want)
			}
			for i := range got {
				if got[i] != test.want[i] {
					t.Fatalf("got %v; want %v", got, test.want)
				}
			}
		})
	}
}
