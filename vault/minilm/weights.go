package minilm

import (
	"math"

	"rein"
)

// The shape of the model.
const (
	hidden    = 384
	inner     = 1536
	heads     = 12
	headSize  = hidden / heads
	layers    = 6
	words     = 30522
	positions = 512
)

// Weights of 4 bits share a scale by blocks of inputs, and outputs are computed by panels.
const (
	blockSize  = 32
	panelWidth = 16
)

// weights are the parameters of the model. What is large stays where the program has it.
type weights struct {
	words      string // a row of signed bytes for each word
	wordScales []float32
	positions  []float32
	norm       layerNorm
	layers     [layers]layer
}

type layer struct {
	query, key, value, output matrix
	attentionNorm             layerNorm
	up, down                  matrix
	norm                      layerNorm
}

// A layerNorm scales and shifts a normalised row.
type layerNorm struct{ weight, bias []float32 }

// A matrix has 4-bit weights, row after row: a row for each output.
type matrix struct {
	outputs, inputs int
	nibbles         string
	scales          []float32 // of each panel, block by block, those of its outputs side by side
	bias            []float32
}

// readWeights reads the format that data/PROVENANCE.md describes.
func readWeights(blob string) (*weights, error) {
	r := &blobReader{rest: blob}
	if r.take(4) != "MLM1" {
		return nil, rein.Errorf(rein.CodeDamaged, "model %s: the weights do not begin with MLM1", modelName)
	}
	w := &weights{
		words:      r.take(words * hidden),
		wordScales: r.floats(words),
		positions:  r.floats(positions * hidden)[: MaxTokens*hidden : MaxTokens*hidden],
		norm:       r.norm(),
	}
	for i := range w.layers {
		w.layers[i] = r.layer()
	}
	if r.short || r.rest != "" {
		return nil, rein.Errorf(rein.CodeDamaged, "model %s: %d bytes of weights are not the right number", modelName, len(blob))
	}
	return w, nil
}

// A blobReader takes parts off the front. Past the end it gives zeros and remembers that it did.
type blobReader struct {
	rest  string
	short bool
}

func (r *blobReader) take(n int) string {
	if n > len(r.rest) {
		r.short = true
		return string(make([]byte, n))
	}
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

func (r *blobReader) floats(n int) []float32 {
	raw := r.take(4 * n)
	values := make([]float32, n)
	for i := range values {
		b := raw[4*i:][:4]
		values[i] = math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}
	return values
}

func (r *blobReader) norm() layerNorm {
	return layerNorm{weight: r.floats(hidden), bias: r.floats(hidden)}
}

func (r *blobReader) layer() layer {
	return layer{
		query:         r.matrix(hidden, hidden),
		key:           r.matrix(hidden, hidden),
		value:         r.matrix(hidden, hidden),
		output:        r.matrix(hidden, hidden),
		attentionNorm: r.norm(),
		up:            r.matrix(inner, hidden),
		down:          r.matrix(hidden, inner),
		norm:          r.norm(),
	}
}

func (r *blobReader) matrix(outputs, inputs int) matrix {
	return matrix{
		outputs: outputs,
		inputs:  inputs,
		nibbles: r.take(outputs * inputs / 2),
		scales:  panelScales(r.floats(outputs*inputs/blockSize), outputs, inputs/blockSize),
		bias:    r.floats(outputs),
	}
}

// panelScales puts the scales of the 16 outputs of a panel side by side, as the kernels use them.
func panelScales(rows []float32, outputs, blocks int) []float32 {
	panels := make([]float32, len(rows))
	for output := range outputs {
		panel, lane := output/panelWidth, output%panelWidth
		for block := range blocks {
			panels[(panel*blocks+block)*panelWidth+lane] = rows[output*blocks+block]
		}
	}
	return panels
}
