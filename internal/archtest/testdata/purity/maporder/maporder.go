package maporder

import (
	"maps"
	"slices"
)

type named map[string]int

func sum[M ~map[string]int](m M) (n int) {
	for _, v := range m { // want map
		n += v
	}
	return n
}

func flow(m map[string]int, n named) (out []string) {
	for k := range m { // want map
		out = append(out, k)
	}
	for k := range n { // want map
		out = append(out, k)
	}
	for k := range maps.Keys(m) { // want ambient
		out = append(out, k)
	}
	out = slices.Collect(maps.Keys(m)) // want ambient
	for range maps.All(m) {            // want ambient
	}
	each := maps.Values[named] // want ambient
	_ = each
	return slices.Sorted(maps.Keys(m))
}

var (
	_ = sum[named]
	_ = flow
)
