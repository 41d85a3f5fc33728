package minilm

import (
	"context"
	"math"
)

// A pass takes the tokens of one text through the model. Padding rows have what texts before left in
// the arena: no other row depends on them, and nobody looks at them.
type pass struct {
	*weights
	kernels
	*arena
	*crew
	tokens int
}

// vector returns the mean of the last layer's rows, made one long.
func (p pass) vector(ctx context.Context) ([]float32, error) {
	p.look()
	for i := range p.layers {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l := &p.layers[i]
		p.attend(l)
		p.think(l)
	}
	return p.mean(), nil
}

// look writes the embeddings of words and positions into x.
func (p pass) look() {
	for i, id := range p.ids {
		row := p.x[i*hidden:][:hidden]
		word := p.weights.words[int(id)*hidden:][:hidden]
		scale := p.wordScales[id]
		for j := range row {
			row[j] = float32(int8(word[j])) * scale
		}
		p.addNorm(row, p.positions[i*hidden:][:hidden], p.weights.norm)
	}
}

// The inner layer is made in parts of upColumns.
const upColumns = 8 * panelWidth

// think is the second half of a layer: each token for itself.
func (p pass) think(l *layer) {
	p.crew.run(inner/upColumns, func(d *desk, part int) {
		from := part * upColumns
		for column := from; column < from+upColumns; column += panelWidth {
			p.apply(d, &l.up, column, p.wide[column:], inner, p.x)
		}
		for i := range p.tokens {
			p.gelu(p.wide[i*inner+from:][:upColumns])
		}
	})
	p.applyAll(&l.down, p.y, p.wide)
	p.settle(l.norm)
}

// settle adds y to x and normalises.
func (p pass) settle(n layerNorm) {
	for i := range p.tokens {
		p.addNorm(p.x[i*hidden:][:hidden], p.y[i*hidden:][:hidden], n)
	}
}

// applyAll computes out = in · wᵀ + bias.
func (p pass) applyAll(w *matrix, out, in []float32) {
	p.crew.run(w.outputs/panelWidth, func(d *desk, part int) {
		p.apply(d, w, part*panelWidth, out[part*panelWidth:], w.outputs, in)
	})
}

// apply computes 16 columns of in · wᵀ + bias, those of the outputs from row on, with width columns from
// one row of out to the next.
func (p pass) apply(d *desk, w *matrix, row int, out []float32, width int, in []float32) {
	p.unpack(d.panel, w, row)
	p.multiply(tile{
		out: out, outWidth: width,
		in: in, inWidth: w.inputs,
		rows: paddedRows(p.tokens), depth: w.inputs,
		panel: d.panel, start: w.bias[row:],
	})
}

func (p pass) mean() []float32 {
	vector := make([]float32, hidden)
	for i := range p.tokens {
		for j, v := range p.x[i*hidden:][:hidden] {
			vector[j] += v
		}
	}
	var squares float64
	for _, v := range vector {
		squares += float64(v) * float64(v)
	}
	scale := float32(1 / math.Sqrt(squares))
	for j := range vector {
		vector[j] *= scale
	}
	return vector
}
