package minilm

import "math"

// attentionScale keeps the scores of a head from growing with its size.
var attentionScale = float32(1 / math.Sqrt(headSize))

const queryKeyValue = 3 * hidden

var noBias [panelWidth]float32

// attend is the first half of a layer: each token looks at all others, with each head for itself. The
// wide buffer has the rows of query, key and value first and then those of what the heads found.
func (p pass) attend(l *layer) {
	rows := paddedRows(p.tokens)
	qkv, found := p.wide[:rows*queryKeyValue], p.wide[rows*queryKeyValue:][:rows*hidden]
	p.crew.run(heads, func(d *desk, head int) {
		from := head * headSize
		for i, m := range []*matrix{&l.query, &l.key, &l.value} {
			for column := from; column < from+headSize; column += panelWidth {
				p.apply(d, m, column, qkv[i*hidden+column:], queryKeyValue, p.x)
			}
		}
		p.score(d, qkv[from:])
		p.gather(d, found[from:], qkv[2*hidden+from:])
	})
	p.applyAll(&l.output, p.y, found)
	p.settle(l.attentionNorm)
}

// score computes how much each token attends to each other, for the head whose query columns come first.
func (p pass) score(d *desk, query []float32) {
	columns := paddedColumns(p.tokens)
	packKeys(d.packed, query[hidden:], p.tokens)
	for column := 0; column < columns; column += panelWidth {
		p.multiply(tile{
			out: d.scores[column:], outWidth: columns,
			in: query, inWidth: queryKeyValue,
			rows: paddedRows(p.tokens), depth: headSize,
			panel: d.packed[column*headSize:], start: noBias[:],
		})
	}
	for i := range p.tokens {
		p.softmax(d.scores[i*columns:][:columns], p.tokens, attentionScale)
	}
}

// gather adds up the values of the tokens that each token attends to.
func (p pass) gather(d *desk, found, value []float32) {
	for half := 0; half < headSize; half += panelWidth {
		packValues(d.packed, value[half:], p.tokens)
		p.multiply(tile{
			out: found[half:], outWidth: hidden,
			in: d.scores, inWidth: paddedColumns(p.tokens),
			rows: paddedRows(p.tokens), depth: p.tokens,
			panel: d.packed, start: noBias[:],
		})
	}
}

// packKeys writes keys as panels: 16 tokens side by side. The last panel may have lanes of no token,
// whose scores softmax leaves out.
func packKeys(panels, key []float32, tokens int) {
	for token := range tokens {
		panel := panels[token/panelWidth*panelWidth*headSize:][:panelWidth*headSize]
		lane := token % panelWidth
		for d, v := range key[token*queryKeyValue:][:headSize] {
			panel[d*panelWidth+lane] = v
		}
	}
}

// packValues writes 16 columns of the values as a panel: a row for each token.
func packValues(panel, value []float32, tokens int) {
	for token := range tokens {
		copy(panel[token*panelWidth:][:panelWidth], value[token*queryKeyValue:])
	}
}
