package index

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// None is the nearness of a piece that has no vector.
const None = float32(-2)

// Near is how near pieces are to the vector of a query.
type Near struct {
	view  *View
	query []float32
	// Cosine has a number for each piece: that of its best window, up to what small numbers can tell. It
	// is good as long as the view.
	Cosine []float32
}

// Dim returns the dimension of the vectors, 0 if there are none.
func (v *View) Dim() int {
	if v.vec == nil || v.vec.rows == 0 {
		return 0
	}
	return v.vec.dim
}

// Near walks over all vectors. The query must have their dimension.
func (v *View) Near(query []float32) (*Near, error) {
	if v.vec == nil {
		return nil, errClosed()
	}
	if err := checkVector(query, v.vec.dim); err != nil {
		return nil, err
	}
	n := &Near{view: v, query: normal(query), Cosine: v.Numbers()}
	rows := v.lent.take(v.vec.rows)
	v.vec.cosines(rows, n.query)
	for k, s := range v.segs {
		out := n.Cosine[v.base[k]:][:len(s.slots)]
		for i, at := range s.slots {
			switch at.count {
			case 0:
				out[i] = None
			case 1:
				out[i] = rows[at.first]
			default:
				out[i] = slices.Max(rows[at.first : at.first+at.count])
			}
		}
	}
	return n, nil
}

// A reader reads exact vectors, one at a time.
type reader struct {
	buffer []byte
	row    []float32
}

// Exact returns the exact nearness of pieces: that of the nearest window of each, None for a piece that
// has no vector. They are read by several at once, for they are read from a file.
func (n *Near) Exact(pieces []int) ([]float32, error) {
	cosines := make([]float32, len(pieces))
	var failed atomic.Pointer[error]
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), maxReaders, len(pieces))
	for w := range workers {
		wait.Go(func() {
			r := &reader{make([]byte, n.view.vec.dim*4), make([]float32, n.view.vec.dim)}
			for i := w; i < len(pieces) && failed.Load() == nil; i += workers {
				var err error
				if cosines[i], err = n.exact(r, pieces[i]); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wait.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return cosines, nil
}

// maxReaders bounds how many read exact vectors for one search.
const maxReaders = 4

func (n *Near) exact(r *reader, piece int) (float32, error) {
	s, i := n.view.find(piece)
	at := s.slots[i]
	best := None
	for row := at.first; row < at.first+at.count; row++ {
		if err := n.view.vec.exactRow(int(row), r.row, r.buffer); err != nil {
			return None, err
		}
		best = max(best, dot(n.query, r.row))
	}
	return best, nil
}

// Middle returns what several vectors point at together, each counting alike. It is for a text that is
// longer than an embedder reads: its end says as much as its beginning.
func Middle(vectors [][]float32) []float32 {
	if len(vectors) == 1 {
		return vectors[0]
	}
	var sum []float32
	for _, v := range vectors {
		if sum == nil {
			sum = make([]float32, len(v))
		}
		for i, x := range normal(v) {
			if i < len(sum) {
				sum[i] += x
			}
		}
	}
	return sum
}
