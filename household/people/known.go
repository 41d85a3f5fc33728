package people

import (
	"crypto/sha256"
	"sync"
	"time"

	"rein/store"
)

// known remembers what the last requests read of the tables, so that not each of them reads the store: credentials, and the
// rights of users. Of a credential it holds what was read, and no verdict: whether it is good now is decided for each
// request. What it holds
// counts only while the store says that no table was written since, so that a change is heeded by the next
// request, whoever made it. A store that cannot say so is read each time.
type known[T any] struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]remembered[T] // by the hash of the whole credential: its secret is not kept
}

type remembered[T any] struct {
	of      T
	version uint64
	at      time.Time
}

const (
	maxKnown = 1000 // all may be forgotten
	// maxKnownFor bounds how old what is remembered may be, whatever the store says.
	maxKnownFor = useGrain
)

// find returns what a text stands for, as it is in the store.
func (k *known[T]) find(p *People, text string, read func() (T, error)) (T, error) {
	tables, ok := p.Tables.(store.Versioned)
	if !ok {
		return read()
	}
	version, ok := tables.TablesVersion() // before it is read: what is written meanwhile makes it old
	if !ok {
		return read()
	}
	key, now := sha256.Sum256([]byte(text)), p.now()
	k.mu.Lock()
	c, has := k.all[key]
	k.mu.Unlock()
	if age := now.Sub(c.at); has && c.version == version && age >= 0 && age < maxKnownFor {
		return c.of, nil
	}
	found, err := read()
	if err == nil {
		k.keep(key, remembered[T]{found, version, now})
	}
	return found, err
}

func (k *known[T]) keep(key [sha256.Size]byte, c remembered[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil || len(k.all) >= maxKnown {
		k.all = map[[sha256.Size]byte]remembered[T]{}
	}
	k.all[key] = c
}
