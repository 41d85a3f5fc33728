package minilm

// kernels are the inner loops, where the time goes. There is a portable set, and one in assembly for
// processors with AVX2; both give the same but for rounding.
type kernels struct {
	// unpack writes 16 rows of a matrix, from row on, as floats: for each input the 16 side by side.
	unpack   func(panel []float32, w *matrix, row int)
	multiply func(t tile)
	// gelu is the activation of the inner layer; len(x) is a multiple of 8.
	gelu func(x []float32)
	// softmax makes the first n scores, times scale, into shares of one. len(x) is a multiple of 8;
	// what is in x after the first n is lost.
	softmax func(x []float32, n int, scale float32)
	// addNorm adds y to x and normalises the sum; len(x) is a multiple of 8.
	addNorm func(x, y []float32, n layerNorm)
}

// A tile is the product out = start + in · panel: a number of rows, of which paddedRows says what it can
// be, and 16 columns. The widths are the distances from one row to the next.
type tile struct {
	out, in           []float32
	outWidth, inWidth int
	rows, depth       int
	panel, start      []float32
}
