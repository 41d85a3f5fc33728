package cli

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// eraseFlags are the flags of rein erase alone.
type eraseFlags struct {
	yes   bool
	shown string
}

func eraseCommand() command {
	var e eraseFlags
	return command{
		name: "erase", args: "RUN|SESSION|USER", does: "erase what was said, and what quotes it", least: 1, most: 2,
		more: `Erases what was said in a run, in a session or by a user, and everything that quotes it: later runs of the session, forks, memories and the runs that read them, files that runs left, staged copies of notes, deliveries; for a user also tokens and logins. It lists everything and asks. This cannot be undone.

The hash chain stays, so rein audit verify still proves what happened when, without the texts. A run that has not ended is not erased. Backups, the notes in your vault and files that you saved elsewhere stay.

A name alone is taken as a run, else as a session, else as a user. If it is more than one, say which: rein erase session NAME. Without a terminal, nothing is erased unless you give --yes; with --shown, only what was listed with that digest is erased.`,
		flags: e.flags, run: e.run,
	}
}

func (e *eraseFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		on(&e.yes, "yes", "erase without asking"),
		text(&e.shown, "shown DIGEST", "erase only what was listed with this digest"),
	}, lookFlags(c)...)
}

// run lists what would go, asks, and erases that and nothing else.
func (e *eraseFlags) run(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		of, err := c.eraseTarget(ctx, l)
		if err != nil {
			return err
		}
		if words, name := of.Target.String(), c.args[len(c.args)-1]; e.yes && e.shown == "" && !strings.HasSuffix(words, " "+name) {
			return usagef("%q is only a part of a name, and what is erased is gone: rein erase %s --yes erases it without asking", name, words)
		}
		plan, err := l.PlanErasure(ctx, of)
		if err != nil {
			return err
		}
		if e.shown != "" && e.shown != plan.Shown {
			return rein.Errorf(rein.CodeConflict, "nothing was erased: the list has changed since it had the digest --shown; %s lists it again", c.tip("erase "+eraseWords(of.Target)))
		}
		if !e.yes {
			if err := c.listErasure(plan); err != nil || len(plan.Items) == 0 {
				return err
			}
			if err := c.confirmErasure(ctx, plan); err != nil {
				return err
			}
		}
		of.Shown = plan.Shown
		done, err := l.Erase(ctx, of)
		if err != nil {
			return err
		}
		return c.tellErased(done)
	})
}

// eraseTarget says what was named.
func (c *call) eraseTarget(ctx context.Context, l *app.App) (api.NewErasure, error) {
	if len(c.args) == 2 {
		return c.eraseNamed(ctx, l, c.args[0], c.args[1])
	}
	name := c.args[0]
	isRun, err := there(l.Run(ctx, rein.RunID(name)))
	if err != nil {
		return api.NewErasure{}, err
	}
	isSession, err := there(l.Session(ctx, name))
	if err != nil {
		return api.NewErasure{}, err
	}
	users, err := l.Users(ctx)
	if err != nil {
		return api.NewErasure{}, err
	}
	isUser, isRun := false, isRun || name == lastName
	for _, u := range users {
		isUser = isUser || u.Name == name
	}
	switch {
	case isUser && (isRun || isSession):
		return api.NewErasure{}, usagef("%q is a user, and a run or a session too: say which, as in rein erase user %s", name, name)
	case isRun:
		return c.eraseNamed(ctx, l, "run", name)
	case isSession:
		return targetOf("session", name)
	case isUser:
		return targetOf("user", name)
	}
	for _, kind := range []string{"run", "session"} {
		of, err := c.eraseNamed(ctx, l, kind, name)
		if code := rein.CodeOf(err); code != rein.CodeNotFound && code != rein.CodeInvalid {
			return of, err
		}
	}
	return api.NewErasure{}, fmt.Errorf("there is no run, session or user %q: %s lists the runs", name, c.tip("runs --all"))
}

// eraseNamed is what was named with its kind. Parts of IDs are names of runs and sessions; a user is named in full.
func (c *call) eraseNamed(ctx context.Context, l *app.App, kind, name string) (api.NewErasure, error) {
	switch kind {
	case "run":
		id, err := c.runNamed(ctx, l.Client, name)
		if err != nil {
			return api.NewErasure{}, err
		}
		name = string(id)
	case "session":
		id, err := sessionID(ctx, l.Client, name)
		if err != nil {
			return api.NewErasure{}, err
		}
		name = id
	}
	return targetOf(kind, name)
}

// there reports whether something exists, of the error that reading it gave. A name that no run can have
// names none.
func there[T any](_ T, err error) (bool, error) {
	switch rein.CodeOf(err) {
	case rein.CodeNotFound, rein.CodeInvalid:
		return false, nil
	}
	return err == nil, err
}

func targetOf(kind, name string) (of api.NewErasure, err error) {
	switch kind {
	case "run":
		of.Run = rein.RunID(name)
	case "session":
		of.Session = name
	case "user":
		of.User = name
	default:
		err = usagef("rein erase %q %q: the first is run, session or user", kind, name)
	}
	return of, err
}

// eraseWords is the target as it is typed.
func eraseWords(t api.Target) string { return t.String() }

// listErasure prints what would go, a line each.
func (c *call) listErasure(plan api.Erasure) error {
	if c.json {
		return c.printJSON(plan)
	}
	if len(plan.Items) == 0 {
		c.print("%s has nothing left to erase\n", safe(plan.Target.String()))
		return nil
	}
	c.print("Erasing %s removes:\n", safe(plan.Target.String()))
	for _, item := range plan.Items {
		c.print("  %s\n", itemWords(item))
	}
	if plan.Left > 0 {
		c.print("%s of other users quote it and stay: an owner of the household can erase them.\n", units.Count(int64(plan.Left), "run"))
	}
	return nil
}

func itemWords(item api.Thing) string {
	words := []string{item.Kind + " " + safe(strings.TrimPrefix(item.Name, item.Kind+" "))}
	if item.Text != "" {
		words = append(words, short(item.Text, 60))
	}
	if item.Why != "" {
		words = append(words, "("+safe(item.Why)+")")
	}
	return strings.Join(words, "  ")
}

// confirmErasure asks at a terminal; elsewhere it says how to agree.
func (c *call) confirmErasure(ctx context.Context, plan api.Erasure) error {
	if c.json || !terminal.Is(c.stdin) || !terminal.Is(c.out.Stderr) {
		if !c.json {
			c.note("Nothing was erased. To erase all of this: %s", c.tip("erase "+eraseWords(plan.Target)+" --yes --shown "+plan.Shown))
		}
		return quiet(exitWaits)
	}
	c.out.Stdout.Flush()
	fmt.Fprint(c.out.Stderr, "Erase all of this? It cannot be undone. Type yes to erase: ")
	keys := terminal.NewKeyboard(c.stdin)
	keys.Want()
	select {
	case line := <-keys.Typed():
		if line.Err == nil && strings.EqualFold(strings.TrimSpace(line.Text), "yes") {
			return nil
		}
	case s := <-c.signals:
		return left{s}
	case <-ctx.Done():
		return ctx.Err()
	}
	c.note("nothing was erased")
	return quiet(exitDeclined)
}

// tellErased says what is gone.
func (c *call) tellErased(done api.Erasure) error {
	if c.json {
		return c.printJSON(done)
	}
	if len(done.Items) == 0 {
		c.print("%s had nothing left to erase\n", safe(done.Target.String()))
		return nil
	}
	c.print("erased %s: %s\n", safe(done.Target.String()), eraseSum(done))
	return nil
}

// eraseSum counts what is gone, by kind, in the order of the list.
func eraseSum(done api.Erasure) string {
	counts := map[string]int64{}
	var kinds, words []string
	for _, item := range done.Items {
		if counts[item.Kind]++; counts[item.Kind] == 1 {
			kinds = append(kinds, item.Kind)
		}
	}
	for _, kind := range kinds {
		words = append(words, countKind(counts[kind], kind))
	}
	return strings.Join(words, ", ")
}

func countKind(n int64, kind string) string {
	if stem, ok := strings.CutSuffix(kind, "y"); ok && n > 1 {
		return units.Number(n) + " " + stem + "ies"
	}
	return units.Count(n, kind)
}
