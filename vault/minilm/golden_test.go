package minilm

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A golden is a line of testdata/golden.jsonl, which two other implementations of the model have
// written. Of our prototype, with these weights: the IDs with the enclosing ones, the first 16 numbers
// of the vector, and its cosines with the vectors of the lines before, which all of its numbers go
// into. Of ONNX Runtime, with the file that the weights were made of: the first 16 numbers. Hugging
// Face's tokenizer gives the same IDs, but lets a text write [CLS] and the like.
type golden struct {
	Text    string
	IDs     []int32
	Head    []float64
	Cosines []float64
	ONNX    []float64
}

func readGolden(t testing.TB) []golden {
	t.Helper()
	file, err := os.Open("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []golden
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if len(all) < 20 {
		t.Fatalf("testdata/golden.jsonl has %d lines; want at least 20", len(all))
	}
	return all
}

func TestGoldenTokens(t *testing.T) {
	m := New()
	for _, g := range readGolden(t) {
		if diff := cmp.Diff(g.IDs, m.words().encode(nil, g.Text, MaxTokens)); diff != "" {
			t.Errorf("%.60q (-want +got):\n%s", g.Text, diff)
		}
	}
}

func TestGoldenVectors(t *testing.T) {
	checkGolden(t, New(), readGolden(t))
}

// The portable kernels are slow, so the long texts are left out.
//
// Plain: arithmetic in one goroutine; TestConcurrentUse is under the race detector.
func TestGoldenVectorsPortable(t *testing.T) {
	short := readGolden(t)[:6]
	checkGolden(t, newModel(portable, 2), short)
}

func checkGolden(t *testing.T, m *Model, all []golden) {
	const (
		tolerance     = 1e-3
		toleranceONNX = 2e-3 // our table of words is rounded to 8 bits
	)
	texts := make([]string, len(all))
	for i, g := range all {
		texts[i] = g.Text
	}
	vectors := embedAll(t, m, texts...)
	for i, g := range all {
		for j := range g.Head {
			got := float64(vectors[i][j])
			if math.Abs(got-g.Head[j]) > tolerance || math.Abs(got-g.ONNX[j]) > toleranceONNX {
				t.Errorf("%.60q: number %d is %f; want %f, ONNX has %f", g.Text, j, got, g.Head[j], g.ONNX[j])
			}
		}
		for j, want := range g.Cosines {
			if got := cosine(vectors[i], vectors[j]); math.Abs(got-want) > tolerance {
				t.Errorf("%.60q and %.60q: cosine is %f; want %f", g.Text, all[j].Text, got, want)
			}
		}
	}
}

// cosine is that of vectors that are one long.
func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
