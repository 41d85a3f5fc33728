package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"rein"
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
	_, err := w.link.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: w.root, Text: "Ctrl-C"})
	switch rein.CodeOf(err) {
	case "", rein.CodeFinished:
		return nil
	}
	return err
}

// leave goes while the run is under way or waits.
func (w *watcher) leave(code int) error {
	if w.prompt != nil {
		ask := w.prompt.ask
		w.timeline.own("", "", "it stays open: "+w.tip("answer "+string(ask.ID))+" shows it whole and takes your answer")
	}
	w.timeline.own("", "", "run "+safe(string(w.root))+" is kept: "+w.tip("resume "+string(w.root))+" goes on with it")
	return quiet(code)
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
	if end.Failure != nil {
		words += ": " + failure(end.Failure)
	}
	spent := number(t.usage.Input+t.usage.Output) + " tokens"
	if t.usage.Micros > 0 {
		spent += ", cost " + money(t.usage.Micros)
	}
	t.own("", "", words+" ("+spent+"; "+t.tip("show "+string(t.root))+")")
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
