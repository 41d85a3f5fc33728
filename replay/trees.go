package replay

import (
	"sync"
	"sync/atomic"

	"rein"
)

// maxTrees is how many trees are remembered, or twice as many. What is forgotten is read again.
const maxTrees = 2048

// trees remembers the trees whose runs made calls lately. Looking one up takes no lock: every call of
// every run does it. Of two generations the older is dropped when the younger is full.
type trees struct {
	young, old atomic.Pointer[sync.Map]
	count      atomic.Int64 // of the younger
}

// get returns the tree of a root. Two callers may get two trees of one root when a generation is
// dropped between them; then both read.
func (t *trees) get(root rein.RunID) *tree {
	young := t.generation()
	if known, ok := young.Load(root); ok {
		return known.(*tree)
	}
	fresh := &tree{}
	if old := t.old.Load(); old != nil {
		if known, ok := old.Load(root); ok {
			fresh = known.(*tree)
		}
	}
	known, loaded := young.LoadOrStore(root, fresh)
	if !loaded && t.count.Add(1) > maxTrees && t.young.CompareAndSwap(young, &sync.Map{}) {
		t.old.Store(young)
		t.count.Store(0)
	}
	return known.(*tree)
}

func (t *trees) generation() *sync.Map {
	if young := t.young.Load(); young != nil {
		return young
	}
	t.young.CompareAndSwap(nil, &sync.Map{})
	return t.young.Load()
}

// maxPlaces bounds what all forks together remember of the logs that they read: about a hundred bytes
// each.
const maxPlaces = 200_000

// kept are the ways whose score is in memory, the oldest first.
type kept struct {
	mu    sync.Mutex
	ways  []*way
	total int
}

// add takes a way in, and drops the scores of others if there is too much. They are made again when
// they are needed.
func (k *kept) add(w *way, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	w.size = size
	k.ways, k.total = append(k.ways, w), k.total+size
	for k.total > maxPlaces && len(k.ways) > 1 {
		oldest := k.ways[0]
		oldest.score.Store(nil)
		k.ways, k.total = k.ways[1:], k.total-oldest.size
	}
}

// drop lets go of a way.
func (k *kept) drop(w *way) {
	k.mu.Lock()
	defer k.mu.Unlock()
	w.score.Store(nil)
	for i := range k.ways {
		if k.ways[i] == w {
			k.ways, k.total = append(k.ways[:i:i], k.ways[i+1:]...), k.total-w.size
			return
		}
	}
}
