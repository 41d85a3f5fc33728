package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// trustFlags are the flags of rein trust alone.
type trustFlags struct {
	workspace, hash string
	decline         bool
}

func trustCommand() command {
	var t trustFlags
	return command{
		name: "trust", args: "[FOLDER]", does: "decide whether runs use what a folder brings", most: 1,
		more: `A folder can bring instructions (AGENTS.md, CLAUDE.md), rules, skills, commands and MCP servers. Whoever wrote them decides what your runs do, so nothing of it runs or is obeyed until you trust it. rein trust lists all of it with the hash of its content, and asks. FOLDER is this one by default.

If anything in it changes, the folder is not trusted any more, and rein asks again. Without a terminal, --hash trusts exactly the content with that hash, and nothing else.`,
		flags: t.flags, run: t.run,
	}
}

func (t *trustFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&t.workspace, "workspace W", "the folder of the workspace W"),
		text(&t.hash, "hash HASH", "trust the content with this hash, without asking"),
		on(&t.decline, "decline", "record that you do not trust it: rein does not ask about this content again"),
	}, lookFlags(c)...)
}

func (t *trustFlags) run(ctx context.Context, c *call) error {
	if len(c.args) > 0 && t.workspace != "" {
		return usagef("name a folder or a workspace, not both")
	}
	if len(c.args) > 0 {
		c.root = c.args[0]
	}
	return c.linked(ctx, func(l *app.App) error {
		name, folder, err := t.place(ctx, c, l)
		if err != nil {
			return err
		}
		found, err := l.Trust(ctx, name, folder)
		if err != nil {
			return err
		}
		decision := api.NewTrust{Folder: folder, Hash: cmp.Or(t.hash, found.Hash), Decline: t.decline}
		switch {
		case t.hash != "" || t.decline && found.Hash != "":
			found, err = l.DecideTrust(ctx, name, decision)
		case !c.json:
			c.printTrust(found, true)
			if found.State == api.TrustNothing || found.State == api.TrustTrusted {
				return nil
			}
			return c.decideTrust(ctx, l, name, decision)
		}
		if err != nil {
			return err
		}
		return c.tellTrust(found)
	})
}

// place finds the workspace that is meant, and where in it this is.
func (t *trustFlags) place(ctx context.Context, c *call, l *app.App) (name, folder string, err error) {
	settings, err := c.checked()
	if err != nil {
		return "", "", err
	}
	if name, err = c.where(ctx, l, settings, t.workspace, ""); err != nil {
		return "", "", err
	}
	if len(c.args) > 0 {
		return name, "", nil
	}
	folder, err = c.folderIn(ctx, l, name)
	return cmp.Or(name, defaultWorkspace), folder, err
}

// defaultWorkspace is what the API calls the workspace of runs that name none.
const defaultWorkspace = "default"

// folderIn is where in a workspace this folder is; empty: in its root, or elsewhere.
func (c *call) folderIn(ctx context.Context, l *app.App, name string) (string, error) {
	all, err := l.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	for _, w := range all {
		if w.Name != cmp.Or(name, defaultWorkspace) || w.Root == "" {
			continue
		}
		here, err := os.Getwd()
		if err != nil {
			return "", nil // it was removed: then nothing is in it
		}
		return inside(w.Root, here), nil
	}
	return "", nil
}

// inside is a folder relative to a root that holds it, with slashes; empty: it is the root, or not in it.
func inside(root, folder string) string {
	root, err1 := app.RealPath(root)
	folder, err2 := app.RealPath(folder)
	below, err3 := filepath.Rel(root, folder)
	if err1 != nil || err2 != nil || err3 != nil || below == "." || !filepath.IsLocal(below) {
		return ""
	}
	return filepath.ToSlash(below)
}

// tellTrust says what was decided.
func (c *call) tellTrust(found api.Trust) error {
	if c.json {
		return c.printJSON(found)
	}
	c.printTrust(found, false)
	return nil
}

// printTrust shows what a folder brings: all of it if whole is set.
func (c *call) printTrust(found api.Trust, whole bool) {
	if whole {
		c.printFiles(found)
	}
	for _, what := range found.Changed {
		c.print("changed: %s\n", safe(what))
	}
	for _, problem := range found.Problems {
		c.print("problem: %s\n", safe(problem))
	}
	c.print("%s\n", trustWords(found))
	if whole && found.Hash != "" {
		c.print("hash %s\n", safe(found.Hash))
	}
}

func (c *call) printFiles(found api.Trust) {
	for _, f := range found.Files {
		c.print("%s  %s, %s, sha256 %s\n", safe(f.Path), safe(f.Kind), units.Size(int64(f.Size)), safe(f.Sum[:min(12, len(f.Sum))]))
		if f.Head == "" {
			continue
		}
		for line := range strings.Lines(f.Head) {
			c.print("    | %s\n", safe(strings.TrimRight(line, "\n")))
		}
	}
}

// trustWords is the state of a folder in a sentence.
func trustWords(found api.Trust) string {
	what := units.Count(int64(len(found.Files)), "file")
	switch found.State {
	case api.TrustTrusted:
		return fmt.Sprintf("trusted by %s on %s: runs use these %s", safe(found.By), units.When(found.At), what)
	case api.TrustChanged:
		return fmt.Sprintf("changed since %s trusted it on %s: runs use none of these %s", safe(found.By), units.When(found.At), what)
	case api.TrustDeclined:
		return fmt.Sprintf("%s declined to trust it on %s: runs use none of these %s", safe(found.By), units.When(found.At), what)
	case api.TrustUntrusted:
		return "nobody has trusted this: runs use none of these " + what
	}
	return "this folder brings nothing that needs your trust"
}

// decideTrust asks the person at the terminal; elsewhere it says how to agree.
func (c *call) decideTrust(ctx context.Context, l *app.App, name string, d api.NewTrust) error {
	if !c.canAsk() {
		c.note("Nothing was decided. To trust exactly this: %s", c.tip("trust --hash "+d.Hash))
		return quiet(exitWaits)
	}
	yes, err := c.confirmTrust(ctx)
	if err != nil {
		return err
	}
	if !yes {
		c.note("nothing was decided: runs use none of it")
		return quiet(exitDeclined)
	}
	found, err := l.DecideTrust(ctx, name, d)
	if err != nil {
		return err
	}
	return c.tellTrust(found)
}

// canAsk reports whether a person is at a terminal to answer.
func (c *call) canAsk() bool {
	return !c.json && terminal.Is(c.stdin) && terminal.Is(c.out.Stderr)
}

// confirmTrust wants the whole word: a key that was meant for something else trusts nothing.
func (c *call) confirmTrust(ctx context.Context) (bool, error) {
	c.out.Stdout.Flush()
	fmt.Fprintln(c.out.Stderr, "Trust this? Runs will follow its texts, and can use its tools. Type yes to trust it, or press Enter.")
	keys := terminal.NewKeyboard(c.stdin)
	select {
	case <-time.After(moment): // what was typed before it could be read was meant for something else
	case <-ctx.Done():
		return false, ctx.Err()
	}
	keys.Discard()
	fmt.Fprint(c.out.Stderr, "> ")
	keys.Want()
	select {
	case line := <-keys.Typed():
		if line.Err != nil { // a terminal that closes answers nothing
			c.note("nothing was decided: nobody answered")
			return false, quiet(exitWaits)
		}
		return strings.EqualFold(strings.TrimSpace(line.Text), "yes"), nil
	case s := <-c.signals:
		return false, left{s}
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// settleTrust asks, before a run starts, about a folder that nobody has decided about. Whoever says no is not asked about
// the same content again. Without a terminal the run just does not use it, and says so.
func (c *call) settleTrust(ctx context.Context, l *app.App, task rein.Task) error {
	if !c.canAsk() {
		return nil
	}
	name := cmp.Or(task.Workspace, defaultWorkspace)
	found, err := l.Trust(ctx, name, task.Folder)
	if err != nil || found.State != api.TrustUntrusted && found.State != api.TrustChanged {
		return err
	}
	c.out.Status.End()
	c.note("This folder brings texts or programs for agents:")
	c.printTrust(found, true)
	yes, err := c.confirmTrust(ctx)
	if err != nil {
		return err
	}
	if _, err = l.DecideTrust(ctx, name, api.NewTrust{Folder: task.Folder, Hash: found.Hash, Decline: !yes}); err != nil {
		return err
	}
	if !yes {
		c.note("rein: runs use none of it; %s asks again", c.tip("trust"))
	}
	return nil
}
