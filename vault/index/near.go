package index

import "math"

// None is the nearness of a piece that has no vector.
const None = float32(-2)

// Near is how near pieces are to the vector of a query.
type Near struct {
	view  *View
	query []float32
	// Cosine has a number for each piece: that of its best window, up to what small numbers can tell.
	Cosine []float32
	buffer []byte
	row    []float32
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
	n := &Near{view: v, query: normal(query), Cosine: make([]float32, v.pieces), buffer: make([]byte, v.vec.dim*4), row: make([]float32, v.vec.dim)}
	rows := v.vec.cosines(n.query)
	for k, s := range v.segs {
		out := n.Cosine[v.base[k]:]
		for i, at := range s.slots {
			best := None
			for _, c := range rows[at.first : at.first+at.count] {
				best = max(best, c)
			}
			out[i] = best
		}
	}
	return n, nil
}

// Exact returns the exact nearness of a piece: that of its nearest window.
func (n *Near) Exact(piece int) (cosine float32, err error) {
	s, i := n.view.find(piece)
	at := s.slots[i]
	if at.count == 0 {
		return None, nil
	}
	cosine = float32(math.Inf(-1))
	for r := at.first; r < at.first+at.count; r++ {
		if err := n.view.vec.exactRow(int(r), n.row, n.buffer); err != nil {
			return None, err
		}
		cosine = max(cosine, dot(n.query, n.row))
	}
	return cosine, nil
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
