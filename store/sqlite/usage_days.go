package sqlite

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
)

// maxDays is how many days are remembered, of one user each. A busy one has about 5 kB.
const maxDays = 2048

// knownDays remembers what the rows of view_usage add up to: there is one for each day of each user, and all but
// the last ones stay as they are.
type knownDays struct {
	mu   sync.Mutex
	seed maphash.Seed
	days map[usageDay]*daySums
}

// daySums is what the trees of a day have used.
type daySums struct {
	of       uint64 // a hash of the row
	whole    usageSum
	quarters []quarterSum
	flows    []flowSum
}

type quarterSum struct {
	quarter int
	usageSum
}

type flowSum struct {
	flow string
	usageSum
}

// of adds up the row of a day, or remembers what it adds up to.
func (k *knownDays) of(day usageDay, row []byte) (*daySums, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.days == nil {
		k.seed, k.days = maphash.MakeSeed(), map[usageDay]*daySums{}
	}
	hash := maphash.Bytes(k.seed, row)
	if known := k.days[day]; known != nil && known.of == hash {
		return known, nil
	}
	parts, err := unpackUsage(row)
	if err != nil {
		return nil, err
	}
	if len(k.days) >= maxDays {
		clear(k.days)
	}
	sums := sumsOf(parts)
	sums.of = hash
	k.days[day] = sums
	return sums, nil
}

// sumsOf adds up the parts of a day.
func sumsOf(parts usageParts) *daySums {
	quarters, flows := map[int]usageSum{}, map[string]usageSum{}
	for key, sum := range parts {
		quarters[key.quarter] = quarters[key.quarter].plus(sum)
		flows[key.flow] = flows[key.flow].plus(sum)
	}
	sums := &daySums{}
	for _, n := range slices.Sorted(maps.Keys(quarters)) {
		sums.whole = sums.whole.plus(quarters[n])
		sums.quarters = append(sums.quarters, quarterSum{n, quarters[n]})
	}
	for _, flow := range slices.Sorted(maps.Keys(flows)) {
		sums.flows = append(sums.flows, flowSum{flow, flows[flow]})
	}
	return sums
}
