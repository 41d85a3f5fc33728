package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// A stamp remembers when the first token of a run was shown. Runs are made one at a time.
type stamp struct{ first time.Time }

func (s *stamp) show(string) {
	if s.first.IsZero() {
		s.first = time.Now()
	}
}

// A turn is something that takes a while.
type turn struct {
	name string
	once func(n int) (time.Duration, error)
}

// firstPeers are who is asked for a first token: the bare loop, rein as it is shipped, and rein with the bare loop's
// client and a flow of its shape.
var firstPeers = []string{rawPeer, shippedPeer, reinPeer}

// firstCell measures the time to the first token of the bare loop, of rein, of rein behind its API if
// there is a server, and durable commits alone, in turns.
func firstCell(ctx context.Context, s spec) (f figures, err error) {
	s.Steps = 0
	var mark stamp
	var turns []turn
	for _, name := range firstPeers {
		p, err := openFirst(ctx, s, name, mark.show)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, p.close()) }()
		turns = append(turns, turn{name, func(n int) (time.Duration, error) { return mark.untilFirst(ctx, s, p, n) }})
	}
	probe, err := openProbe(ctx, s.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, probe.close()) }()
	f, m := figures{}, startMeter(s)
	turns = append(turns, turn{"fsync", probe.fsync}, turn{"commit", probe.commit}, turn{"start", probe.start})
	if s.Server != "" {
		turns = append(turns, apiTurns(ctx, s, &mark)...)
	}
	times := make([][]float64, len(turns))
	for n := range s.Warm + s.Runs {
		for i, turn := range turns {
			took, err := turn.once(n)
			if err != nil {
				return nil, err
			}
			if n >= s.Warm {
				times[i] = append(times[i], millis(took))
			}
		}
	}
	m.read(f)
	for i, turn := range turns {
		f.spread(turn.name, times[i])
	}
	return f, nil
}

// openFirst opens a peer with a folder of its own.
func openFirst(ctx context.Context, s spec, name string, show func(string)) (peer, error) {
	s.Peer, s.Dir = name, filepath.Join(s.Dir, name)
	if err := os.Mkdir(s.Dir, 0o755); err != nil {
		return nil, err
	}
	return newPeer(ctx, s, show)
}

// apiTurns are those through the API: to the first token with one request, also to rein serve itself, and with two, to the answer to the
// start, which is a part of the latter, and the smallest request.
func apiTurns(ctx context.Context, s spec, mark *stamp) []turn {
	var posted time.Time
	p := &apiPeer{caller: newCaller(s), spec: s, show: mark.show, posted: func() { posted = time.Now() }}
	var post time.Duration
	one := &apiPeer{caller: p.caller, spec: s, show: mark.show, stream: true}
	house := &apiPeer{caller: newCaller(spec{Server: s.House, Token: s.HouseKey}), spec: s, show: mark.show, stream: true, house: true}
	return []turn{
		{"house", func(n int) (time.Duration, error) { return mark.untilFirst(ctx, s, house, n) }},
		{"stream", func(n int) (time.Duration, error) { return mark.untilFirst(ctx, s, one, n) }},
		{"api", func(n int) (time.Duration, error) {
			began := time.Now()
			took, err := mark.untilFirst(ctx, s, p, n)
			post = posted.Sub(began)
			return took, err
		}},
		{"post", func(int) (time.Duration, error) { return post, nil }},
		{"health", func(int) (time.Duration, error) { return p.alive(ctx) }},
	}
}

// untilFirst makes a run and returns when its first token came.
func (s *stamp) untilFirst(ctx context.Context, sp spec, p peer, n int) (time.Duration, error) {
	s.first = time.Time{}
	began := time.Now()
	err := checkRun(ctx, sp, p, n)
	if err == nil && s.first.IsZero() {
		err = errors.New("no token was shown")
	}
	return s.first.Sub(began), err
}

// A probe makes durable commits alone: of an event of 300 bytes, as an append to a file and as a row in SQLite, and
// of what rein's store writes when a run starts.
type probe struct {
	file    *os.File
	journal *journal
	store   *sqlite.Store
}

func openProbe(ctx context.Context, dir string) (*probe, error) {
	file, err := os.Create(filepath.Join(dir, "probe"))
	if err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(dir, "probe.db"))
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, filepath.Join(dir, "starts.db"), sqlite.Options{})
	return &probe{file, j, s}, err
}

func (p *probe) close() error {
	return errors.Join(p.file.Close(), p.journal.close(), p.store.Close())
}

var probeData = make([]byte, 300)

func (p *probe) fsync(int) (time.Duration, error) {
	began := time.Now()
	if _, err := p.file.Write(probeData); err != nil {
		return 0, err
	}
	err := p.file.Sync()
	return time.Since(began), err
}

func (p *probe) commit(n int) (time.Duration, error) {
	began := time.Now()
	err := p.journal.append(int64(n), 1, "probe", probeData)
	return time.Since(began), err
}

// start writes a run with its first step.
func (p *probe) start(n int) (time.Duration, error) {
	budget := rein.DefaultBudget()
	task := rein.Task{
		Flow: "operate", Household: "home", User: "ann", Session: fmt.Sprintf("s-%d", n), Budget: &budget,
		Messages: []rein.Message{{Role: rein.System, Text: systemText}, {Role: rein.User, Text: userText(n)}},
	}
	at := time.Now()
	_, _, err := p.store.Start(context.Background(), store.Start{
		Run: rein.RunID(fmt.Sprintf("run-%d", n)), Digest: rein.Hash{1}, At: at, Claim: true, Drafts: steps(at)[:1], Start: rein.RunStart{Task: task},
	})
	return time.Since(at), err
}
