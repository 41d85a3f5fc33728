package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	apiclient "rein/api/client"
	"rein/engine/guard"
	"rein/journal/feed"
	"rein/server"
	"rein/server/mask"
	"rein/server/port"
	"rein/store"
	"rein/store/sqlite"
	"rein/terminal/tui"
)

// screen measures how long the full-screen terminal takes from a key to the frame that shows it, while a model writes,
// below a timeline of nothing and of many items.
func (b *bench) screen(ctx context.Context) error {
	var small, large figures
	for _, cell := range []struct {
		items int
		into  *figures
	}{{0, &small}, {b.sizes.items, &large}} {
		dir, err := b.newDir()
		if err != nil {
			return err
		}
		if *cell.into, err = b.cell(ctx, spec{Task: "screen", Dir: dir, Steps: cell.items, Runs: b.sizes.keys, Tokens: tokensPerSecond}); err != nil {
			return err
		}
	}
	b.printScreen(small, large)
	return nil
}

const (
	tokensPerSecond = 200
	keysPerSecond   = 25 // more than anybody types
)

// screenRun is the run on the screen.
const screenRun rein.RunID = "screen"

// A desk is a screen with a model behind it that writes, and keys before it.
type desk struct {
	*tui.Model
	store   *sqlite.Store
	feed    *feed.Feed
	program *tea.Program
	framed  chan struct{} // a key was taken, and its frame is drawn

	mu   sync.Mutex
	want string        // what somebody waits for; empty: nobody waits
	here chan struct{} // closed: it is on the screen
}

// screenCell opens the screen on a run with so many items, has the model write, and presses keys.
func screenCell(ctx context.Context, s spec) (f figures, err error) {
	d := &desk{framed: make(chan struct{}, 1)}
	if d.store, err = sqlite.Open(ctx, filepath.Join(s.Dir, "rein.db"), sqlite.Options{}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	d.feed = feed.New(mask.New(d.store, (*guard.Redactor)(nil)))
	defer d.feed.Close()
	writing, err := d.fill(s.Steps)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := d.open(ctx)
	f, err = d.measure(ctx, s, writing)
	cancel()
	<-ended
	return f, err
}

// fill makes a run with so many items whose model is about to write the next text. It returns the step in which it does.
func (d *desk) fill(items int) (rein.StepKey, error) {
	at, budget := time.Now(), rein.DefaultBudget()
	budget.Rounds, budget.ToolCalls, budget.Tokens = 1<<30, 1<<30, 1<<40
	host := rein.Host()
	task := rein.Task{Flow: "operate", Household: host.Household, User: host.User, Session: "s-screen", Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "go"}}}
	_, _, err := d.store.Start(context.Background(), store.Start{Run: screenRun, Digest: rein.Hash{1}, At: at, Claim: true, Start: rein.RunStart{Task: task}})
	if err != nil {
		return "", err
	}
	n := 0
	batch := store.Batch{Run: screenRun, Epoch: 1, Seen: 1 << 40}
	flush := func() error {
		_, err := d.store.Append(context.Background(), batch)
		batch.Drafts = nil
		return err
	}
	add := func(begins rein.StepStart, ends *rein.StepEnd) {
		n++
		step := rein.StepKey(strconv.Itoa(n))
		batch.Drafts = append(batch.Drafts, store.Draft{Kind: rein.StepStarted, Step: step, At: at, Data: begins})
		if ends != nil {
			batch.Drafts = append(batch.Drafts, store.Draft{Kind: rein.StepDone, Step: step, At: at, Data: *ends})
		}
	}
	for i := 0; i < items; i += 2 {
		call := &rein.ToolCall{ID: "c", Name: "read_file", Args: []byte(`{"path":"engine/park.go"}`)}
		add(modelWrites(), &rein.StepEnd{Verb: rein.VerbModel, Message: &rein.Message{Role: rein.Assistant, Text: fmt.Sprintf("I look at part **%d** of it, and `then` at the next one.\n\n- one\n- two", i), Calls: []rein.ToolCall{*call}}})
		add(rein.StepStart{Verb: rein.VerbTool, Call: call}, &rein.StepEnd{Verb: rein.VerbTool, Tool: "read_file", Result: &rein.ToolResult{Status: rein.ToolOK, Text: "package engine\n\nfunc park() {}"}})
		if len(batch.Drafts) > 500 {
			if err := flush(); err != nil {
				return "", err
			}
		}
	}
	add(modelWrites(), nil)
	return rein.StepKey(strconv.Itoa(n)), flush()
}

// modelWrites begins a reply that people see as it is written.
func modelWrites() rein.StepStart {
	return rein.StepStart{Verb: rein.VerbModel, About: rein.About{Phase: "act"}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}
}

// driven stands for the engine: the run is driven elsewhere.
type driven struct{ port.Commander }

func (driven) Resume(context.Context, rein.RunID, string) error { return nil }

// open puts the screen on a terminal of 80 by 24 that nobody sees.
func (d *desk) open(ctx context.Context) (ended chan error) {
	handler := server.New(server.Options{
		Store: mask.New(d.store, (*guard.Redactor)(nil)), Feed: d.feed, Accounts: d.store, Engine: driven{},
		Who:    func(*http.Request) (rein.Identity, error) { return rein.Host(), nil },
		Health: func() api.Health { return api.Health{} },
	})
	d.Model = tui.New(ctx, tui.Options{Client: apiclient.Handler(handler), Session: "s-screen", Unicode: true})
	d.program = tea.NewProgram(d, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithWindowSize(80, 24), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	ended = make(chan error, 1)
	go func() {
		_, err := d.program.Run()
		ended <- err
	}()
	d.program.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return ended
}

// Update draws a frame after each key, and after each message while somebody waits for something.
func (d *desk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := d.Model.Update(msg)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.want != "" && strings.Contains(d.View().Content, d.want) {
		d.want = ""
		close(d.here)
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		d.View()
		d.framed <- struct{}{}
	}
	return d, cmd
}

// shows waits until something is on the screen.
func (d *desk) shows(ctx context.Context, what string) error {
	here := make(chan struct{})
	d.mu.Lock()
	d.want, d.here = what, here
	d.mu.Unlock()
	select {
	case <-here:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the screen never shows %q: %w", what, ctx.Err())
	}
}

// measure has the model write, and presses keys meanwhile.
func (d *desk) measure(ctx context.Context, s spec, step rein.StepKey) (figures, error) {
	stop := d.write(step, s.Tokens)
	defer stop()
	if err := d.shows(ctx, "token"); err != nil {
		return nil, err
	}
	f, m := figures{}, startMeter(s)
	end, err := profile(s)
	if err != nil {
		return nil, err
	}
	f.spread("type", d.press(s.Runs, tea.KeyPressMsg{Code: 'a', Text: "a"}, tea.KeyPressMsg{Code: tea.KeyBackspace}))
	f.spread("scroll", d.press(s.Runs, tea.KeyPressMsg{Code: tea.KeyPgUp}, tea.KeyPressMsg{Code: tea.KeyPgDown}))
	m.read(f)
	f["cpu_share"] = f["cpu_s"] / f["wall_s"]
	return f, end()
}

// press presses two keys in turn, and returns how many milliseconds passed from each to its frame.
func (d *desk) press(n int, keys ...tea.KeyPressMsg) (ms []float64) {
	next := time.NewTicker(time.Second / keysPerSecond)
	defer next.Stop()
	for i := range n {
		<-next.C
		sent := time.Now()
		d.program.Send(keys[i%len(keys)])
		<-d.framed
		ms = append(ms, float64(time.Since(sent))/float64(time.Millisecond))
	}
	return ms
}

// write has the model write so many tokens in a second, until it is stopped.
func (d *desk) write(step rein.StepKey, perSecond int) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		next := time.NewTicker(time.Second / time.Duration(perSecond))
		defer next.Stop()
		for n, offset := 0, 0; ; n++ {
			text := "token "
			if n%100 == 99 {
				text = "**token**\n\n" // a paragraph ends
			}
			d.feed.OnDelta(rein.Delta{Run: screenRun, Step: step, Attempt: 1, Offset: offset, Text: text})
			offset += len(text)
			select {
			case <-next.C:
			case <-over:
				return
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}
