package index

import "sync"

// spare are numbers for every piece that no view uses: a search needs several of them, and the larger
// the index, the more each would cost to make.
var spare = sync.Pool{New: func() any { return &[]float32{} }}

// buffers are the numbers that a view has lent. It is safe for use by many at once.
type buffers struct {
	mu   sync.Mutex
	lent []*[]float32
}

// take returns n numbers with whatever is in them.
func (b *buffers) take(n int) []float32 {
	list := spare.Get().(*[]float32)
	if cap(*list) < n {
		*list = make([]float32, n+n/8)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lent = append(b.lent, list)
	return (*list)[:n]
}

func (b *buffers) giveBack() {
	for _, list := range b.lent {
		spare.Put(list)
	}
	b.lent = nil
}

// Numbers returns one for every piece, with whatever is in it. They are good as long as the view.
func (v *View) Numbers() []float32 { return v.lent.take(v.pieces) }
