package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/internal/labs"
)

// full says that many seeds are tried, not one.
var full = os.Getenv("REIN_CHAOS") == "full"

// seeds are those of this run of the test: REIN_CHAOS_SEED repeats one.
func seeds(t *testing.T) []uint64 {
	if text := os.Getenv("REIN_CHAOS_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		check(t, err)
		return []uint64{seed}
	}
	n := 1
	if full {
		n = 25
	}
	all := make([]uint64, n)
	for i := range all {
		all[i] = rand.Uint64()
	}
	return all
}

// TestChaos follows runs while their connections are cut, slowed and sliced and the server is killed in
// the middle of a text. Every client sees each event once and in order, and the same texts as the one
// that no proxy is before; every run comes to its end, and no answer of the model that is in a log is
// asked for again.
//
// Covers: LAW-1 LAW-6/server ENG-34 ENG-35 ENG-49
func TestChaos(t *testing.T) {
	labs.Only(t)
	t.Parallel()
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			t.Logf("REIN_CHAOS_SEED=%d repeats it", seed)
			storm(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

// What each storm has.
const jobs, rounds, words = 3, 3, 10

// A watched is a run with those who follow it.
type watched struct {
	name     string
	viewers  []viewer
	all      []*witness // of the viewers; the first one is the control, which no proxy is before
	switches *switcher
}

func (l *lab) newWatched(name string, stay int) *watched {
	run, stream := rein.RunID(name), streamer{line: l.line, token: l.token, run: name}
	w := &watched{name: name, switches: &switcher{stream: stream, stay: stay}}
	w.viewers = []viewer{own{l.inside, run}, &stream, own{through(l.line, l.token), run}, w.switches}
	for _, name := range []string{"the control", "the stream", "rein's client", "the switcher"} {
		w.all = append(w.all, newWitness(name))
	}
	w.all[0].strict, w.all[2].strict = true, true
	return w
}

func storm(t *testing.T, r *rand.Rand) {
	l := newLab(t)
	p := newPlan(r, 2, 13)
	runs := map[string]*watched{}
	for _, name := range jobNames() {
		runs[name] = l.newWatched(name, 2+r.IntN(4))
	}
	l.provider.asked = func(at place) {
		if runs[at.job].all[0].heard(at.ofRound()) {
			t.Errorf("%s is asked for again, and is in the log", at.ofRound())
		}
	}
	l.provider.before = func(q *http.Request, at place) { l.disturb(q.Context(), p, at, runs[at.job].all) }
	l.mu.Lock() // until all have begun
	var controls, others sync.WaitGroup
	for _, name := range jobNames() {
		l.start(name, rounds, words)
		w := runs[name]
		for i, v := range w.viewers {
			group := &others
			if i == 0 {
				group = &controls
			}
			group.Go(func() { follow(l.ctx, v, w.all[i]) })
		}
	}
	l.mu.Unlock()
	controls.Wait()
	check(t, l.line.clear()) // what is left of the last disturbance
	others.Wait()
	for name, w := range runs {
		l.judge(name, rounds, w.all...)
	}
	l.tell(p, runs)
}

// disturb carries out what the plan has for a place, when all who follow are in the middle of the text.
func (l *lab) disturb(ctx context.Context, p *plan, at place, all []*witness) {
	a, ok := p.take(at)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.line.clear(); err != nil {
		l.Error(err)
	}
	for _, w := range all {
		if !w.reads(ctx, at.begin()) {
			p.putBack(a, at) // the server was killed meanwhile; the call comes again
			return
		}
	}
	p.did(a, at)
	if err := a.do(l); err != nil {
		l.Errorf("at %+v, %s: %v", at, a.name, err)
	}
	// What cuts connections gets the time to cut some, in the middle of the text.
	moment, stop := context.WithTimeout(ctx, 4*pause)
	defer stop()
	all[1].breaks(moment, 2)
}

// tell logs what happened, and fails if it was nothing to speak of.
func (l *lab) tell(p *plan, runs map[string]*watched) {
	l.Log("\n" + strings.Join(p.notes, "\n"))
	var pieces, cuts, torn, sockets, streams int
	for _, r := range runs {
		for _, w := range r.all {
			pieces, cuts, torn = pieces+w.pieces, cuts+w.cuts, torn+w.torn
		}
		sockets, streams = sockets+r.switches.sockets, streams+r.switches.streams
	}
	l.Logf("%d kills, %d cuts, %d within a message; %d pieces of text; switchers had %d sockets and %d streams", l.kills, cuts, torn, pieces, sockets, streams)
	if l.kills == 0 || cuts < 3 || pieces == 0 || sockets == 0 || streams == 0 {
		l.Error("that was no storm")
	}
}
