package server_test

import (
	"context"
	"iter"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/flow"
	"rein/flow/chat"
	"rein/household/agenda"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/page"
	"rein/household/people"
	"rein/household/recall"
	"rein/household/schedule"
	"rein/household/shelf"
	rigs "rein/internal/rig"
	"rein/journal/feed"
	"rein/replay"
	"rein/server"
	"rein/server/live"
	"rein/store/sqlite"
)

// A rig is a whole owner of data: store, engine, feed and API on a unix socket.
type rig struct {
	*testing.T
	*client.Client
	dir     string
	socket  string
	store   *sqlite.Store
	engine  *engine.Engine
	feed    *feed.Feed
	hints   *live.Hub
	people  *people.People
	handler http.Handler
	model   *teller
	worker  *work.Worker
	flows   map[string]rein.Flow
	forks   *replay.Forks
	stop    func() // as an owner shuts down
}

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

func newRig(t *testing.T) *rig {
	t.Helper()
	before := goroutines()
	r := &rig{T: t, dir: t.TempDir()}
	r.socket = filepath.Join(r.dir, "rein.sock")
	r.Client = client.Unix(r.socket)
	r.begin()
	t.Cleanup(func() {
		r.stop()
		leftOver(t, before)
	})
	return r
}

// begin starts an owner of the data; it can be called again after stop.
func (r *rig) begin() {
	r.Helper()
	process := rigs.Open(r, rigs.Options{Dir: r.dir})
	r.store, r.feed, r.model = process.Store, process.Feed, newTeller()
	r.hints = live.New(r.store, live.Options{Every: time.Millisecond})
	all := flows.All()
	for name, f := range flow.All() {
		all[name] = f
	}
	all["chat"] = rein.Flow{Do: chat.Do} // as it was before it read its session: a run of one step
	r.worker, r.flows = rigs.Worker(r.model, nil), all
	r.forks = &replay.Forks{Store: r.store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) { return r.engine.Command(ctx, c) }}
	r.forks.Wrap(r.worker)
	process.Begin(engine.Options{Flows: all, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: r.worker, Began: r.forks.Began, Precedent: r.forks.Precedent})
	r.engine = process.Engine
	r.people = &people.People{Tables: r.store}
	check(r, r.people.Begin(context.Background()))
	r.handler = r.handlerFor(who)
	l, err := client.Listen(r.socket)
	check(r, err)
	handler := r.handler // a test may put another in its place
	process.Serve(func(ctx context.Context) error { return server.Serve(ctx, l, handler, nil) })
	r.stop = func() {
		r.hints.Close()
		process.Leave()
	}
}

// handlerFor returns the API as one that recognises people so.
func (r *rig) handlerFor(who func(*http.Request) (rein.Identity, error)) http.Handler {
	return checked(r, server.New(server.Options{
		Agenda: agendaOf(r.store),
		Memory: &recall.Book{Tables: r.store, Find: &recall.Finder{}},
		Page:   &page.Book{Tables: r.store}, Feedback: &feedback.Book{Tables: r.store}, Lists: &lists.Book{Tables: r.store}, Jobs: &schedule.Desk{Tables: r.store}, Live: r.hints, Tables: r.store, Again: again{r.forks, r},
		Engine: r.engine, Store: r.store, Feed: r.feed, Who: who, People: r.people, Shelf: &shelf.Shelf{Tables: r.store}, Accounts: r.store, Checkpoints: r.store, Verifier: r.store, Ceiling: rein.MaxBudget(),
		Health: func() api.Health { return api.Health{Version: "test", Data: r.dir, Live: r.engine.Live()} },
	}))
}

// agendaOf is the agendas of a store.
func agendaOf(s *sqlite.Store) *server.Agenda {
	return &server.Agenda{
		Book: agenda.Book{Tables: s}, Zone: func() string { return "Europe/Amsterdam" }, URL: func() string { return "https://rein.example.org" },
	}
}

// who lets a test be someone else.
func who(r *http.Request) (rein.Identity, error) {
	switch name := r.Header.Get("X-User"); name {
	case "":
		return server.Host(r)
	case "nobody":
		return rein.Identity{}, rein.Errorf(rein.CodeForbidden, "nobody may do nothing")
	case "stranger":
		return rein.Identity{Household: "elsewhere", User: "owner", Role: rein.Owner, Scopes: rein.Scopes()}, nil
	default:
		return rein.Identity{Household: "home", User: name, Role: rein.Member, Scopes: rein.Scopes()}, nil
	}
}

// as returns a client that is someone else.
func (r *rig) as(user string) *client.Client {
	return client.Handler(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Set("X-User", user)
		r.handler.ServeHTTP(w, req)
	}))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, what string, err error, code rein.Code, says ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("%s: error %v has code %q, want %q", what, err, rein.CodeOf(err), code)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: error does not say %q: %v", what, s, err)
		}
	}
}

func task(flow, text string) rein.Task {
	return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

func (r *rig) start(id rein.RunID, task rein.Task) {
	r.Helper()
	_, err := r.Start(context.Background(), id, task)
	check(r, err)
}

// goroutines returns the stacks of all goroutines.
func goroutines() map[string]bool {
	buffer := make([]byte, 4<<20)
	out := map[string]bool{}
	for stack := range strings.SplitSeq(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
		id, _, _ := strings.Cut(stack, " [")
		out[id] = true
		if strings.Contains(stack, "rein/") && !strings.Contains(stack, "testing.(*T).Run") {
			out[stack] = true
		}
	}
	return out
}

// leftOver fails if goroutines of ours are there that were not before. They may take a moment to end.
func leftOver(t *testing.T, before map[string]bool) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); runtime.Gosched() {
		left = nil
		for stack := range goroutines() {
			id, _, found := strings.Cut(stack, " [")
			if found && !before[id] && !strings.Contains(stack, "server_test.goroutines") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("left running:\n%s", strings.Join(left, "\n\n"))
}

// A teller is a model that writes what the test lets it: each piece when it is allowed.
type teller struct {
	pieces chan string // "" ends the reply
}

func newTeller() *teller { return &teller{pieces: make(chan string)} }

func (*teller) Info() rein.ModelInfo { return rein.ModelInfo{Name: "teller", MaxOutput: 1000} }

// Generate says "echo: " and the last message at once, unless that is "wait": then it waits for pieces.
func (m *teller) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	var said strings.Builder
	say := func(text string) {
		said.WriteString(text)
		if show != nil {
			show(text)
		}
	}
	if asked := r.Messages[len(r.Messages)-1].Text; asked != "wait" {
		say("echo: ")
		say(asked)
		return reply(said.String()), nil
	}
	for {
		select {
		case piece := <-m.pieces:
			if piece == "" {
				return reply(said.String()), nil
			}
			say(piece)
		case <-ctx.Done():
			return rein.ModelReply{}, ctx.Err()
		}
	}
}

func reply(text string) rein.ModelReply {
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: text}, Usage: &rein.Usage{Input: 1, Output: 1}}
}

// tell lets the model write a piece.
func (r *rig) tell(pieces ...string) {
	r.Helper()
	for _, piece := range pieces {
		select {
		case r.model.pieces <- piece:
		case <-time.After(patience):
			r.Fatal("no model waits for a piece")
		}
	}
}

// A reader follows in a goroutine and hands over one line at a time.
type reader struct {
	*testing.T
	lines  chan api.Line
	err    chan error
	cancel context.CancelFunc
	seq    map[rein.RunID]int64 // of the newest event; there must be no gap
}

func follow(t *testing.T, c *client.Client, run rein.RunID, o client.FollowOptions) *reader {
	return read(t, func(ctx context.Context) iter.Seq2[api.Line, error] { return c.Follow(ctx, run, o) })
}

// read reads a feed.
func read(t *testing.T, feed func(context.Context) iter.Seq2[api.Line, error]) *reader {
	ctx, cancel := context.WithCancel(context.Background())
	f := &reader{T: t, lines: make(chan api.Line), err: make(chan error, 1), cancel: cancel, seq: map[rein.RunID]int64{}}
	go func() {
		var last error
		for line, err := range feed(ctx) {
			if err != nil {
				last = err
				break
			}
			select {
			case f.lines <- line:
			case <-ctx.Done():
			}
		}
		f.err <- last
	}()
	t.Cleanup(cancel)
	return f
}

func (f *reader) next() (line api.Line, over bool) {
	f.Helper()
	select {
	case line = <-f.lines:
		if e := line.Event; e != nil {
			if has := f.seq[e.Run]; has > 0 && e.Seq != has+1 {
				f.Errorf("event %d of %s comes after %d", e.Seq, e.Run, has)
			}
			f.seq[e.Run] = e.Seq
		}
		return line, false
	case err := <-f.err:
		if err != nil {
			f.Fatalf("the feed ended: %v", err)
		}
		return line, true
	case <-time.After(patience):
		f.Fatal("no line came")
	}
	return line, true
}

// until reads lines up to one that the condition holds for.
func (f *reader) until(what string, is func(api.Line) bool) api.Line {
	f.Helper()
	for {
		line, over := f.next()
		if over {
			f.Fatalf("no %s came", what)
		}
		if is(line) {
			return line
		}
	}
}

func (f *reader) untilKind(run rein.RunID, kind rein.Kind) api.Line {
	f.Helper()
	return f.until(string(kind), func(l api.Line) bool { return l.Event != nil && l.Event.Run == run && l.Event.Kind == kind })
}

// wantText reads lines up to a piece of text, which must be this.
func (f *reader) wantText(offset int, text string) {
	f.Helper()
	d := f.until("text", func(l api.Line) bool { return l.Delta != nil }).Delta
	if d.Offset != offset || d.Text != text {
		f.Fatalf("text is %q at %d, want %q at %d", d.Text, d.Offset, text, offset)
	}
}

// wantEnd reads to the end.
func (f *reader) wantEnd() (lines []api.Line) {
	f.Helper()
	for {
		line, over := f.next()
		if over {
			return lines
		}
		lines = append(lines, line)
	}
}
