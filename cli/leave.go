package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"rein"
	"rein/internal/units"
)

// waits tells what is open and how to answer it.
func (w *watcher) waits() error {
	w.timeline.own("", "", "run "+safe(string(w.root))+" waits for a person:")
	for _, ask := range w.left {
		w.timeline.say("", "", "  "+string(ask.Kind)+": "+short(ask.Text, 160)+origin(ask, w.root))
		w.timeline.own("", "", "  "+w.tip("answer "+string(ask.ID))+" shows it whole and takes your answer")
	}
	w.timeline.own("", "", "then "+w.tip("resume "+string(w.root)))
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
	w.timeline.say("", colourAsk, w.screen.signs.note+" stopping it; Ctrl-C again leaves at once")
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	w.timeline.sent = "Ctrl-C"
	_, err := w.link.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: w.root, Text: w.timeline.sent})
	switch rein.CodeOf(err) {
	case "", rein.CodeFinished:
		w.ending = true
		return nil
	}
	return err
}

// leave goes while the run is under way or waits.
func (w *watcher) leave(code int) error {
	if w.decide != nil {
		return quiet(code)
	}
	if w.prompt != nil {
		ask := w.prompt.ask
		w.timeline.own("", "", "it stays open: "+w.tip("answer "+string(ask.ID))+" shows it whole and takes your answer")
	}
	w.timeline.own("", "", w.kept())
	return quiet(code)
}

// kept says what becomes of the run when this process goes. A stop that was recorded cannot be taken
// back, and a run that another process drives does not wait for anyone to resume it.
func (w *watcher) kept() string {
	run, resume := "run "+safe(string(w.root)), w.tip("resume "+string(w.root))
	switch {
	case w.ending && !w.link.Owns():
		return fmt.Sprintf("%s is being stopped by process %d, and its work is kept: %s tells how it ended", run, w.link.PID(), w.tip("show "+string(w.root)))
	case w.ending:
		return run + " is being stopped, and its work is kept: if a call holds that up, " + resume + " ends it"
	case !w.link.Owns():
		return fmt.Sprintf("%s goes on in process %d: %s follows it", run, w.link.PID(), resume)
	}
	return run + " is kept: " + resume + " goes on with it"
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
		w.timeline.ended(*w.end)
	}
	return exitOf(w.end.End)
}

// ended prints the answer, if it is not on the screen yet, and one line about the run.
func (t *timeline) ended(end rein.RunEnd) {
	t.stream.endLine()
	t.stream.shape = nil
	t.stream.whole("end", t.unshown(end.Text))
	t.doubts(end.Data)
	words := t.screen.paint(colourGood, safe(string(end.End)))
	if end.End != rein.EndDone {
		words = t.screen.paint(colourAsk, safe(string(end.End)))
	}
	words += t.unsaid(end.Failure)
	spent := units.Number(t.usage.Input+t.usage.Output) + " tokens"
	if t.usage.Micros > 0 {
		spent += ", cost " + units.Money(t.usage.Micros)
	}
	t.own("", "", words+" ("+spent+"; "+t.tip("show "+string(t.root))+")")
}

// unsaid is what has not been told yet of the error that the run ends with: flows put their own words
// before that of the model.
func (t *timeline) unsaid(f *rein.Failure) string {
	if f == nil {
		return ""
	}
	if before, behind, ok := strings.Cut(f.Msg, t.why); ok && t.why != "" {
		return after(": ", safe(strings.Trim(before+behind, ": ")))
	}
	return ": " + failure(f)
}

// unshown is what is not on the screen yet of the text that the run ends with.
func (t *timeline) unshown(text string) string {
	if !t.screen.text {
		return text
	}
	rest, ok := goesOn(t.answer, text)
	switch {
	case ok && strings.TrimSpace(rest) == "":
		return ""
	case ok && !t.calls:
		return strings.TrimSpace(rest)
	}
	return text
}

// doubts tells which sentences of an answer their sources hardly bear out.
func (t *timeline) doubts(data json.RawMessage) {
	var answer struct {
		Doubtful []struct {
			Text    string   `json:"text"`
			Source  string   `json:"source"`
			Missing []string `json:"missing"`
		} `json:"doubtful"`
	}
	if json.Unmarshal(data, &answer) != nil {
		return // a flow with other data
	}
	for _, d := range answer.Doubtful {
		why := "has few of its words"
		if len(d.Missing) > 0 {
			why = "does not say " + strings.Join(d.Missing, ", ")
		}
		t.say("", colourAsk, t.screen.signs.unsure+" look yourself: "+short(d.Source, 80)+" "+safe(why)+": "+short(d.Text, 120))
	}
}
