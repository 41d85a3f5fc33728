package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"rein"
	"rein/terminal"
)

// waits tells what is open and how to answer it.
func (w *watcher) waits() error {
	w.timeline.Own("", "", "run "+safe(string(w.root))+" waits for a person:")
	for _, ask := range w.left {
		w.timeline.Say("", "", "  "+string(ask.Kind)+": "+short(ask.Text, 160)+origin(ask, w.root))
		w.timeline.Own("", "", "  "+w.tip("answer "+string(ask.ID))+" shows it in full and takes your answer")
	}
	w.timeline.Own("", "", "then "+w.tip("resume "+string(w.root)))
	return quiet(exitWaits)
}

// origin says which child asks.
func origin(ask rein.Ask, root rein.RunID) string {
	if ask.Run == root {
		return ""
	}
	return " (asked by run " + safe(string(ask.Run)) + ")"
}

// signal stops the run at the first Ctrl-C and leaves at the second, or at once if the person is
// being asked. Other signals mean that this process must go; the run need not.
func (w *watcher) signal(ctx context.Context, s os.Signal) error {
	if s != os.Interrupt || w.prompt != nil || w.stops > 0 {
		return w.leave(exitLeft)
	}
	w.stops++
	w.timeline.Remark("", terminal.Ask, "stopping the run; Ctrl-C again leaves at once")
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	w.timeline.Sent = "Ctrl-C"
	_, err := w.link.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: w.root, Text: w.timeline.Sent})
	switch rein.CodeOf(err) {
	case "", rein.CodeFinished:
		w.ending = true
		return nil
	}
	return err
}

// leave goes while the run is under way or waits.
func (w *watcher) leave(code int) error {
	if w.decide != nil || w.fleeting {
		return quiet(code)
	}
	if w.prompt != nil {
		ask := w.prompt.Ask
		w.timeline.Own("", "", "it stays open: "+w.tip("answer "+string(ask.ID))+" shows it in full and takes your answer")
	}
	w.timeline.Own("", "", w.kept())
	return quiet(code)
}

// kept says what becomes of the run when this process goes. A stop that was recorded cannot be taken
// back, and a run that another process drives does not wait for anyone to resume it, unless it waits for an
// answer: then that process may have ended when the answer comes.
func (w *watcher) kept() string {
	run, resume := "run "+safe(string(w.root)), w.tip("resume "+string(w.root))
	switch {
	case w.ending && !w.link.Owns():
		return fmt.Sprintf("%s is being stopped by process %d, and its work is kept: %s shows how it ended", run, w.link.PID(), w.tip("show "+string(w.root)))
	case w.ending:
		return run + " is being stopped, and its work is kept: if a call delays that, " + resume + " ends it"
	case !w.link.Owns() && w.prompt == nil:
		return fmt.Sprintf("%s continues in process %d: %s follows it", run, w.link.PID(), resume)
	}
	return run + " is kept: " + resume + " continues it"
}

// result tells how the run ended.
func (w *watcher) result(ctx context.Context) error {
	if w.end == nil { // it ended before the place from where it was followed
		run, err := w.link.Run(ctx, w.root)
		if err != nil {
			return err
		}
		end := run.End()
		w.end = &end
	}
	if !w.json {
		w.timeline.Ended(*w.end)
		w.stillRunning(ctx)
	}
	return exitOf(w.end.End)
}
