package lenient

import (
	"runtime"
	"strings"
	"testing"
)

// maxAlloc is how many bytes may be taken for each byte of a text, also if they are let go again.
const maxAlloc = 200

// TestAllocations holds the memory that a reading takes to a multiple of the text, whatever the text.
//
// Attack: 71
func TestAllocations(t *testing.T) {
	const size = 1 << 15
	worst := 0.0
	for _, start := range starts {
		for _, unit := range append(damage, `}{`, `{}`, `{} `, `}{"a":1`, `{"a":{}}`) {
			text := start + strings.Repeat(unit, size/len(unit))
			for _, call := range calls {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _ = call.of(text)
				runtime.ReadMemStats(&after)
				each := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
				if worst = max(worst, each); each > maxAlloc {
					t.Errorf("%s of %q and many %q takes %.0f bytes for each", call.name, start, unit, each)
				}
			}
		}
	}
	t.Logf("at worst %.0f bytes for each", worst)
}
