package minilm

import "math"

// portable is the set for processors that have none of their own.
var portable = kernels{
	unpack:   unpackPortable,
	multiply: multiplyPortable,
	gelu:     geluPortable,
	softmax:  softmaxPortable,
	addNorm:  addNormPortable,
}

func unpackPortable(panel []float32, w *matrix, row int) {
	blocks := w.inputs / blockSize
	scales := w.scales[row*blocks:]
	for lane := range panelWidth {
		nibbles := w.nibbles[(row+lane)*w.inputs/2:][:w.inputs/2]
		for block := range blocks {
			scale := scales[block*panelWidth+lane]
			out := panel[block*blockSize*panelWidth+lane:]
			for i, pair := range []byte(nibbles[block*blockSize/2:][:blockSize/2]) {
				out[2*i*panelWidth] = float32(int(pair&15)-8) * scale
				out[(2*i+1)*panelWidth] = float32(int(pair>>4)-8) * scale
			}
		}
	}
}

// multiplyPortable keeps two rows of four sums in registers.
func multiplyPortable(t tile) {
	panel := t.panel[:t.depth*panelWidth]
	for row := 0; row < t.rows; row += 2 {
		in0 := t.in[row*t.inWidth:][:t.depth]
		in1 := t.in[(row+1)*t.inWidth:][:t.depth]
		out0 := t.out[row*t.outWidth:][:panelWidth]
		out1 := t.out[(row+1)*t.outWidth:][:panelWidth]
		for column := 0; column < panelWidth; column += 4 {
			multiply2x4(out0[column:][:4], out1[column:][:4], in0, in1, panel[column:], t.start[column:][:4])
		}
	}
}

func multiply2x4(out0, out1, in0, in1, panel, start []float32) {
	s0, s1, s2, s3 := start[0], start[1], start[2], start[3]
	r0, r1, r2, r3 := s0, s1, s2, s3
	for i, a := range in0 {
		b := in1[i]
		p := panel[i*panelWidth:][:4:4]
		s0 += a * p[0]
		s1 += a * p[1]
		s2 += a * p[2]
		s3 += a * p[3]
		r0 += b * p[0]
		r1 += b * p[1]
		r2 += b * p[2]
		r3 += b * p[3]
	}
	out0[0], out0[1], out0[2], out0[3] = s0, s1, s2, s3
	out1[0], out1[1], out1[2], out1[3] = r0, r1, r2, r3
}

// geluPortable takes erf by formula 7.1.26 of Abramowitz and Stegun, good to 1.5e-7.
func geluPortable(x []float32) {
	for i, v := range x {
		a := float32(math.Abs(float64(v)))
		z := a * (1 / math.Sqrt2)
		t := 1 / (1 + 0.3275911*z)
		erf := 1 - ((((1.061405429*t-1.453152027)*t+1.421413741)*t-0.284496736)*t+0.254829592)*t*exp(-z*z)
		x[i] = 0.5 * (v + a*erf)
	}
}

func softmaxPortable(x []float32, n int, scale float32) {
	x = x[:n]
	largest := x[0]
	for _, v := range x {
		largest = max(largest, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp((v - largest) * scale)
		sum += x[i]
	}
	for i := range x {
		x[i] *= 1 / sum
	}
}

func addNormPortable(x, y []float32, n layerNorm) {
	var sum float32
	for i := range x {
		x[i] += y[i]
		sum += x[i]
	}
	mean := sum / float32(len(x))
	var squares float32
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	scale := float32(1 / math.Sqrt(float64(squares)/float64(len(x))+normEpsilon))
	for i, v := range x {
		x[i] = (v-mean)*scale*n.weight[i] + n.bias[i]
	}
}

// normEpsilon keeps a row without variance from being divided by zero.
const normEpsilon = 1e-12

// exp is e to the power of x, for x from zero down, good to about 1e-7 of the value: a power of two
// times a polynomial for what remains. It is several times as fast as math.Exp.
func exp(x float32) float32 {
	x = max(x, -87)
	n := float32(math.RoundToEven(float64(x * math.Log2E)))
	f := x - n*0.693359375 + n*2.12194440e-4
	p := float32(1.9875691500e-4)
	p = p*f + 1.3981999507e-3
	p = p*f + 8.3334519073e-3
	p = p*f + 4.1665795894e-2
	p = p*f + 1.6666665459e-1
	p = p*f + 5.0000001201e-1
	p = p*f*f + f + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}
