// Package headroom decides how much the heap may grow before it is collected.
//
// Go lets a heap grow to twice of what lives in it. For a server that is too little when it is small, for a heap of
// 10 MB is collected several times in a second by 64 runs at once, and too much when it is large, for a thousand
// answers of 100 kB would take twice their memory. Here a small heap may grow by much, whatever lives in it, a larger
// one by half of that, and by a part of what lives in it only when that is more: most of a large heap is text, which a
// collection need not look at.
package headroom

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	small = 48 << 20 // bytes by which a heap may grow in which no more than this lives
	least = 24 << 20 // and every heap
	share = 8        // and the part of a large one
	// most is the percentage at which the smallest heaps, which the runtime takes for 4 MB, may grow by that much.
	most = small / (4 << 20) * 100
)

// Take lets the heap grow so, for as long as the process lives, unless the environment says how it is to be
// collected.
func Take() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		begin()
	}
}

var begin = sync.OnceFunc(func() {
	debug.SetGCPercent(most)
	watch()
})

// watch adjusts after every collection: an object that nobody holds is finalized by each.
func watch() {
	runtime.SetFinalizer(&mark{}, func(*mark) {
		adjust()
		watch()
	})
}

// A mark is large enough to have a place of its own.
type mark struct{ _ [64]byte }

func adjust() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(sample)
	debug.SetGCPercent(percent(sample[0].Value.Uint64(), sample[1].Value.Uint64()+sample[2].Value.Uint64()))
}

// percent is by how much a heap may grow in which so much lives, as the runtime counts it: with the stacks and the
// variables that it has to look at.
func percent(live, roots uint64) int {
	room := max(min(small, 2*small-min(live, 2*small)), least, live/share)
	return int(min(room*100/max(live+roots, 1), most))
}
