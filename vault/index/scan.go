package index

import (
	"runtime"
	"sync"
	"unsafe"

	"rein/vault/minilm/quant"
)

func bytesOf(q []int8) []byte {
	if len(q) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&q[0])), len(q))
}

// cosines writes about how near every row is to the query, on all cores.
func (v *vectors) cosines(near, query []float32) {
	q := quant.Of(query)
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(v.blocks))
	for w := range workers {
		wait.Go(func() {
			dots := make([]int32, blockRows)
			for i := w; i < len(v.blocks); i += workers {
				block := v.blocks[i]
				n := len(block) / v.dim
				quant.DotRows(dots[:n], q.Values, block)
				from := i * blockRows
				out, scale := near[from:][:n], v.scale[from:][:n]
				for j, d := range dots[:n] {
					out[j] = float32(d) * q.Scale * scale[j]
				}
			}
		})
	}
	wait.Wait()
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

// Cosine is how near two vectors are; 0 if they cannot be compared.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	return float64(dot(normal(a), normal(b)))
}
