package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"time"

	"rein"
	"rein/api"
)

// FollowOptions say from where, and how much, is followed.
type FollowOptions struct {
	After string // a cursor: what came before it is not sent again
	Tree  bool   // everything below the run too
}

// How a broken connection is restored: this many attempts without a line in between, each after a longer
// pause.
const (
	maxTries   = 8
	firstPause = 20 * time.Millisecond
	maxPause   = time.Second
)

const eventStream = "text/event-stream"

// silence is how long a connection may be without even a heartbeat before it counts as dead.
const silence = time.Minute

// Follow yields the log of a run, from its beginning or from the cursor, and follows it as it grows, with
// the text that models are writing in between. It ends when the run has ended. A broken connection is
// restored: every event still comes once and in order, and no piece of text comes twice. If that does not
// succeed, or the server refuses, the last pair has the error. A line with Resync says that the log is not
// the one that was followed before: forget what you read, all of it comes again.
func (c *Client) Follow(ctx context.Context, run rein.RunID, o FollowOptions) iter.Seq2[api.Line, error] {
	return func(yield func(api.Line, error) bool) {
		f := newFollower(c, run, o)
		f.follow(ctx, f.get, yield)
	}
}

// StartAndFollow starts a run and yields its log as Follow does, with one request instead of two: the first
// words of a model come sooner. The ID is needed, and so is the task; the log comes from its beginning, whatever
// o.After says. Of a run that exists with the same task it is Follow. If the start is refused, or gets no answer, the
// only pair has the error: starting it again is safe.
func (c *Client) StartAndFollow(ctx context.Context, id rein.RunID, task rein.Task, o FollowOptions) iter.Seq2[api.Line, error] {
	return func(yield func(api.Line, error) bool) {
		if id == "" {
			yield(api.Line{}, rein.Errorf(rein.CodeInvalid, "a run that is started and followed needs an ID: take api.NewRunID"))
			return
		}
		o.After = ""
		f := newFollower(c, id, o)
		f.unsure = true
		f.follow(ctx, func(ctx context.Context) (*http.Response, error) { return f.start(ctx, task) }, yield)
	}
}

func newFollower(c *Client, run rein.RunID, o FollowOptions) *follower {
	return &follower{client: c, run: run, cursor: o.After, tree: o.Tree, shown: map[stepOf]shown{}}
}

// follow reads a first connection and, when it breaks, as many others as it takes.
func (f *follower) follow(ctx context.Context, first opener, yield func(api.Line, error) bool) {
	open := first
	for try := 0; ; {
		got, err := f.connect(ctx, open, yield)
		switch {
		case errors.Is(err, errOver):
			return
		case ctx.Err() != nil:
			yield(api.Line{}, ctx.Err())
			return
		case !retryable(err), f.unsure:
			yield(api.Line{}, err)
			return
		}
		if got {
			try = 0
		}
		if try++; try > maxTries {
			yield(api.Line{}, rein.Errorf(rein.CodeUnavailable, "the feed of run %s broke off: %w", f.run, err))
			return
		}
		if !pause(ctx, try) {
			yield(api.Line{}, ctx.Err())
			return
		}
		open = f.get
	}
}

// An opener asks for a stream of the run.
type opener func(context.Context) (*http.Response, error)

// get asks for what comes after the cursor.
func (f *follower) get(ctx context.Context) (*http.Response, error) {
	return f.client.send(ctx, http.MethodGet, runPath(f.run)+"/events", feedQuery(f.cursor, f.tree), nil, eventStream)
}

// start starts the run and asks for its stream. A server that is older than this client answers without one,
// and refuses the parameter: then these are two requests.
func (f *follower) start(ctx context.Context, task rein.Task) (*http.Response, error) {
	answer, err := f.client.send(ctx, http.MethodPost, "/v1/runs", feedQuery("", f.tree), api.NewRun{ID: f.run, Task: task}, eventStream)
	if f.tree && rein.CodeOf(err) == rein.CodeInvalid {
		_, err = f.client.Start(ctx, f.run, task)
	}
	if err != nil {
		return nil, err
	}
	f.unsure = false
	if answer == nil {
		return f.get(ctx)
	}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == eventStream {
		return answer, nil
	}
	answer.Body.Close()
	return f.get(ctx)
}

// errOver says that nothing more is wanted or comes.
var errOver = errors.New("over")

// retryable reports whether another attempt may help after this error.
func retryable(err error) bool {
	code := rein.CodeOf(err)
	return code == rein.CodeUnavailable || code == rein.CodeTimeout
}

// pause waits before the try with the number; it reports false if the context ends.
func pause(ctx context.Context, try int) bool {
	timer := time.NewTimer(min(firstPause<<(try-1), maxPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// A follower remembers what its reader has been given, over any number of connections.
type follower struct {
	client *Client
	run    rein.RunID
	cursor string
	tree   bool
	unsure bool             // it is to be started, and no answer has come yet
	shown  map[stepOf]shown // of the steps under way
}

type stepOf struct {
	run  rein.RunID
	step rein.StepKey
}

// shown is how much of a step's text the reader has.
type shown struct{ attempt, bytes int }

// connect reads one connection to its end. It reports whether a line came.
func (f *follower) connect(ctx context.Context, open opener, yield func(api.Line, error) bool) (got bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	answer, err := open(ctx)
	if err != nil {
		return false, cmp.Or(context.Cause(ctx), err)
	}
	defer answer.Body.Close()
	for message, err := range messages(answer.Body) {
		if err != nil {
			return got, f.broken(ctx, err)
		}
		quiet.Reset(silence)
		over, err := f.take(message, yield)
		got = got || message.event != ""
		if over {
			return got, errOver
		}
		if err != nil {
			return got, err
		}
	}
	return got, f.broken(ctx, io.ErrUnexpectedEOF)
}

var errSilent = rein.Errorf(rein.CodeTimeout, "the server was silent for %s", silence)

func (f *follower) broken(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return rein.Errorf(rein.CodeUnavailable, "the connection to %s broke: %w", f.client.place, err)
}

// take gives the reader what a message brings; over means that it was the last.
func (f *follower) take(m message, yield func(api.Line, error) bool) (over bool, err error) {
	switch m.event {
	case api.StreamEvent, api.StreamDelta, api.StreamResync:
		var line api.Line
		if err := json.Unmarshal(m.data, &line); err != nil {
			return false, rein.Errorf(rein.CodeUnavailable, "the feed of run %s is garbled: %w", f.run, err)
		}
		return f.pass(line, yield), nil
	case api.StreamEnd:
		return true, nil
	case api.StreamError:
		p := api.Problem{}
		if err := json.Unmarshal(m.data, &p); err != nil {
			return false, rein.Errorf(rein.CodeUnavailable, "the feed of run %s is garbled: %w", f.run, err)
		}
		return false, p.Err()
	}
	return false, nil // a heartbeat, or what a newer server says
}

// pass yields what is new of a line.
func (f *follower) pass(line api.Line, yield func(api.Line, error) bool) (over bool) {
	if line.Resync != "" {
		f.cursor = ""
		clear(f.shown)
	} else if d := line.Delta; d != nil {
		if !f.fresh(d) {
			return false
		}
	} else if e := line.Event; e != nil {
		f.cursor = line.Cursor
		f.forget(e)
	}
	return !yield(line, nil)
}

// fresh cuts off what the reader has of a piece of text; it reports false if that is all.
func (f *follower) fresh(d *rein.Delta) bool {
	key := stepOf{d.Run, d.Step}
	has := f.shown[key]
	switch end := d.Offset + len(d.Text); {
	case d.Attempt < has.attempt:
		return false
	case d.Attempt == has.attempt && end <= has.bytes:
		return false
	case d.Attempt == has.attempt && d.Offset < has.bytes:
		d.Text, d.Offset = d.Text[has.bytes-d.Offset:], has.bytes
	}
	f.shown[key] = shown{d.Attempt, d.Offset + len(d.Text)}
	return true
}

// forget lets go of the texts that an event ends.
func (f *follower) forget(e *rein.Event) {
	switch {
	case e.Kind == rein.StepDone, e.Kind == rein.SubDone:
		delete(f.shown, stepOf{e.Run, e.Step})
	case e.Kind.Ends():
		for key := range f.shown {
			if key.run == e.Run {
				delete(f.shown, key)
			}
		}
	}
}
