package minilm

// An arena is the working memory of one text, some 3 MB, reused by the next.
type arena struct {
	ids []int32
	// Rows are tokens. x is what goes from layer to layer; wide is query, key, value and context of
	// the attention, and then the inner layer; y is what is added to x.
	x, wide, y []float32
	desks      []*desk // one for each goroutine that ever worked on it
}

// MaxTokens is even and a multiple of the panel width, so padding never goes beyond it.
func newArena() *arena {
	return &arena{
		ids:  make([]int32, 0, MaxTokens),
		x:    make([]float32, MaxTokens*hidden),
		wide: make([]float32, MaxTokens*inner),
		y:    make([]float32, MaxTokens*hidden),
	}
}

// desksFor returns a desk for each of n goroutines.
func (a *arena) desksFor(n int) []*desk {
	for len(a.desks) < n {
		a.desks = append(a.desks, newDesk())
	}
	return a.desks[:n]
}

// paddedRows is how many rows the kernels work on: they take six or four at a time, and six and four
// make every even number from four on.
func paddedRows(tokens int) int { return max(4, tokens+tokens&1) }

// paddedColumns is how many keys the kernels work on.
func paddedColumns(tokens int) int { return (tokens + panelWidth - 1) / panelWidth * panelWidth }
