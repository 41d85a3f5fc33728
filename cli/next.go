package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/terminal"
)

// moveOn follows the run that a message has started which came too late for this one: whoever looks
// on wants to see the answer to it.
func (w *watcher) moveOn(ctx context.Context) bool {
	if !w.mail || w.end == nil || !w.end.End.Completed() {
		return false
	}
	next := w.nextRun(ctx)
	if next == "" {
		return false
	}
	if !w.json {
		w.timeline.Remark("", terminal.Quiet, "a message came too late for it and started run "+safe(string(next)))
	}
	w.root, w.timeline = next, w.newTimeline(next)
	w.cursor, w.end, w.mail = "", nil, false
	clear(w.idle)
	return true
}

// nextRun finds the run of the session that began because of this one. That it cannot be found is no
// reason to fail: the run that was asked for has ended.
func (w *watcher) nextRun(ctx context.Context) rein.RunID {
	info, err := w.link.Run(ctx, w.root)
	if err != nil {
		return ""
	}
	page, err := w.link.Runs(ctx, api.RunQuery{Session: info.Session, Roots: true, After: w.root})
	if err != nil {
		return ""
	}
	for _, later := range page.Runs {
		begun, err := w.link.Events(ctx, later.ID, "", false)
		if err == nil && len(begun.Lines) > 0 && begun.Lines[0].Event != nil && payload[rein.RunStart](*begun.Lines[0].Event).After == w.root {
			return later.ID
		}
	}
	return ""
}
