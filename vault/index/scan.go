package index

import (
	"runtime"
	"sync"
	"unsafe"
)

// A Kernel puts the dot product of a query with each row into out. Rows have the length of the query
// and stand one after the other.
type Kernel func(query, rows []int8, out []int32)

// PlainKernel is a Kernel for any machine.
func PlainKernel(query, rows []int8, out []int32) {
	dim := len(query)
	for i := range out {
		row := rows[i*dim : i*dim+dim]
		var a, b, c, d int32
		j := 0
		for ; j+4 <= dim; j += 4 {
			r, q := row[j:j+4:j+4], query[j:j+4:j+4]
			a += int32(r[0]) * int32(q[0])
			b += int32(r[1]) * int32(q[1])
			c += int32(r[2]) * int32(q[2])
			d += int32(r[3]) * int32(q[3])
		}
		for ; j < dim; j++ {
			a += int32(row[j]) * int32(query[j])
		}
		out[i] = a + b + c + d
	}
}

func bytesOf(q []int8) []byte {
	if len(q) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&q[0])), len(q))
}

// cosines returns about how near every row is to the query, on all cores.
func (v *vectors) cosines(query []float32, kernel Kernel) []float32 {
	q, scale := Quantise(query)
	near := make([]float32, v.rows)
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(v.blocks))
	for w := range workers {
		wait.Go(func() {
			dots := make([]int32, blockRows)
			for i := w; i < len(v.blocks); i += workers {
				block := v.blocks[i]
				n := len(block) / v.dim
				kernel(q, block, dots[:n])
				from := i * blockRows
				for j, d := range dots[:n] {
					near[from+j] = float32(d) * scale * v.scale[from+j]
				}
			}
		})
	}
	wait.Wait()
	return near
}

// dot is the exact product.
func dot(a, b []float32) float32 {
	var w, x, y, z float32
	i := 0
	for ; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		w += a[i] * b[i]
		x += a[i+1] * b[i+1]
		y += a[i+2] * b[i+2]
		z += a[i+3] * b[i+3]
	}
	for ; i < len(a) && i < len(b); i++ {
		w += a[i] * b[i]
	}
	return w + x + y + z
}
