package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/examples"
	"rein/terminal"
)

//go:embed demo/*.txt
var demoScripts embed.FS

// A scene shows one flow.
type scene struct {
	flow  string
	about string
	task  string
	says  string // what --yes answers to a question
	after string // the scene whose session it continues
}

// scenes are in the order in which they are easiest to follow.
var scenes = []scene{
	{flow: "chat", about: "one call of a model, and nothing else", task: "What is rein?"},
	{flow: "critique", about: "a second look at the answer before", task: "Was that a good answer?", after: "chat"},
	{flow: "answer", about: "answers from your notes, with citations that rein checks", task: "How do I stop a run?"},
	{flow: "operate", about: "works with tools, and asks before it changes anything", task: "Say in Ideas/Budgets.md that people may take their time."},
	{flow: "strict", about: "reason, act, observe, in steps that you can follow", task: "What is a run, and what is a session?"},
	{flow: "explore", about: "asks what you mean, then sends agents side by side", task: "What does waiting cost?", says: "In memory."},
	{flow: "research", about: "plans, looks things up, reflects, and writes", task: "How does a run survive a restart?"},
	{flow: "code", about: "research in files", task: "Which commands end a run, and where are they written down?"},
	{flow: "task", about: "one thing to do, proposed before it is done", task: "Make me a list of what to try after the demo.", says: "yes"},
	{flow: "assist", about: "the assistant of a household, which hands work over to the others", task: "Good morning! Where do I see what waits for me?"},
}

// demoFlags are the flags of rein demo alone.
type demoFlags struct{ yes bool }

func demoCommand() command {
	var d demoFlags
	return command{
		name: "demo", args: "[FLOW ...]", does: "play each flow once, on sample notes", most: anyNumber, watches: true,
		more: `Plays each flow, or those that you name, in a temporary data folder on a copy of thirty sample notes. A script stands in for the model, so that it needs neither a key nor a network; the tools, approvals, citations and logs are real.

You answer what the runs ask, and Enter goes from one flow to the next. With --yes, or without a terminal, rein answers by itself and does not pause. Everything is removed at the end.`,
		flags: func(c *call) []flagDef { return []flagDef{on(&d.yes, "yes", "answer by itself, and do not pause")} },
		run:   d.run,
	}
}

func (d *demoFlags) run(ctx context.Context, c *call) error {
	play, err := chosenScenes(c.args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "rein-") // short, so that the commands that name it fit a row
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := c.stage(folder, play); err != nil {
		return fmt.Errorf("prepare the demo: %w", err)
	}
	s := &show{c: c, keys: terminal.NewKeyboard(c.stdin), alone: d.yes || !terminal.Is(c.stdin) || !c.out.Screen.Text, sessions: map[string]string{}}
	c.print("A script stands in for the model; notes, tools, approvals and logs are real.\nThey are in %s until the demo ends.\n", safe(folder))
	if err := c.linked(ctx, func(l *app.App) error { return s.play(ctx, l, play) }); err != nil {
		return err
	}
	c.print(`
Try it yourself:
  rein init                                  connect a model
  rein run "What is in this folder?"         in a folder of yours
  rein serve                                 the same in the browser
`)
	return nil
}

// chosenScenes are those of the flows that were named; all, if none was.
func chosenScenes(names []string) (play []scene, err error) {
	var all []string
	for _, s := range scenes {
		all = append(all, s.flow)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, noSuch("flow", name, all)
		}
	}
	for _, s := range scenes {
		// What continues a session needs the scene before.
		before := slices.ContainsFunc(scenes, func(o scene) bool { return o.after == s.flow && slices.Contains(names, o.flow) })
		if len(names) == 0 || before || slices.Contains(names, s.flow) {
			play = append(play, s)
		}
	}
	return play, nil
}

// stage puts the sample notes, the scripts and settings into a folder, and has this command use them alone.
func (c *call) stage(folder string, play []scene) error {
	notes, err := fs.Sub(examples.Vault, "vault")
	if err == nil {
		err = os.CopyFS(filepath.Join(folder, "notes"), notes)
	}
	if err != nil {
		return err
	}
	var settings strings.Builder
	fmt.Fprintf(&settings, "language = \"en\"\nvault = \"notes\"\ndata = \"data\"\n[tools]\nroot = \"notes\"\n[explore]\ndepth = 1\n")
	for _, s := range play {
		script, err := demoScripts.ReadFile("demo/" + s.flow + ".txt")
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, s.flow+".txt"), script, 0o600)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&settings, "[models.%s]\nkind = \"script\"\nfile = \"%s.txt\"\n", s.flow, s.flow)
	}
	c.configFile = filepath.Join(folder, "rein.toml")
	c.set = app.New(app.Options{Config: c.configFile, Env: []string{"HOME=" + folder, "PATH=" + c.env.Get("PATH"), "TZ=" + c.env.Get("TZ")}, Scoped: true})
	return os.WriteFile(c.configFile, []byte(settings.String()), 0o600)
}

// A show plays scenes for whoever watches.
type show struct {
	c        *call
	keys     *terminal.Keyboard
	alone    bool              // nobody answers
	sessions map[string]string // by scene
}

func (s *show) play(ctx context.Context, l *app.App, all []scene) error {
	for i, sc := range all {
		if i > 0 && !s.alone {
			if on, err := s.pause(fmt.Sprintf("Enter plays %d of %d, %s; q ends the demo: ", i+1, len(all), sc.flow)); !on {
				return err
			}
		}
		s.c.print("\n%d of %d: %s, %s\n> %s\n\n", i+1, len(all), sc.flow, sc.about, sc.task)
		if err := s.scene(ctx, l, sc); err != nil {
			return err
		}
	}
	return nil
}

// scene plays one, and goes on whatever came of it, unless the person leaves.
func (s *show) scene(ctx context.Context, l *app.App, sc scene) error {
	task := rein.Task{Flow: sc.flow, Model: sc.flow, Messages: []rein.Message{{Role: rein.User, Text: sc.task}}, Session: s.sessions[sc.after]}
	w := s.c.watch(l, api.NewRunID(time.Now()))
	w.keys, w.start, w.fleeting = s.keys, &task, true
	if s.alone {
		w.plays = func(ask rein.Ask) rein.Answer { return playedAnswer(ask, sc.says) }
	}
	err := w.follow(ctx)
	if code, ok := errors.AsType[quiet](err); ok && code != exitLeft {
		err = nil // how it ended was shown
	}
	if err == nil {
		run, failed := l.Run(ctx, w.root)
		s.sessions[sc.flow], err = run.Session, failed
	}
	return err
}

// playedAnswer is what --yes says to an ask.
func playedAnswer(ask rein.Ask, says string) rein.Answer {
	if ask.Kind == rein.AskQuestion {
		return rein.Answer{State: rein.AskAnswered, Text: says}
	}
	return rein.Answer{State: rein.AskApproved}
}

// pause waits for Enter, and reports whether to go on.
func (s *show) pause(prompt string) (on bool, err error) {
	s.c.out.Stdout.Flush()
	fmt.Fprint(s.c.out.Stderr, "\n"+prompt)
	s.keys.Want()
	select {
	case t := <-s.keys.Typed():
		s.keys.Taken()
		return t.Err == nil && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(t.Text)), "q"), nil
	case signal := <-s.c.signals:
		fmt.Fprintln(s.c.out.Stderr)
		return false, left{signal}
	}
}
