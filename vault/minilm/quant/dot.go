package quant

// DotRows writes into out the product of query with each of the rows, which lie one after the other in
// rows. It is exact up to 130,000 components. It panics if there are not len(out) rows of the length of
// query.
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

// dotPortable takes eight components at a time and adds up two sums, which most processors can do at
// once.
func dotPortable(a, b []int8) int32 {
	var even, odd int32
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		x, y := (*[8]int8)(a), (*[8]int8)(b)
		even += int32(x[0])*int32(y[0]) + int32(x[2])*int32(y[2]) + int32(x[4])*int32(y[4]) + int32(x[6])*int32(y[6])
		odd += int32(x[1])*int32(y[1]) + int32(x[3])*int32(y[3]) + int32(x[5])*int32(y[5]) + int32(x[7])*int32(y[7])
	}
	for i, v := range a {
		even += int32(v) * int32(b[i])
	}
	return even + odd
}
