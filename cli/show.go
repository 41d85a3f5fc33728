package cli

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// showFlags are the flags of rein show alone.
type showFlags struct{ full bool }

func showCommand() command {
	var f showFlags
	return command{
		name: "show", args: "RUN", does: "show what happened in a run", least: 1, most: 1,
		more:  `Prints a header, then the log: one line for each event, with its time, its step and what happened. Long texts are cut unless you give --full. Control characters in texts are spelled out. --json prints the events as they are kept, with secrets masked.`,
		flags: f.flags, run: f.run,
	}
}

func (f *showFlags) flags(c *call) []flagDef {
	return append([]flagDef{on(&f.full, "full", "print texts whole, on as many lines as they have")}, lookFlags(c)...)
}

func (f *showFlags) run(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	id, err := c.seenRun(ctx, v, c.args[0])
	if err != nil {
		return err
	}
	info, err := v.Run(ctx, id)
	if err != nil {
		return c.unknownRun(err, v.Place)
	}
	if c.json {
		return c.logJSON(ctx, v, info.ID)
	}
	seen, err := readView(ctx, v, info)
	if err != nil {
		return err
	}
	seen.currency = currencyOf(ctx, v.Client, c.out.Screen.Nice())
	c.header(seen)
	return c.log(ctx, v, seen, f.full)
}

// unknownRun says how to find the right name.
func (c *call) unknownRun(err error, p app.Place) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("%w in %s: %s lists them", err, p.Folder, c.tip("runs --all"))
	}
	return err
}

// events reads the log of a run, page by page.
func events(ctx context.Context, v *app.View, run rein.RunID) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for cursor, more := "", true; more; {
			page, err := v.Events(ctx, run, cursor, false)
			if err != nil {
				yield(rein.Event{}, err)
				return
			}
			for _, line := range page.Lines {
				if line.Event != nil && !yield(*line.Event, nil) {
					return
				}
			}
			cursor, more = page.Next, page.More
		}
	}
}

func (c *call) logJSON(ctx context.Context, v *app.View, run rein.RunID) error {
	for e, err := range events(ctx, v, run) {
		if err != nil {
			return err
		}
		if err := c.printJSON(e); err != nil {
			return err
		}
	}
	return nil
}

// A view is a run with what is kept beside its log.
type view struct {
	rein.RunInfo
	budgeted api.TreeBudget
	asks     map[rein.AskID]rein.Ask
	open     []rein.Ask // of the run and everything below it
	receipts map[int64]rein.Receipt
	currency units.Currency
}

func readView(ctx context.Context, from *app.View, info rein.RunInfo) (*view, error) {
	v := &view{RunInfo: info, asks: map[rein.AskID]rein.Ask{}, receipts: map[int64]rein.Receipt{}}
	var err error
	if v.budgeted, err = from.Budget(ctx, info.ID); err != nil {
		return nil, err
	}
	asks, err := from.Asks(ctx, api.AskQuery{Tree: info.ID})
	if err != nil {
		return nil, err
	}
	for _, ask := range asks {
		v.asks[ask.ID] = ask
		if ask.State == rein.AskPending {
			v.open = append(v.open, ask)
		}
	}
	receipts, err := from.Receipts(ctx, info.ID)
	for _, r := range receipts {
		v.receipts[r.Command.Seq()] = r
	}
	return v, err
}

func (c *call) header(v *view) {
	var rows [][]string
	line := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{pad(name, len("session")), value})
		}
	}
	line("run", safe(string(v.ID)))
	line("status", terminal.StatusLine(v.RunInfo))
	line("flow", safe(v.Flow))
	line("title", short(v.Title, 120))
	line("session", safe(v.Session))
	line("user", safe(v.User)+" of household "+safe(v.Household))
	line("started", units.When(v.Started)+v.Started.Local().Format(" MST")+v.took())
	if m := v.Mode.Or(rein.ModeAsk); m != rein.ModeAsk {
		line("mode", safe(string(m)))
	}
	line("budget", v.budget())
	for _, ask := range v.open {
		line("ask", v.openAsk(ask))
	}
	if v.Erased {
		line("erased", "its texts were erased; the log below still proves what happened when")
	}
	c.advice(rows)
	c.print("\n")
}

// took says when a run that has ended did so.
func (v *view) took() string {
	if !v.Status.Ended() {
		return ", last event " + units.When(v.Changed)
	}
	return ", ended after " + units.Span(v.Changed.Sub(v.Started))
}

// budget lists what the tree has used, and of what.
func (v *view) budget() string {
	text := terminal.Budget(v.budgeted.Ledger, v.budgeted.Held, v.currency)
	if v.ID.Depth() > 0 {
		text += " (the whole tree of " + safe(string(v.budgeted.Ledger.Root)) + ")"
	}
	return text
}

func (v *view) openAsk(ask rein.Ask) string {
	text := safe(string(ask.ID)) + " has waited since " + units.When(ask.Opened)
	if whom := ask.Whom(); whom != "" {
		text += " for " + safe(whom)
	}
	if !ask.Deadline.IsZero() {
		text += " until " + units.When(ask.Deadline)
	}
	return text + ": " + short(ask.Text, 120)
}

// log prints the events. If the log is damaged it goes as far as it can be trusted.
func (c *call) log(ctx context.Context, from *app.View, v *view, full bool) error {
	t := &terminal.Teller{Full: full, Asks: v.asks, Receipts: v.receipts, Currency: v.currency}
	for e, err := range events(ctx, from, v.ID) {
		if rein.CodeOf(err) == rein.CodeDamaged {
			return fmt.Errorf("%w; what is above is sound, %s lists what is wrong", err, c.tip("audit verify "+string(v.ID)))
		}
		if err != nil {
			return err
		}
		prefix := fmt.Sprintf("%s  %-10s ", units.When(e.At), safe(string(e.Step)))
		c.verbatim(entry(prefix, strings.TrimRight(t.Tell(e), "\n"), c.room()))
	}
	return nil
}

// roomForLog is what a terminal needs to show what happened beside the time and the step. In a narrower one it stands below.
const roomForLog = 70

// entry is an event of a log as it is shown, with its lines below each other.
func entry(prefix, text string, room int) string {
	lead := strings.Repeat(" ", len(prefix))
	narrow := room > 0 && room < roomForLog
	if narrow {
		lead = "  "
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i > 0 || narrow:
			lines[i] = terminal.Wrap(lead+line, room, 0)
		default:
			lines[i] = terminal.Wrap(prefix+line, room, len(prefix))
		}
	}
	if narrow {
		lines = append([]string{strings.TrimRight(prefix, " ")}, lines...)
	}
	return strings.Join(lines, "\n") + "\n"
}
