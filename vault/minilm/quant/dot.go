package quant

// Dot returns the sum of the products of the components. It is exact up to 130,000 of them. The
// vectors must have the same length.
func Dot(a, b []int8) int32 {
	var out [1]int32
	DotRows(out[:], a, b)
	return out[0]
}

// DotRows writes into out the product of query with each of the rows, which lie one after the other in
// rows. It panics if there are not len(out) rows of the length of query.
func DotRows(out []int32, query, rows []int8) {
	if len(rows) != len(out)*len(query) {
		panic("quant: the rows are not as many or not as long as said")
	}
	if len(query) == 0 {
		clear(out)
		return
	}
	dotRows(out, query, rows)
}

func dotRowsPortable(out []int32, query, rows []int8) {
	for i := range out {
		out[i] = dotPortable(query, rows[i*len(query):][:len(query)])
	}
}

// dotPortable adds up four sums side by side, which most processors can do at once.
func dotPortable(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	for len(a) >= 4 {
		s0 += int32(a[0]) * int32(b[0])
		s1 += int32(a[1]) * int32(b[1])
		s2 += int32(a[2]) * int32(b[2])
		s3 += int32(a[3]) * int32(b[3])
		a, b = a[4:], b[4:len(a)]
	}
	for i, v := range a {
		s0 += int32(v) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}
