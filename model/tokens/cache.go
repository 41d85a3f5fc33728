package tokens

import "sync"

// textKey stands for a text. Two texts with one key would only make a guess worse.
type textKey struct {
	hash   uint64
	length int
}

// maxSeen is how many texts one half of a cache remembers.
const maxSeen = 8192

// A cache remembers the counts of texts, since a conversation is sent again and again. When the new
// half is full the old one is forgotten.
type cache struct {
	mu       sync.Mutex
	new, old map[textKey]int64
}

func (c *cache) get(key textKey) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.new[key]; ok {
		return n, true
	}
	n, ok := c.old[key]
	if ok {
		c.keep(key, n)
	}
	return n, ok
}

func (c *cache) put(key textKey, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, n)
}

func (c *cache) keep(key textKey, n int64) {
	if c.new == nil || len(c.new) >= maxSeen {
		c.old, c.new = c.new, make(map[textKey]int64)
	}
	c.new[key] = n
}
