// Package vault searches and reads a folder of Markdown notes. It follows the folder as people edit
// it, keeps its index elsewhere, and never leaves the folder or writes to it.
package vault

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/internal/turn"
	"rein/vault/chunk"
	"rein/vault/index"
)

// Options say which notes a vault has and how they are searched.
type Options struct {
	Root    *os.Root // the folder; the vault does not close it
	Include []string // folders; none means all
	Exclude []string // folders; these win
	Index   string   // the folder of the index, of this vault only
	// Embedder makes vectors; nil searches by words alone.
	Embedder Embedder
	// Windows cuts a text into parts that the embedder reads whole; nil cuts at about 1000 characters.
	Windows func(text string) []string
	// Brief shortens a question to what the embedder reads at once; nil makes a vector of each of its
	// windows, and they count alike.
	Brief func(text string) string
	// Progress is told how indexing goes, often, by one goroutine at a time; it must not block.
	Progress func(Progress)
	// Rescan is how often the folder is looked through for what no event told; zero means every minute.
	Rescan time.Duration
	// Still keeps the vault from following edits: it changes with Sync and Refresh only.
	Still bool
}

// An Embedder makes vectors of texts. Vectors of different IDs are never compared.
type Embedder interface {
	ID() string
	Dim() int
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A Vault is safe for use by many at once.
type Vault struct {
	folder   *folder
	index    *index.Index
	embedder Embedder
	windows  func(string) []string
	brief    func(string) string
	progress func(Progress)
	chunking chunk.Options
	asked    *queryVectors
	turns    *turn.Gate // a search keeps the cores busy

	stop     context.CancelFunc
	done     sync.WaitGroup
	requests chan request
	wake     chan struct{} // there may be passages without vectors
	scanned  chan struct{} // closed when the first look through the folder has ended

	changes atomic.Int64 // of the index; what is known of links is of one of them
	links   atomic.Pointer[graph]

	telling sync.Mutex // one call of progress at a time

	mu       sync.Mutex
	skipped  map[string]string   // path → why it is not indexed
	other    *otherFiles         // of them those that are no notes; nil: to be made
	sure     map[string]int64    // path → time of change that is known to be that of its newest text
	hopeless map[chunk.Hash]bool // passages that the embedder refuses
	needing  int                 // searches that make vectors
	working  Progress            // the newest
	embedErr error               // why there are no new vectors
	watchErr error               // why edits are seen late
	writeErr error               // why the index is behind
	quiet    chan struct{}       // closed and replaced whenever all vectors are made, or cannot be
}

// Open opens a vault. What changed since its index was left is read in the background; the first search
// waits for the words of it, for a while. End it with Close.
func Open(ctx context.Context, o Options) (*Vault, error) {
	if o.Root == nil || o.Index == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "open vault: it needs a root and a folder for its index")
	}
	f, err := newFolder(o.Root, o.Include, o.Exclude)
	if err != nil {
		return nil, err
	}
	io := index.Options{Dir: o.Index}
	if o.Embedder != nil {
		if io.Embedder, io.Dim = o.Embedder.ID(), o.Embedder.Dim(); io.Embedder == "" || io.Dim <= 0 {
			return nil, rein.Errorf(rein.CodeInvalid, "open vault: the embedder has no ID or no dimension")
		}
	}
	x, err := index.Open(io)
	if err != nil {
		return nil, err
	}
	v := &Vault{
		folder: f, index: x, embedder: o.Embedder, windows: o.Windows, brief: o.Brief, progress: o.Progress, asked: newQueryVectors(), turns: turn.New(max(2, runtime.GOMAXPROCS(0))),
		requests: make(chan request), wake: make(chan struct{}, 1), skipped: map[string]string{}, sure: map[string]int64{}, hopeless: map[chunk.Hash]bool{}, quiet: make(chan struct{}),
		scanned: make(chan struct{}),
	}
	if v.windows == nil {
		v.windows = plainWindows
	}
	if err := v.dropRefused(); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	v.start(context.WithoutCancel(ctx), o)
	return v, nil
}

func (v *Vault) start(ctx context.Context, o Options) {
	ctx, v.stop = context.WithCancel(ctx)
	rescan := o.Rescan
	if rescan <= 0 {
		rescan = time.Minute
	}
	keeper := &keeper{vault: v, rescan: rescan, still: o.Still}
	if !o.Still {
		keeper.watch()
	}
	v.done.Go(func() { keeper.run(ctx) })
	v.done.Go(func() { v.mergeLoop(ctx) })
	if v.embedder != nil {
		v.done.Go(func() { v.embedLoop(ctx) })
	}
}

// Close ends the vault. What is under way stops soon and goes on when it is next opened.
func (v *Vault) Close() error {
	v.stop()
	v.done.Wait()
	return v.index.Close()
}

// A request asks the keeper to look at paths now.
type request struct {
	paths []string
	done  chan error
}

// Sync looks through the whole folder now and returns when words of what it holds are searchable.
func (v *Vault) Sync(ctx context.Context) error { return v.Refresh(ctx, ".") }

// Refresh looks at paths now, files or folders, and returns when what they hold is searchable by
// words. It is for who has just written them.
func (v *Vault) Refresh(ctx context.Context, paths ...string) error {
	r := request{paths: paths, done: make(chan error, 1)}
	select {
	case v.requests <- r:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitVectors returns when every passage has vectors, or says why there will be none for now.
func (v *Vault) WaitVectors(ctx context.Context) error {
	if v.embedder == nil {
		return nil
	}
	before, same := -1, 0
	for {
		v.mu.Lock()
		quiet, err := v.quiet, v.embedErr
		v.mu.Unlock()
		left := v.index.Waiting()
		if left == 0 || err != nil {
			return err
		}
		if same++; left != before {
			before, same = left, 0
		}
		if same == 2 { // the first round may have begun before we looked
			return rein.Errorf(rein.CodeProvider, "the embedder refuses %d passages, or their notes are changing", left)
		}
		v.wakeEmbedder()
		select {
		case <-quiet:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (v *Vault) wakeEmbedder() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// stopped reports whether an error only says that the vault was closed.
func stopped(err error) bool { return errors.Is(err, context.Canceled) }
