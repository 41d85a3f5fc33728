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

// Exact returns the exact nearness of a piece and its vector of the window that is nearest.
func (n *Near) Exact(piece int) (cosine float32, vector []float32, err error) {
	s, i := n.view.find(piece)
	at := s.slots[i]
	if at.count == 0 {
		return None, nil, nil
	}
	cosine = float32(math.Inf(-1))
	for r := at.first; r < at.first+at.count; r++ {
		if err := n.view.vec.exactRow(int(r), n.row, n.buffer); err != nil {
			return None, nil, err
		}
		if c := dot(n.query, n.row); c > cosine {
			cosine = c
			vector = append(vector[:0], n.row...)
		}
	}
	return cosine, vector, nil
}

// Cosine returns how near two vectors of length 1 are.
func Cosine(a, b []float32) float64 { return float64(dot(a, b)) }
