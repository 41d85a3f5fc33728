package cli

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/internal/visible"
)

// undoRunFlags are the flags of rein undo alone.
type undoRunFlags struct {
	session, workspace string
	list, yes          bool
}

func undoCommand() command {
	var u undoRunFlags
	return command{
		name: "undo", args: "[RUN[:STEP]]", does: "undo what a run changed in files and notes", most: 1, watches: true,
		more: `Undoes everything that RUN and its children changed, or only STEP of it; --list shows both. Without an argument it undoes the last change in this folder's workspace, or in the session that --session names.

It shows the diff and asks. All of it is undone or nothing: if a file is not as the run left it, rein names the file and changes nothing. An undo is a run of its own, in the same session, so it can be undone too: rein undo with the ID of that run.

It covers files that tools wrote, files that commands changed in the workspace, and commits to notes. .git, ignored files and large files that a command changed are not covered; the approval of the command says so.`,
		flags: u.flags, run: u.run,
	}
}

func (u *undoRunFlags) flags(c *call) []flagDef {
	return joinFlags([]flagDef{
		on(&u.list, "list", "list what can be undone, and change nothing"),
		on(&u.yes, "yes", "agree to what is shown, without asking"),
		text(&u.session, "session S", "the last change of the session S"),
		text(&u.workspace, "workspace W", "the last change in the workspace W"),
	}, watchFlags(c))
}

func (u *undoRunFlags) run(ctx context.Context, c *call) error {
	c.runs = true
	if _, err := c.checked(); err != nil {
		return err
	}
	id := api.NewRunID(time.Now())
	return c.linked(ctx, func(l *app.App) error {
		if u.list {
			return u.show(ctx, c, l)
		}
		task, err := u.task(ctx, c, l)
		if err != nil {
			return err
		}
		w := c.watch(l, id)
		w.start = &task
		return w.follow(ctx)
	})
}

// task is the run that undoes what was named.
func (u *undoRunFlags) task(ctx context.Context, c *call, l *app.App) (rein.Task, error) {
	task := rein.Task{Flow: "undo", Session: u.session}
	if u.yes {
		task.Policy.Allow = []string{"undo_change"}
	}
	var run, step string
	if len(c.args) > 0 {
		named, err := u.named(ctx, c, l)
		if err != nil {
			return task, err
		}
		run, step, _ = strings.Cut(named, ":")
		info, err := l.Run(ctx, rein.RunID(run))
		if err != nil {
			return task, err
		}
		task.Session = info.Session
		if err := u.mayAgree(ctx, c, l, named); err != nil {
			return task, err
		}
	} else {
		last, err := u.last(ctx, c, l)
		if err != nil {
			return task, err
		}
		run, step, task.Session = string(last.Run), string(last.Step), last.Session
		if u.yes && last.Cut {
			return task, c.isCut(last)
		}
	}
	set, err := json.Marshal(map[string]string{"run": run, "step": step})
	task.Settings = set
	task.Messages = []rein.Message{{Role: rein.User, Text: strings.TrimSuffix("Undo "+run+":"+step, ":")}}
	return task, err
}

// named is RUN[:STEP] with the whole ID of the run.
func (u *undoRunFlags) named(ctx context.Context, c *call, l *app.App) (string, error) {
	run, step, isStep := strings.Cut(c.args[0], ":")
	id, err := c.theRun(ctx, l, run)
	if isStep {
		step = ":" + step
	}
	return string(id) + step, err
}

// mayAgree refuses to agree in advance to what is named if some of it was cut.
func (u *undoRunFlags) mayAgree(ctx context.Context, c *call, l *app.App, named string) error {
	if !u.yes {
		return nil
	}
	list, err := u.changes(ctx, c, l)
	if err != nil {
		return err
	}
	for _, change := range list {
		if change.Cut && change.Undoable && (!strings.Contains(named, ":") || change.ID == named) {
			return c.isCut(change)
		}
	}
	return nil
}

// isCut says why nobody agrees to an undo without a look at it.
func (c *call) isCut(change api.FileChange) error {
	return rein.Errorf(rein.CodeConflict, "nobody saw the end of %s, so some of what changed may be yours: %s without --yes shows the diff and asks", safe(change.ID), c.tip("undo "+change.ID))
}

// last is the newest change that stands and is not an undo itself.
func (u *undoRunFlags) last(ctx context.Context, c *call, l *app.App) (api.FileChange, error) {
	list, err := u.changes(ctx, c, l)
	if err != nil {
		return api.FileChange{}, err
	}
	for _, change := range list {
		if !change.Undoable || len(change.Undoes) > 0 || change.Run == "" || len(change.Files) == 0 {
			continue
		}
		if !change.Background {
			return change, nil
		}
		c.note("rein: what changed while the command of %s ran in the background is left out, because some of it may be yours: %s undoes it", safe(change.ID), c.tip("undo "+change.ID))
	}
	return api.FileChange{}, rein.Errorf(rein.CodeNotFound, "there is nothing to undo here: %s shows what can be undone", c.tip("undo --list"))
}

// changes are those that the flags mean.
func (u *undoRunFlags) changes(ctx context.Context, c *call, l *app.App) ([]api.FileChange, error) {
	q := api.ChangeQuery{Session: u.session, Workspace: u.workspace, Limit: api.MaxLimit}
	if len(c.args) > 0 {
		run, _, _ := strings.Cut(c.args[0], ":")
		var err error
		if q.Run, err = c.theRun(ctx, l, run); err != nil {
			return nil, err
		}
	}
	list, err := l.Changes(ctx, q)
	if err != nil || q.Run != "" || q.Session != "" || q.Workspace != "" {
		return list, err
	}
	settings, err := c.checked()
	if err != nil {
		return nil, err
	}
	here, err := c.where(ctx, l, settings, "", "")
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for _, change := range list {
		if change.Notes || change.Workspace == here || here == "" {
			kept = append(kept, change)
		}
	}
	return kept, nil
}

// show lists what can be undone.
func (u *undoRunFlags) show(ctx context.Context, c *call, l *app.App) error {
	list, err := u.changes(ctx, c, l)
	if err != nil {
		return err
	}
	rows := [][]string{{"CHANGE", "WHEN", "BY", "FILES"}}
	for _, change := range list {
		if c.json {
			if err := c.printJSON(change); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{change.ID, units.Lately(change.At, time.Now()), change.Tool, changeLine(change)})
	}
	switch {
	case c.json:
	case len(rows) == 1:
		c.print("there is nothing to undo here\n")
	default:
		c.columns(rows)
	}
	return nil
}

// changeLine says what a change did, in a few words.
func changeLine(change api.FileChange) string {
	var words []string
	switch {
	case !change.Undoable:
		words = append(words, "(undone)")
	case change.Cut:
		words = append(words, "(cut)")
	}
	for _, f := range change.Files {
		word := visible.Line(f.Path) // a name can have several
		switch f.Became {
		case "new":
			word = "+" + word
		case "removed":
			word = "-" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
