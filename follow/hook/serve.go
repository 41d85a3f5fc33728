package hook

import (
	"context"
	"time"

	"rein"
	"rein/follow/notify"
	"rein/internal/digest"
	"rein/store"
)

const (
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

// replies sends the replies that can be sent, and returns when to look again at the latest.
func (h *Hooks) replies(ctx context.Context) (next time.Time) {
	now := h.now()
	next = now.Add(sweepEvery)
	var owed []request
	err := h.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
		if _, err := tx.ExecContext(ctx, `DELETE FROM hook_requests WHERE at < ? AND reply = 0`, now.Add(-keepFor).UnixMicro()); err != nil {
			return err
		}
		owed, err = requests(ctx, tx, "reply <> 0 AND reply <= ? ORDER BY reply, hook, id LIMIT 100", now.UnixMicro())
		return err
	})
	for _, r := range owed {
		wait, failed := h.reply(ctx, r)
		if err = failed; err != nil && ctx.Err() == nil {
			h.opts.Warn("a hook cannot be replied to", "hook", r.hook, "error", err)
		}
		if wait > 0 && now.Add(wait).Before(next) {
			next = now.Add(wait)
		}
	}
	if err != nil && ctx.Err() == nil && len(owed) == 0 {
		h.opts.Warn("hooks cannot be read", "error", err)
	}
	return next
}

// reply sends the reply to one request, if its run has ended. wait is when it is tried again.
func (h *Hooks) reply(ctx context.Context, r request) (wait time.Duration, err error) {
	found, err := h.read(ctx, "id = ?", r.hook)
	if err != nil || len(found) == 0 || found[0].URL == "" {
		return 0, err
	}
	info, err := h.opts.Store.Run(ctx, r.run)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		return 0, h.over(ctx, r)
	case err != nil || !info.Status.Ended():
		return 0, err
	}
	if r.command != "" {
		if next, err := h.startedBy(ctx, r); next != "" || err != nil {
			return time.Millisecond, h.change(ctx, r, `run = ?, command = ''`, err, string(next))
		}
	}
	end := info.End()
	m := Message{ID: digest.Listed(16, "reply", r.hook, r.id), Kind: "reply", Time: info.Ended, Text: end.Text, Run: r.run, InReplyTo: r.id, End: end.End}
	if end.Failure != nil && m.Text == "" {
		m.Text = end.Failure.Msg
	}
	err = h.post(ctx, found[0], m)
	if err == nil || h.now().Sub(r.at) > notify.Patience {
		return 0, h.change(ctx, r, `reply = 0`, nil)
	}
	wait = min(h.pause<<min(r.tries, 10), time.Hour)
	if wrong := h.change(ctx, r, `reply = ?, tries = tries + 1`, nil, h.now().Add(wait).UnixMicro()); wrong != nil {
		return wait, wrong
	}
	return wait, err
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
