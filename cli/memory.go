package cli

import (
	"math"
	"runtime/debug"
)

// softMemory is how much memory the runtime of a service tries to get by with: garbage is collected earlier as
// it comes near. What a service holds at once is bounded elsewhere, and is less; without this it would take
// twice that. The program itself, with the embedding model in it, is not counted.
const softMemory = 160 << 20

// boundMemory sets the limit, unless GOMEMLIMIT does.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softMemory)
	}
}
