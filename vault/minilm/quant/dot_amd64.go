package quant

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// step is how many components the assembly takes at a time.
const step = 16

// dotRows4 and dotRow work on n components, a multiple of step and not zero. The rows of dotRows4 are
// rowBytes apart.
//
//go:noescape
func dotRows4(out *int32, query, rows *int8, rowBytes, n int)

//go:noescape
func dotRow(query, row *int8, n int) int32

func dotRows(out []int32, query, rows []int8) {
	if !hasAVX2 || len(query) < step {
		dotRowsPortable(out, query, rows)
		return
	}
	dotRowsAVX2(out, query, rows)
}

func dotRowsAVX2(out []int32, query, rows []int8) {
	length := len(query)
	whole := length / step * step
	i := 0
	for ; i+4 <= len(out); i += 4 {
		four := rows[i*length:][:4*length]
		dotRows4(&out[i:][:4][0], &query[0], &four[0], length, whole)
	}
	for ; i < len(out); i++ {
		out[i] = dotRow(&query[0], &rows[i*length:][:length][0], whole)
	}
	if whole == length {
		return
	}
	for i := range out {
		out[i] += dotPortable(query[whole:], rows[i*length+whole:][:length-whole])
	}
}
