package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rein"
	"rein/api/client"
	"rein/app"
	"rein/app/config"
	"rein/terminal"
	"rein/terminal/tui"
)

// screenFlags are the flags of rein tui alone.
type screenFlags struct {
	run     runFlags
	newest  bool
	session string
	server  serverFlags
}

func screenCommand() command {
	var s screenFlags
	return command{
		name: "tui", args: "[TASK]", does: "work in a session on the whole terminal", most: anyNumber,
		more: `Opens a new session, or one that is there: --continue opens the newest, --resume S the session S. TASK is sent at once.

Leaving stops nothing: runs continue in a background process, and what waits for you stays open. F1 lists the keys.

--server works with a rein on another machine. Its token is in the variable REIN_TOKEN, or in a file that --token-file names.`,
		flags: s.flags, run: s.do,
	}
}

func (s *screenFlags) flags(c *call) []flagDef {
	return joinFlags([]flagDef{
		on(&s.newest, "continue", "open the newest session"),
		text(&s.session, "resume S", "open the session S, as rein sessions lists it"),
		text(&c.flow, "flow F", "the flow of its runs; default: operate, or default_flow if you set it"),
		modelFlag(c),
		list(&s.run.tools, "tools NAMES", "let runs use only these tools, separated by commas"),
		text(&s.run.workspace, "workspace W", "work in the workspace W, as rein workspace list shows it"),
		text(&s.run.preset, "preset NAME", "start from the preset NAME, as rein preset list shows it"),
		text(&s.run.mode, "mode M", "how much the session asks you: plan, ask, edits or sandbox"),
	}, s.server.flags(), rootFlags(c, "the current folder"), placeFlags(c), []flagDef{keyFlag(c)})
}

// opensScreen reports whether a call without a command is one for the screen: at a terminal rein alone opens it, and so do
// flags that only it has.
func (c *call) opensScreen(args []string) bool {
	if len(args) == 0 {
		return terminal.Is(c.stdin) && c.out.Screen.Draws()
	}
	for _, name := range []string{"continue", "resume", "server"} {
		if flag, _, _ := strings.Cut(args[0], "="); strings.TrimLeft(flag, "-") == name && strings.HasPrefix(flag, "-") {
			return true
		}
	}
	return false
}

func (s *screenFlags) do(ctx context.Context, c *call) error {
	if c.env.Get("TERM") == "dumb" && terminal.Is(c.stdin) {
		return usagef("rein tui cannot draw where TERM is dumb: set TERM to what your terminal is, or use rein run TASK, which prints lines")
	}
	if !terminal.Is(c.stdin) || !c.out.Screen.Draws() {
		return usagef("rein tui needs a terminal: rein run TASK prints lines, also into a pipe")
	}
	if s.newest && s.session != "" {
		return usagef("--continue and --resume name two sessions: give one of them")
	}
	if s.server.url != "" {
		return s.remote(ctx, c)
	}
	c.runs = true
	settings, err := c.checked()
	if err != nil {
		return err
	}
	task, err := s.run.base(c, settings)
	if err != nil {
		return err
	}
	return c.linked(ctx, func(l *app.App) error {
		session, err := s.find(ctx, l.Client)
		if err != nil {
			return err
		}
		task := task
		if task.Workspace, err = c.where(ctx, l, settings, s.run.workspace, session); err != nil {
			return err
		}
		if task.Folder, err = c.folderIn(ctx, l, task.Workspace); err != nil {
			return err
		}
		if err := c.settleTrust(ctx, l, task); err != nil {
			return err
		}
		o := s.options(c, l.Client, session, task)
		o.Notice = cmp.Or(c.chosenModel(ctx, l, task), c.onlyOffline(ctx, l, task, session))
		o.Again = func(ctx context.Context) (*client.Client, error) {
			again, err := c.reach(ctx)
			if err != nil {
				return nil, err
			}
			*l = *again
			return l.Client, nil
		}
		o.Alone = l.Owns
		return s.show(ctx, c, o)
	})
}

// base is what every run gets that starts on the screen. A person who works in a terminal wants things done, so the flow
// is operate, unless they chose another one.
func (r *runFlags) base(c *call, settings *config.Config) (rein.Task, error) {
	task, err := r.settled(c, settings)
	if task.Flow == "" && settings.Source("default_flow") == (config.Source{}) {
		task.Flow = "operate"
	}
	return task, err
}

// remote works with a server.
func (s *screenFlags) remote(ctx context.Context, c *call) error {
	there, err := s.server.dial(c)
	if err != nil {
		return err
	}
	session, err := s.find(ctx, there)
	if err != nil {
		return err
	}
	task := rein.Task{Flow: c.flow, Model: c.model, Tools: s.run.tools, Workspace: s.run.workspace, Preset: s.run.preset, Mode: rein.Mode(s.run.mode)}
	if err := task.Mode.Check(); err != nil {
		return usagef("--mode: %v", err)
	}
	if task.Flow == "" && task.Preset == "" {
		task.Flow = "operate"
	}
	o := s.options(c, there, session, task)
	o.Attach, o.Files = nil, nil // its files are elsewhere
	o.Again = func(context.Context) (*client.Client, error) { return there, nil }
	return s.show(ctx, c, o)
}

// find returns the session that the flags name; empty: a new one.
func (s *screenFlags) find(ctx context.Context, c *client.Client) (string, error) {
	if !s.newest && s.session == "" {
		return "", nil
	}
	n := sessionName{name: s.session, titled: true}
	if s.newest {
		n.name = lastName
	}
	if s.server.url == "" {
		n.user = rein.Host().User
	}
	session, err := n.find(ctx, c)
	if code := rein.CodeOf(err); code == rein.CodeNotFound && n.name == lastName {
		return "", rein.Errorf(code, "there is no session to continue: rein alone begins one")
	} else if code == rein.CodeNotFound {
		return "", rein.Errorf(code, "no session %q: rein sessions lists them", s.session)
	}
	return session.ID, err
}

func (s *screenFlags) options(c *call, api *client.Client, session string, task rein.Task) tui.Options {
	return tui.Options{
		Client: api, Session: session, Task: task, First: strings.Join(c.args, " "), Tip: c.tip,
		Attach: c.attachTyped, Files: c.filesHere, Edit: editorOf(c.env.Get),
		Unicode: c.out.Screen.Nice(), Mouse: true, Colours: c.theme(), Remember: c.keepTheme,
	}
}

// show runs the screen, and says afterwards what goes on and how to come back.
func (s *screenFlags) show(ctx context.Context, c *call, o tui.Options) error {
	c.out.Status.End()
	left, err := tui.Run(ctx, o, c.stdin, os.Stdout, c.env)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if left.Session == "" {
		return ctx.Err()
	}
	words := "the session is kept"
	switch {
	case left.Waits:
		words = "what waits for you stays open"
	case left.Active && o.Alone != nil && o.Alone():
		words = "the run waits until somebody opens it again"
	case left.Active:
		words = "the run continues"
	}
	c.note("%s; %s opens it again", words, c.tip("--resume "+left.Session))
	return ctx.Err() // a signal may have ended it
}

// editorOf is the person's editor, with its arguments.
func editorOf(env func(string) string) []string {
	return strings.Fields(cmp.Or(env("VISUAL"), env("EDITOR")))
}

// attachTyped reads the files that a text names with @.
func (c *call) attachTyped(text string) (string, []rein.Image, error) {
	a := attachments{dir: cmp.Or(c.setup().Files().Dir, ".")}
	text, err := a.attach(text)
	if err != nil {
		return "", nil, err
	}
	text = strings.Join(append([]string{text}, a.blocks...), "\n\n")
	if len(text) > maxTask {
		return "", nil, tooLong()
	}
	return text, a.images, nil
}

// mostListed bounds how many files are offered to complete an @.
const mostListed = 20_000

// filesHere lists the files that an @ can name, without those that are hidden or that others installed.
func (c *call) filesHere() (names []string) {
	dir := cmp.Or(c.setup().Files().Dir, ".")
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read cannot be attached either
		case len(names) >= mostListed:
			return fs.SkipAll
		case path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.Type().IsRegular():
			if name, err := filepath.Rel(dir, path); err == nil {
				names = append(names, filepath.ToSlash(name))
			}
		}
		return nil
	})
	return names
}
