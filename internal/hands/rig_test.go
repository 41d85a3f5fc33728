package hands

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// A rig is the program with a workspace, and a model that plays a script.
type rig struct {
	*testing.T
	root  string // the workspace
	data  string
	app   *app.App
	vault string // a folder of notes; empty: none
	// settings is the folder of rein.toml; empty: one of its own
	settings string
	tools    string // a folder of programs beside those of PATH; empty: none
}

// newRig makes a workspace and a data folder. Call open when the workspace is ready.
func newRig(t *testing.T) *rig {
	t.Helper()
	sandboxtest.Need(t)
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{T: t, root: filepath.Join(base, "work"), data: filepath.Join(base, "data")}
	if err := os.Mkdir(r.root, 0o777); err != nil {
		t.Fatal(err)
	}
	return r
}

// open starts the program. The settings are lines of rein.toml, after those that every rig has.
func (r *rig) open(script, settings string) {
	r.Helper()
	home := r.TempDir()
	folder := cmp.Or(r.settings, home)
	r.put(filepath.Join(folder, "script.txt"), script)
	config := filepath.Join(folder, "rein.toml")
	vault := ""
	if r.vault != "" {
		vault = "vault = '" + r.vault + "'\n"
	}
	r.put(config, vault+"model = \"played\"\n[models.played]\nkind = \"script\"\nfile = \"script.txt\"\n[tools]\nroot = '"+r.root+"'\n"+settings)
	a, err := app.Open(r.Context(), app.Options{Data: r.data, Config: config, Env: []string{"PATH=" + os.Getenv("PATH") + ":" + r.tools, "HOME=" + home}})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := a.Close(); err != nil {
			r.Error(err)
		}
	})
	r.app = a
}

func (r *rig) put(path, text string) {
	r.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) path(name string) string { return filepath.Join(r.root, name) }

func (r *rig) read(name string) string {
	r.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

// git runs git in the workspace, as the person would.
func (r *rig) git(args ...string) string {
	r.Helper()
	cmd := exec.CommandContext(r.Context(), "git", append([]string{"-C", r.root, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// A person reads an ask and answers.
type person func(rein.Ask) rein.Answer

// A worked is what came of a task.
type worked struct {
	*rig
	run   rein.RunID
	end   rein.RunEnd
	calls []rein.ToolResult // in order
	log   []rein.Event
	said  string // what was shown while calls and models went on
}

// do gives a task to the model and follows it to its end.
func (r *rig) do(task rein.Task, ann person) worked {
	r.Helper()
	return r.doAs(api.NewRunID(time.Now()), task, ann)
}

// doAs is do for a run whose ID is known before.
func (r *rig) doAs(id rein.RunID, task rein.Task, ann person) worked {
	r.Helper()
	w := worked{rig: r}
	for line, err := range r.app.StartAndFollow(r.Context(), id, task, client.FollowOptions{}) {
		switch {
		case err != nil:
			r.Fatalf("%v\n%s", err, w.told())
		case line.Event != nil:
			w.see(*line.Event, ann)
		case line.Delta != nil:
			w.said += line.Delta.Text
		}
		if line.Event != nil && line.Event.Kind.Ends() {
			break
		}
	}
	return w
}

// see takes in an event. Asks are answered as they come.
func (w *worked) see(e rein.Event, ann person) {
	w.Helper()
	w.run, w.log = e.Run, append(w.log, e)
	switch {
	case e.Kind == rein.AskOpened:
		w.answer(decode[rein.Ask](w.T, e), ann)
	case e.Kind == rein.StepDone:
		if end := decode[rein.StepEnd](w.T, e); end.Result != nil {
			w.calls = append(w.calls, *end.Result)
		}
	case e.Kind.Ends():
		w.end = decode[rein.RunEnd](w.T, e)
	}
}

func (w *worked) answer(ask rein.Ask, ann person) {
	w.Helper()
	answer := ann(ask)
	if answer.State == "" {
		return // somebody else does
	}
	answer.Shown = ask.Shown
	if _, err := w.app.Answer(w.Context(), ask.ID, api.Answer{Answer: answer}); err != nil {
		w.Errorf("answer %q: %v", ask.Text, err)
	}
}

func decode[T any](t *testing.T, e rein.Event) T {
	t.Helper()
	p, err := rein.Payload[T](e)
	if err != nil {
		t.Fatalf("%s: %v", e.Kind, err)
	}
	return p
}

// told is what happened, for a person who reads why a test failed.
func (w *worked) told() string {
	var b strings.Builder
	for _, c := range w.calls {
		b.WriteString("--- " + string(c.Status) + "\n" + c.Text + "\n")
	}
	b.WriteString("--- " + string(w.end.End) + " " + w.end.Text + "\n")
	return b.String()
}

// A wish is what a person expects to be asked, and agrees to.
type wish struct {
	tool  string
	shows []string // what the text must hold
}

// agreeing is a person who agrees to exactly these calls, in this order, and to nothing else.
func (r *rig) agreeing(wishes ...wish) person {
	left := wishes
	r.Cleanup(func() {
		if len(left) > 0 && !r.Failed() {
			r.Errorf("nobody asked for %+v", left)
		}
	})
	return func(ask rein.Ask) rein.Answer {
		if len(left) == 0 || ask.Kind != rein.AskApproval || ask.Call == nil || ask.Call.Name != left[0].tool {
			r.Errorf("asked for something else: %s %s", ask.Kind, ask.Text)
			return rein.Answer{State: rein.AskRejected, Text: "not expected"}
		}
		for _, part := range left[0].shows {
			if !strings.Contains(ask.Text, part) {
				r.Errorf("%q is not in what is asked:\n%s", part, ask.Text)
			}
		}
		left = left[1:]
		return rein.Answer{State: rein.AskApproved}
	}
}

// intents are what the log says of the calls that were made.
func (w *worked) intents() []rein.Intent {
	w.Helper()
	var all []rein.Intent
	for _, e := range w.log {
		if e.Kind == rein.StepIntent {
			all = append(all, decode[rein.Intent](w.T, e))
		}
	}
	return all
}
