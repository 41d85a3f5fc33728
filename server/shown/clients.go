package shown

import (
	"sync"

	"rein"
)

// maxClients is how many clients are remembered. One that is forgotten is shown what is open again.
const maxClients = 10_000

// Clients are the books of those who have no connection, by the credential that they come with. The zero
// value is ready.
type Clients struct {
	mu    sync.Mutex
	books map[string]*client
	uses  uint64
}

type client struct {
	Book
	used uint64
}

// Of returns the book of who comes with this credential.
func (c *Clients) Of(who rein.Identity) *Book {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := who.Household + "\x00" + who.User + "\x00" + who.Via
	found := c.books[key]
	if found == nil {
		if c.books == nil {
			c.books = map[string]*client{}
		}
		if len(c.books) >= maxClients {
			c.forget()
		}
		found = &client{}
		c.books[key] = found
	}
	c.uses++
	found.used = c.uses
	return &found.Book
}

// forget forgets the client that was not seen for the longest time.
func (c *Clients) forget() {
	oldest, since := "", c.uses+1
	for key, one := range c.books {
		if one.used < since {
			oldest, since = key, one.used
		}
	}
	delete(c.books, oldest)
}
