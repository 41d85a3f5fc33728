package export

import (
	"bufio"
	"context"
	"io"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/units"
	"rein/journal/timeline"
)

// A Form is what a session is written as.
type Form string

// The forms.
const (
	HTML     Form = "html"
	Markdown Form = "md"
)

// Options say what is exported, and how.
type Options struct {
	Client  *client.Client
	Session string     // its ID
	Run     rein.RunID // only this run, with those below it; empty: all runs of the session
	Form    Form
	// MaxImage is how many bytes an image may have that the page embeds; 0: none is. Markdown names images and embeds none.
	MaxImage int64
	Currency units.Currency // of amounts of money
	Version  string         // of rein
	Now      time.Time      // when it is exported
}

// MaxImages is how many bytes all embedded images of a page may have together.
const MaxImages = 64 << 20

// A form writes the parts of a document in order.
type form interface{ put(part any) error }

// An exporter writes one session.
type exporter struct {
	Options
	form    form
	session api.Session
	left    int64 // how many bytes of images may still be embedded
	number  int   // of the run
}

// Write writes the document.
func Write(ctx context.Context, to io.Writer, o Options) error {
	out := bufio.NewWriter(to)
	x := &exporter{Options: o, left: MaxImages}
	if o.Form == Markdown {
		x.form = &markdownForm{out}
	} else {
		x.form = &htmlForm{out}
	}
	if err := x.all(ctx); err != nil {
		return err
	}
	return out.Flush()
}

func (x *exporter) all(ctx context.Context) (err error) {
	if x.session, err = x.Client.Session(ctx, x.Session); err != nil {
		return err
	}
	h := &head{
		Title: x.session.Title, Session: x.session.ID, User: x.session.User, Started: x.session.Started, Changed: x.session.Changed,
		Exported: x.Now, Version: x.Version, One: x.Run,
	}
	if err := x.survey(ctx, h); err != nil {
		return err
	}
	if err := x.form.put(h); err != nil {
		return err
	}
	for info, err := range x.runs(ctx) {
		if err == nil {
			err = x.run(ctx, info)
		}
		if err != nil {
			return err
		}
	}
	if err := x.files(ctx); err != nil {
		return err
	}
	return x.form.put(&foot{})
}

// mostListed is how many runs a list of contents has.
const mostListed = 200

// survey reads what the head says of all runs. It keeps no more of them than are listed.
func (x *exporter) survey(ctx context.Context, h *head) error {
	var micros int64
	for info, err := range x.runs(ctx) {
		if err != nil {
			return err
		}
		h.Runs++
		h.Tokens += info.Used.Tokens
		micros += info.Used.Micros
		if !info.Status.Ended() {
			h.Live++
		}
		if h.Title == "" {
			h.Title = info.Title
		}
		if len(h.Contents) < mostListed {
			h.Contents = append(h.Contents, listed{h.Runs, x.title(info), statusOf(info.Status)})
		}
	}
	if micros > 0 {
		h.Cost = x.Currency.Money(micros)
	}
	if x.Run != "" && len(h.Contents) == 1 {
		h.Title = h.Contents[0].Title
	}
	return nil
}

// title names a run.
func (x *exporter) title(info rein.RunInfo) string {
	if info.Erased {
		return "(erased)"
	}
	return info.Title
}

// run writes a run with everything below it.
func (x *exporter) run(ctx context.Context, info rein.RunInfo) error {
	t, err := x.fold(ctx, info.ID)
	if err != nil {
		return err
	}
	x.number++
	r := &runHead{
		N: int64(x.number), ID: info.ID, Title: x.title(info), By: info.User, Flow: info.Flow, Workspace: info.Workspace,
		Mode: t.Mode, Started: info.Started, Status: statusOf(t.Status), Erased: info.Erased || t.Erased, Live: t.Ended.IsZero(),
	}
	if info.Session != x.session.ID {
		r.From = info.Session
	}
	if d, ok := t.Doing(); ok {
		r.Doing = d.Text
	}
	if err := x.form.put(r); err != nil {
		return err
	}
	w := &teller{x, ctx}
	if err := w.items(t.Timeline); err != nil {
		return err
	}
	return x.form.put(&runFoot{Logs: t.logs(), Usage: x.usageWords(t.TreeUsage())})
}

// usageWords is what model calls took.
func (x *exporter) usageWords(u rein.Usage) []string {
	var words []string
	if n := u.Input + u.Output; n > 0 {
		words = append(words, units.Number(n)+" tokens")
	}
	if u.Micros > 0 {
		words = append(words, "cost "+x.Currency.Money(u.Micros))
	}
	return words
}

// statusOf says a state in a word, with the sign and the tone that go with it.
func statusOf(s rein.Status) status {
	switch s {
	case rein.StatusReady, rein.StatusRunning:
		return status{"●", "running", "runs"}
	case rein.StatusWaiting:
		return status{"◔", "waiting", "waits"}
	case rein.StatusBlocked:
		return status{"✗", "blocked", "bad"}
	case rein.Status(rein.EndDone):
		return status{"✓", "done", "good"}
	case rein.Status(rein.EndFailed):
		return status{"✗", "failed", "bad"}
	}
	return status{"○", string(s), "quiet"}
}

// A folded is a tree of runs, and where the log of each of them ends.
type folded struct {
	*timeline.Timeline
	heads map[rein.RunID]logHead
}
