package minilm

import "sync/atomic"

// maxCrew bounds how many goroutines work on one text: a layer has too little work for more.
const maxCrew = 4

// hands is how many goroutines work on each of some texts that come together: several on a single one,
// for who searches waits for it.
func hands(workers, texts int) int { return max(1, min(maxCrew, workers/max(1, texts))) }

// A crew takes one text through the model with several goroutines. Each stage is cut into parts that
// write different columns, so the result has the same bits however many work on it. Whoever comes late
// finds no parts left: nobody waits for a goroutine that the system has not started yet.
type crew struct {
	stage atomic.Pointer[stage]
	wake  chan struct{}
	desks []*desk // the first is of whoever leads
}

// A desk is the working memory of one goroutine.
type desk struct {
	scores []float32 // of one head: a row for each token, a column for each token
	packed []float32 // keys or values of one head, as panels
	panel  []float32 // 16 outputs of a matrix
}

func newDesk() *desk {
	return &desk{
		scores: make([]float32, MaxTokens*MaxTokens),
		packed: make([]float32, MaxTokens*headSize),
		panel:  make([]float32, inner*panelWidth),
	}
}

// A stage is some parts of which each is done once.
type stage struct {
	do    func(d *desk, part int)
	parts int
	next  atomic.Int64
	left  atomic.Int64
	done  chan struct{}
}

// newCrew hires goroutines, one less than there are desks. The caller must end it.
func newCrew(desks []*desk) *crew {
	c := &crew{wake: make(chan struct{}, len(desks)), desks: desks}
	for _, d := range desks[1:] {
		go c.help(d)
	}
	return c
}

func (c *crew) end() { close(c.wake) }

// spins is how often someone looks before they sleep, some fifty microseconds: in a short text the next
// stage comes sooner than that, and being woken takes as long as a stage.
const spins = 100_000

func (c *crew) help(d *desk) {
	var last *stage
	for range c.wake {
		for s := c.stage.Load(); s != last; s = c.following(s) {
			s.work(d)
			last = s
		}
	}
}

// following returns the stage after one, or that one if there is none soon.
func (c *crew) following(last *stage) *stage {
	for range spins {
		if s := c.stage.Load(); s != last {
			return s
		}
	}
	return last
}

// run does all parts of a stage and returns when they are done.
func (c *crew) run(parts int, do func(d *desk, part int)) {
	if len(c.desks) == 1 || parts < 2 {
		for part := range parts {
			do(c.desks[0], part)
		}
		return
	}
	s := &stage{do: do, parts: parts, done: make(chan struct{})}
	s.left.Store(int64(parts))
	c.stage.Store(s)
	for range len(c.desks) - 1 {
		select {
		case c.wake <- struct{}{}:
		default: // they have been told before and did not come yet
		}
	}
	s.work(c.desks[0])
	s.wait()
}

func (s *stage) work(d *desk) {
	for part := int(s.next.Add(1)) - 1; part < s.parts; part = int(s.next.Add(1)) - 1 {
		s.do(d, part)
		if s.left.Add(-1) == 0 {
			close(s.done)
		}
	}
}

// wait returns when all parts are done.
func (s *stage) wait() {
	for range spins {
		if s.left.Load() == 0 {
			return
		}
	}
	<-s.done
}
