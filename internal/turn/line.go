package turn

import (
	"iter"
	"slices"
)

// Who says whose turn something is. Households take turns; within the turns of a household its users do,
// and within those of a user the runs. So nobody gets more by asking more often, or under more names of
// runs, and whoever comes is served after at most one turn of each other household, user or run.
type Who struct {
	Household, User, Run string
	// Watched says that a person waits for it. It goes before others of the same user, though not always.
	Watched bool
}

// ahead is how many watched ones of a user go in a row while others of that user wait.
const ahead = 3

// A Place is one of those who wait in a Line.
type Place[T any] struct {
	Item T
	Who  Who
	run  *node[T] // nil: it is not in the line any more
}

// A Line is those who wait, in the order of their turns. Its zero value is empty and ready. It is not
// safe for use by many at once.
type Line[T any] struct{ root node[T] }

// A node is all households, one, a user, the watched or the other runs of a user, or a run.
type node[T any] struct {
	key    string
	up     *node[T]
	size   int // places here and below
	kids   []*node[T]
	byKey  map[string]*node[T]
	places []*Place[T] // of a run
	user   bool        // its kids are the watched and the others
	streak int         // of a user: watched ones served in a row while others waited
}

// The keys of the two kids of a user.
const (
	watchedKey = "watched"
	othersKey  = "others"
)

func class(watched bool) string {
	if watched {
		return watchedKey
	}
	return othersKey
}

// Len is how many wait.
func (l *Line[T]) Len() int { return l.root.size }

// Add puts one at the end of its run, which is at the end of its user's turns if it had none waiting, and
// so on.
func (l *Line[T]) Add(who Who, item T) *Place[T] {
	user := l.root.kid(who.Household).kid(who.User)
	user.user = true
	p := &Place[T]{Item: item, Who: who, run: user.kid(class(who.Watched)).kid(who.Run)}
	p.run.places = append(p.run.places, p)
	for n := p.run; n != nil; n = n.up {
		n.size++
	}
	return p
}

func (n *node[T]) kid(key string) *node[T] {
	if k := n.byKey[key]; k != nil {
		return k
	}
	if n.byKey == nil {
		n.byKey = map[string]*node[T]{}
	}
	k := &node[T]{key: key, up: n}
	n.byKey[key] = k
	n.kids = append(n.kids, k)
	return k
}

// Remove takes one out that gave up. It has had no turn.
func (l *Line[T]) Remove(p *Place[T]) { p.leave(false) }

// Serve takes one out that has its turn, whether or not it was the first: its household, user and run
// come last now.
func (l *Line[T]) Serve(p *Place[T]) { p.leave(true) }

func (p *Place[T]) leave(served bool) {
	n := p.run
	if n == nil {
		return
	}
	p.run = nil
	n.places = slices.DeleteFunc(n.places, func(other *Place[T]) bool { return other == p })
	for ; n.up != nil; n = n.up {
		n.size--
		n.up.moved(n, served, p.Who.Watched)
	}
	n.size--
}

// moved puts a kid where it belongs after one of its places has left.
func (n *node[T]) moved(kid *node[T], served, watched bool) {
	if n.user && served {
		n.streak++
		if !watched || n.byKey[othersKey] == nil {
			n.streak = 0
		}
	}
	if kid.size > 0 && (n.user || !served) {
		return
	}
	i := slices.Index(n.kids, kid)
	n.kids = slices.Delete(n.kids, i, i+1)
	if kid.size > 0 {
		n.kids = append(n.kids, kid)
	} else {
		delete(n.byKey, kid.key)
	}
}

// First returns the first for whom ok, or nil. The turns of those who come before it are not lost.
func (l *Line[T]) First(ok func(*Place[T]) bool) *Place[T] { return l.root.first(ok) }

// FirstUser returns the first place of the first user whose first may go, or nil.
func (l *Line[T]) FirstUser(may func(*Place[T]) bool) *Place[T] {
	for _, household := range l.root.kids {
		for _, user := range household.kids {
			if p := user.first(func(*Place[T]) bool { return true }); may(p) {
				return p
			}
		}
	}
	return nil
}

func (n *node[T]) first(ok func(*Place[T]) bool) *Place[T] {
	for _, p := range n.places {
		if ok(p) {
			return p
		}
	}
	kids := n.kids
	if n.user && len(kids) == 2 && (kids[0].key == watchedKey) != (n.streak < ahead) {
		kids = []*node[T]{kids[1], kids[0]}
	}
	for _, k := range kids {
		if p := k.first(ok); p != nil {
			return p
		}
	}
	return nil
}

// Users calls f for each user who waits, with the number of places.
func (l *Line[T]) Users(f func(household, user string, waiting int)) {
	for _, household := range l.root.kids {
		for _, user := range household.kids {
			f(household.key, user.key, user.size)
		}
	}
}

// InOrder returns all in the order in which they would be served if nobody else came. The line must not
// change meanwhile.
func (l *Line[T]) InOrder() iter.Seq[*Place[T]] {
	return func(yield func(*Place[T]) bool) {
		all := newCursor(&l.root)
		for p := all.next(); p != nil; p = all.next() {
			if !yield(p) {
				return
			}
		}
	}
}

// A cursor plays the turns of a node without taking them.
type cursor[T any] struct {
	of     *node[T]
	left   int
	kids   []cursor[T] // in the order of the round under way; made when first needed
	at     int         // the next of them, or of a run's places
	streak int
	// Of a user's watched or other runs, of which there can be very many:
	runs  []*node[T] // those that have places left in this round
	round int
}

func newCursor[T any](n *node[T]) *cursor[T] {
	return &cursor[T]{of: n, left: n.size, streak: n.streak, runs: n.kids}
}

// next returns the next place, or nil at the end.
func (c *cursor[T]) next() *Place[T] {
	if c.left == 0 {
		return nil
	}
	c.left--
	if c.of.up != nil && c.of.up.user {
		return c.nextRun()
	}
	if c.kids == nil {
		c.kids = make([]cursor[T], len(c.of.kids))
		for i, k := range c.of.kids {
			c.kids[i] = *newCursor(k)
		}
	}
	if c.of.user {
		return c.nextClass()
	}
	for {
		if c.at == len(c.kids) { // the next round is of those who have something left
			c.kids = slices.DeleteFunc(c.kids, func(k cursor[T]) bool { return k.left == 0 })
			c.at = 0
		}
		c.at++
		if p := c.kids[c.at-1].next(); p != nil {
			return p
		}
	}
}

// nextRun returns one place of each run in each round.
func (c *cursor[T]) nextRun() *Place[T] {
	if c.at == len(c.runs) {
		c.at, c.round = 0, c.round+1
		var more []*node[T]
		for _, run := range c.runs {
			if len(run.places) > c.round {
				more = append(more, run)
			}
		}
		c.runs = more
	}
	c.at++
	return c.runs[c.at-1].places[c.round]
}

// nextClass chooses between the watched and the other runs of a user.
func (c *cursor[T]) nextClass() *Place[T] {
	var watched, others *cursor[T]
	for i := range c.kids {
		switch k := &c.kids[i]; {
		case k.left == 0:
		case k.of.key == watchedKey:
			watched = k
		default:
			others = k
		}
	}
	if watched == nil || others != nil && c.streak >= ahead {
		c.streak = 0
		return others.next()
	}
	if others != nil {
		c.streak++
	}
	return watched.next()
}
