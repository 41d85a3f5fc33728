package minilm

import "math"

// attentionScale keeps the scores of a head from growing with its size.
var attentionScale = float32(1 / math.Sqrt(headSize))

const queryKeyValue = 3 * hidden

var noBias [panelWidth]float32

// attend is the first half of a layer: each token looks at all others. The wide buffer has the rows of
// query, key and value first and then those of what the heads found.
func (p pass) attend(l *layer) {
	rows := paddedRows(p.tokens)
	qkv, found := p.wide[:rows*queryKeyValue], p.wide[rows*queryKeyValue:][:rows*hidden]
	p.apply(&l.query, qkv, queryKeyValue, p.x)
	p.apply(&l.key, qkv[hidden:], queryKeyValue, p.x)
	p.apply(&l.value, qkv[2*hidden:], queryKeyValue, p.x)
	for head := range heads {
		p.score(qkv[head*headSize:])
		p.gather(found[head*headSize:], qkv[2*hidden+head*headSize:])
	}
	p.apply(&l.output, p.y, hidden, found)
	p.settle(l.attentionNorm)
}

// score computes how much each token attends to each other, for the head whose query columns come first.
func (p pass) score(query []float32) {
	columns := paddedColumns(p.tokens)
	packKeys(p.packed, query[hidden:], p.tokens)
	for column := 0; column < columns; column += panelWidth {
		p.multiply(tile{
			out: p.scores[column:], outWidth: columns,
			in: query, inWidth: queryKeyValue,
			rows: paddedRows(p.tokens), depth: headSize,
			panel: p.packed[column*headSize:], start: noBias[:],
		})
	}
	for i := range p.tokens {
		p.softmax(p.scores[i*columns:][:columns], p.tokens, attentionScale)
	}
}

// gather adds up the values of the tokens that each token attends to.
func (p pass) gather(found, value []float32) {
	for half := 0; half < headSize; half += panelWidth {
		packValues(p.packed, value[half:], p.tokens)
		p.multiply(tile{
			out: found[half:], outWidth: hidden,
			in: p.scores, inWidth: paddedColumns(p.tokens),
			rows: paddedRows(p.tokens), depth: p.tokens,
			panel: p.packed, start: noBias[:],
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
