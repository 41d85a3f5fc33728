package minilm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func randoms(random *rand.Rand, n int, deviation float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * deviation)
	}
	return values
}

func compare(t *testing.T, what string, want, got []float32, tolerance float64) {
	t.Helper()
	for i := range want {
		if off := math.Abs(float64(want[i] - got[i])); !(off <= tolerance) { // so that NaN is not right
			t.Fatalf("%s: number %d is %g; want %g", what, i, got[i], want[i])
		}
	}
}

// Both sets have the same bits here: each weight is rounded once.
//
// Plain: arithmetic in one goroutine; TestConcurrentUse is under the race detector.
func TestUnpack(t *testing.T) {
	w, err := readWeights(blob)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*matrix{&w.layers[0].query, &w.layers[3].up, &w.layers[5].down} {
		want, got := make([]float32, m.inputs*panelWidth), make([]float32, m.inputs*panelWidth)
		for row := 0; row < m.outputs; row += panelWidth {
			portable.unpack(want, m, row)
			fastest().unpack(got, m, row)
			if !cmp.Equal(want, got) {
				t.Fatalf("rows from %d on of a matrix of %d × %d differ", row, m.outputs, m.inputs)
			}
		}
	}
}

// unpackPortable against the format as data/PROVENANCE.md describes it.
func TestUnpackedWeights(t *testing.T) {
	w, err := readWeights(blob)
	if err != nil {
		t.Fatal(err)
	}
	m := &w.layers[2].down
	panel := make([]float32, m.inputs*panelWidth)
	const row = 32
	portable.unpack(panel, m, row)
	for _, at := range []struct{ lane, input int }{{0, 0}, {0, 1}, {5, 31}, {15, 32}, {7, 1535}} {
		pair := m.nibbles[(row+at.lane)*m.inputs/2+at.input/2]
		nibble := int(pair>>(4*(at.input%2))) & 15
		scale := m.scales[row*m.inputs/blockSize+at.input/blockSize*panelWidth+at.lane]
		if got, want := panel[at.input*panelWidth+at.lane], float32(nibble-8)*scale; got != want {
			t.Errorf("output %d, input %d: %g; want %g", row+at.lane, at.input, got, want)
		}
	}
}

func TestMultiply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for name, k := range map[string]kernels{"portable": portable, "fastest": fastest()} {
		for _, rows := range []int{4, 6, 8, 10, 12, 14, 16, 22, 256} {
			for _, depth := range []int{1, 2, 17, 32} {
				t.Run(fmt.Sprintf("%s/%dx%d", name, rows, depth), func(t *testing.T) { multiplyOnce(t, random, k, rows, depth) })
			}
		}
	}
}

// multiplyOnce compares with the plain sums, and sees that nothing beside the tile is written.
func multiplyOnce(t *testing.T, random *rand.Rand, k kernels, rows, depth int) {
	const outWidth, untouched = panelWidth + 3, 12345
	inWidth := depth + 5
	x := tile{
		out: make([]float32, rows*outWidth), outWidth: outWidth,
		in: randoms(random, rows*inWidth, 1), inWidth: inWidth,
		rows: rows, depth: depth,
		panel: randoms(random, depth*panelWidth, 1), start: randoms(random, panelWidth, 1),
	}
	want := make([]float32, rows*outWidth)
	for i := range want {
		x.out[i], want[i] = untouched, untouched
	}
	for row := range rows {
		for column := range panelWidth {
			sum := float64(x.start[column])
			for i := range depth {
				sum += float64(x.in[row*inWidth+i]) * float64(x.panel[i*panelWidth+column])
			}
			want[row*outWidth+column] = float32(sum)
		}
	}
	k.multiply(x)
	compare(t, "product", want, x.out, 1e-5)
}

func TestGelu(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	input := append(randoms(random, 1000, 3), 0, -0.0001, 12, -12, 80, -80, 3e5, -3e5)
	want := make([]float32, len(input))
	for i, v := range input {
		want[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
	for name, k := range map[string]kernels{"portable": portable, "fastest": fastest()} {
		got := append([]float32(nil), input...)
		k.gelu(got)
		compare(t, name, want, got, 3e-6)
	}
}

func TestSoftmax(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	const scale = 0.17677669
	for _, n := range []int{1, 2, 15, 16, 17, 200, 256} {
		input := randoms(random, paddedColumns(n), 40)
		want := make([]float32, len(input))
		var sum float64
		for _, v := range input[:n] {
			sum += math.Exp(float64(v) * scale)
		}
		for i, v := range input[:n] {
			want[i] = float32(math.Exp(float64(v)*scale) / sum)
		}
		for name, k := range map[string]kernels{"portable": portable, "fastest": fastest()} {
			got := append([]float32(nil), input...)
			k.softmax(got, n, scale)
			compare(t, fmt.Sprint(name, " of ", n), want[:n], got, 1e-6)
		}
	}
}

func TestAddNorm(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	x, y := randoms(random, hidden, 3), randoms(random, hidden, 1)
	n := layerNorm{weight: randoms(random, hidden, 1), bias: randoms(random, hidden, 1)}
	var mean, variance float64
	for i := range x {
		mean += float64(x[i]+y[i]) / hidden
	}
	for i := range x {
		variance += math.Pow(float64(x[i]+y[i])-mean, 2) / hidden
	}
	want := make([]float32, hidden)
	for i := range x {
		want[i] = float32((float64(x[i]+y[i])-mean)/math.Sqrt(variance)*float64(n.weight[i]) + float64(n.bias[i]))
	}
	for name, k := range map[string]kernels{"portable": portable, "fastest": fastest()} {
		got := append([]float32(nil), x...)
		k.addNorm(got, y, n)
		compare(t, name, want, got, 1e-5)
		same := make([]float32, hidden)
		k.addNorm(same, make([]float32, hidden), n)
		compare(t, name+" without variance", n.bias, same, 1e-6)
	}
}

// The whole model, number by number, on both sets. Three texts reach all ends of rows and columns.
//
// Plain: arithmetic in one goroutine; TestConcurrentUse is under the race detector.
func TestKernelsAgree(t *testing.T) {
	texts := []string{"a", "Backups are written to the NAS at 3 in the morning.", "x y z w v u t s r q p o n m l k j"}
	want := embedAll(t, newModel(portable, 2), texts...)
	for i, got := range embedAll(t, newModel(fastest(), 2), texts...) {
		compare(t, texts[i], want[i], got, 1e-4)
	}
}
