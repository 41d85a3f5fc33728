// Package headroom makes the garbage collector of a small process run less often.
package headroom

import (
	"os"
	"sync"
)

// size is by how much the heap may grow beyond what the collector would allow it. A server has a heap of some 10 MB:
// it would be collected whenever another 10 MB were allocated, by 64 runs at once several times in a second.
const size = 32 << 20

// kept is counted as a part of the heap, which may grow to twice its size. Nothing ever writes to it, so it takes no
// memory.
var kept = sync.OnceValue(func() []byte { return make([]byte, size) })

// Take lets the heap grow, once for the process, unless the environment says how it is to be collected.
func Take() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		kept()
	}
}
