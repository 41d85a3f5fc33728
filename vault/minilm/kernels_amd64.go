package minilm

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

func fastest() kernels {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return avx2
	}
	return portable
}

// avx2 is the set in assembly. Its wrappers slice what the assembly will touch, so that a wrong size
// is a panic and not a wild write.
var avx2 = kernels{
	unpack:   unpackAVX2,
	multiply: multiplyAVX2,
	gelu:     func(x []float32) { gelu8(&x[0], len(x)) },
	softmax:  softmaxAVX2,
	addNorm:  addNormAVX2,
}

// unpack8 writes 8 rows of a 4-bit matrix, rowBytes apart, each input 64 bytes after the one before. The
// scales of a block are 64 bytes after those of the block before.
//
//go:noescape
func unpack8(out *float32, nibbles *byte, rowBytes int, scales *float32, blocks int)

// multiply6 and multiply4 compute that many rows of 16 columns. Widths are in bytes.
//
//go:noescape
func multiply6(depth int, in *float32, inWidth int, panel, out *float32, outWidth int, start *float32)

//go:noescape
func multiply4(depth int, in *float32, inWidth int, panel, out *float32, outWidth int, start *float32)

// gelu8, softmax8 and addNorm8 work on n numbers, a multiple of 8.
//
//go:noescape
func gelu8(x *float32, n int)

//go:noescape
func softmax8(x *float32, n int, scale float32)

//go:noescape
func addNorm8(x, y, weight, bias *float32, n int, epsilon float32)

func unpackAVX2(panel []float32, w *matrix, row int) {
	blocks := w.inputs / blockSize
	rowBytes := w.inputs / 2
	out := panel[:w.inputs*panelWidth]
	scales := w.scales[row*blocks:][:blocks*panelWidth]
	nibbles := w.nibbles[row*rowBytes:][:panelWidth*rowBytes]
	for lane := 0; lane < panelWidth; lane += 8 {
		unpack8(&out[lane], unsafe.StringData(nibbles[lane*rowBytes:]), rowBytes, &scales[lane], blocks)
	}
}

// multiplyAVX2 takes six rows at a time and the last ones by four, which fills the processor as well.
func multiplyAVX2(t tile) {
	in := t.in[:(t.rows-1)*t.inWidth+t.depth]
	out := t.out[:(t.rows-1)*t.outWidth+panelWidth]
	panel, start := &t.panel[:t.depth*panelWidth][0], &t.start[:panelWidth][0]
	row := 0
	for ; t.rows-row >= 6 && t.rows-row != 8; row += 6 {
		multiply6(t.depth, &in[row*t.inWidth], 4*t.inWidth, panel, &out[row*t.outWidth], 4*t.outWidth, start)
	}
	for ; row < t.rows; row += 4 {
		multiply4(t.depth, &in[row*t.inWidth], 4*t.inWidth, panel, &out[row*t.outWidth], 4*t.outWidth, start)
	}
}

func softmaxAVX2(x []float32, n int, scale float32) {
	for i := n; i < len(x); i++ {
		x[i] = -math.MaxFloat32 / 2
	}
	softmax8(&x[0], len(x), scale)
}

func addNormAVX2(x, y []float32, n layerNorm) {
	k := len(x)
	addNorm8(&x[0], &y[:k][0], &n.weight[:k][0], &n.bias[:k][0], k, normEpsilon)
}
