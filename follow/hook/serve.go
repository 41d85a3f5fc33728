package hook

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/follow/notify"
	"rein/internal/digest"
	"rein/store"
)

const (
	atOnce     = 100
	parallel   = 8 // hooks that are replied to at once
	sweepEvery = 5 * time.Minute
	keepFor    = 2 * notify.Patience // longer than a reply is tried, and than a signature holds
)

// Serve sends the replies to what came through hooks, until the context ends. A reply comes at least once, with the same ID.
func (h *Hooks) Serve(ctx context.Context) error {
	stop := h.news.Watch(h.opts.Store, func(_ *bool, marks []store.Mark) bool {
		for _, m := range marks {
			if m.Kind.Ends() && m.Run.Depth() == 0 {
				return true
			}
		}
		return false
	})
	defer stop()
	defer h.sends.http.CloseIdleConnections()
	for ctx.Err() == nil {
		h.news.Read()
		next := h.replies(ctx)
		timer := time.NewTimer(min(sweepEvery, max(0, next.Sub(h.now()))))
		select {
		case <-ctx.Done():
		case <-h.news.Some:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// replies sends the replies that can be sent, and returns when to look again at the latest. It goes through all that are
// owed, so that many that wait for their runs hold up none of somebody else.
func (h *Hooks) replies(ctx context.Context) (next time.Time) {
	now := h.now()
	next = now.Add(sweepEvery)
	if err := h.forget(ctx, now); err != nil && ctx.Err() == nil {
		h.opts.Warn("requests of hooks cannot be forgotten", "error", err)
	}
	last := request{}
	for more := true; more && ctx.Err() == nil; {
		owed, err := h.owed(ctx, now, last)
		if err != nil {
			h.opts.Warn("hooks cannot be read", "error", err)
			return next
		}
		if more = len(owed) == atOnce; more {
			last = owed[atOnce-1]
		}
		if h.replyAll(ctx, owed) {
			next = now
		}
	}
	if due, err := h.nextDue(ctx, now); err == nil && !due.IsZero() && due.Before(next) {
		next = due
	}
	return next
}

// nextDue returns when the first reply is due that is not due yet; zero: none is. Those that are due wait for their runs.
func (h *Hooks) nextDue(ctx context.Context, now time.Time) (at time.Time, err error) {
	err = h.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		first, err := scan(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) },
			`SELECT reply FROM hook_requests WHERE reply > ? ORDER BY reply LIMIT 1`, now.UnixMicro())
		if len(first) > 0 {
			at = time.UnixMicro(first[0])
		}
		return err
	})
	return at, err
}

// replyAll sends the replies to requests, to several hooks at once, and reports whether there is more to do now. A hook that
// fails or is slow keeps nobody waiting but itself: the rest of its replies come in the next round.
func (h *Hooks) replyAll(ctx context.Context, owed []request) bool {
	var more atomic.Bool
	var all sync.WaitGroup
	slots := make(chan struct{}, parallel)
	for len(owed) > 0 {
		n := slices.IndexFunc(owed, func(r request) bool { return r.hook != owed[0].hook })
		if n < 0 {
			n = len(owed)
		}
		own := owed[:n]
		owed = owed[n:]
		slots <- struct{}{} // every reply has a time limit
		all.Go(func() {
			defer func() { <-slots }()
			if h.replyTo(ctx, own) {
				more.Store(true)
			}
		})
	}
	all.Wait()
	return more.Load()
}

// replyTo sends the replies to requests of one hook, until one fails or they have taken too long.
func (h *Hooks) replyTo(ctx context.Context, owed []request) (more bool) {
	began := time.Now()
	for _, r := range owed {
		again, err := h.reply(ctx, r)
		more = more || again
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			h.opts.Warn("a hook cannot be replied to", "hook", r.hook, "error", err)
			return more
		case time.Since(began) > tryLimit:
			return true
		}
	}
	return more
}

// forget removes requests that came long ago and are owed nothing.
func (h *Hooks) forget(ctx context.Context, now time.Time) error {
	return h.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM hook_requests WHERE at < ? AND reply = 0`, now.Add(-keepFor).UnixMicro())
		return err
	})
}

// owed returns requests that a reply is owed to by now, after another one.
func (h *Hooks) owed(ctx context.Context, now time.Time, after request) (found []request, err error) {
	err = h.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = requests(ctx, q, "reply <> 0 AND reply <= ? AND (hook, id) > (?, ?) ORDER BY hook, id LIMIT ?", now.UnixMicro(), after.hook, after.id, atOnce)
		return err
	})
	return found, err
}

// reply sends the reply to one request, if its run has ended. again says that there is more to do for it now.
func (h *Hooks) reply(ctx context.Context, r request) (again bool, err error) {
	found, err := h.read(ctx, "id = ?", r.hook)
	if err != nil || len(found) == 0 || found[0].URL == "" {
		return false, err
	}
	info, err := h.opts.Store.Run(ctx, r.run)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		return false, h.over(ctx, r)
	case err != nil || !info.Status.Ended():
		return false, err
	}
	if r.command != "" {
		if next, err := h.startedBy(ctx, r); next != "" || err != nil {
			return true, h.change(ctx, r, `run = ?, command = ''`, err, string(next))
		}
	}
	end := info.End()
	m := Message{ID: digest.Listed(16, "reply", r.hook, r.id), Kind: "reply", Time: info.Ended, Text: end.Text, Run: r.run, InReplyTo: r.id, End: end.End}
	if end.Failure != nil && m.Text == "" {
		m.Text = end.Failure.Msg
	}
	err = h.post(ctx, found[0], m)
	if err == nil || h.now().Sub(r.at) > notify.Patience {
		return false, h.change(ctx, r, `reply = 0`, nil)
	}
	wait := min(h.pause<<min(r.tries, 10), time.Hour)
	if wrong := h.change(ctx, r, `reply = ?, tries = tries + 1`, nil, h.now().Add(wait).UnixMicro()); wrong != nil {
		return false, wrong
	}
	return false, err
}

// startedBy returns the run that a message started which came too late for its run.
func (h *Hooks) startedBy(ctx context.Context, r request) (rein.RunID, error) {
	receipts, err := h.opts.Store.Receipts(ctx, r.run)
	for _, receipt := range receipts {
		if receipt.Command == r.command && receipt.State == rein.ReceiptStarted {
			return receipt.Started, err
		}
	}
	return "", err
}

func (h *Hooks) over(ctx context.Context, r request) error { return h.change(ctx, r, `reply = 0`, nil) }

// change changes what is kept of a request, unless there is an error already.
func (h *Hooks) change(ctx context.Context, r request, set string, err error, args ...any) error {
	if err != nil {
		return err
	}
	return h.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE hook_requests SET `+set+` WHERE hook = ? AND id = ?`, append(args, r.hook, r.id)...)
		return err
	})
}
