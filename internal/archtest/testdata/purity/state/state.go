package state

import (
	"slices"
	"sort"
	"strings"
)

type record struct{ n int }

var (
	count  int
	cache  = map[string]string{}
	names  = []string{"b", "a"}
	last   record
	shared = &record{}
	text   strings.Builder
)

func init() {
	count = 1 // want state
}

func flow(key string) {
	count++            // want state
	count += 2         // want state
	cache[key] = "x"   // want state
	delete(cache, key) // want state
	clear(cache)       // want state
	names[0] = "c"     // want state
	names = append(    // want state
		names, "d")
	copy(names[1:], names) // want state
	slices.Sort(names)     // want state
	sort.Strings(names)    // want state
	last.n = 3             // want state
	shared.n = 4           // want state
	(*shared).n = 5        // want state
	text.WriteString("x")  // want state
	p := &last             // want state
	for count = range 3 {  // want state
	}
	p.n, count = 1, 2 // want state
	count := 0
	count++
	_ = sort.SearchStrings(names, key) + count
}

var _ = flow
