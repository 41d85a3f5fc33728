package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rein/api"
	"rein/app"
	"rein/app/config"
	"rein/internal/near"
	"rein/terminal"
)

// An interview asks the person at the terminal for lines.
type interview struct {
	c    *call
	keys keys
}

// errNothing ends an interview whose person had enough.
var errNothing = errors.New("nothing was written")

// say shows a line.
func (d *interview) say(format string, args ...any) { d.c.note(format, args...) }

// line asks for a line; empty: the person only pressed Enter.
func (d *interview) line(ctx context.Context, prompt string) (string, error) {
	d.c.out.Stdout.Flush()
	fmt.Fprint(d.c.out.Stderr, safe(prompt)+": ")
	d.keys.Want()
	select {
	case t := <-d.keys.Typed():
		d.keys.Taken()
		return strings.TrimSpace(t.Text), d.over(t.Err)
	case <-ctx.Done():
		return "", d.over(ctx.Err())
	}
}

// hidden asks for a line that is not shown.
func (d *interview) hidden(ctx context.Context, prompt string) (string, error) {
	fmt.Fprint(d.c.out.Stderr, safe(prompt)+": ")
	line, err := terminal.ReadHidden(ctx, d.c.stdin)
	if err == nil {
		fmt.Fprintln(d.c.out.Stderr)
	}
	return strings.TrimSpace(line), d.over(err)
}

// over says, if the interview ends before its time, that it left nothing behind.
func (d *interview) over(err error) error {
	if err == nil {
		return nil
	}
	fmt.Fprintln(d.c.out.Stderr)
	if errors.Is(err, io.EOF) {
		return errNothing
	}
	if errors.Is(err, context.Canceled) {
		d.say("nothing was written")
	}
	return err
}

// initInterview is the questions of rein init.
type initInterview struct {
	interview
	*initFlags
	all []app.Provider
}

func (f *initFlags) ask(ctx context.Context, c *call, file string, exists bool) (connection, error) {
	d := &initInterview{interview: interview{c, terminal.NewKeyboard(c.stdin)}, initFlags: f}
	d.say("rein init connects a model. Ctrl-C ends it, and nothing is written before the last question.")
	c.out.Status.Wait("Looking for servers of models on this machine")
	d.all = c.setup().Providers(ctx)
	c.out.Status.Wait("")
	n, err := d.provider(ctx)
	for again := true; err == nil && again; {
		again, err = d.attempt(ctx, &n)
	}
	if err != nil {
		return n, err
	}
	return n, d.agree(ctx, n, file, exists)
}

// provider asks which provider it is to be, unless a flag says so.
func (d *initInterview) provider(ctx context.Context) (connection, error) {
	name := d.initFlags.provider
	if name == "" {
		d.listProviders()
	}
	for name == "" {
		prompt, usual := "Provider, by number or name", ""
		if first := d.all[0]; first.HasKey || first.Local {
			usual, prompt = first.Name, prompt+" ["+first.Name+"]"
		}
		typed, err := d.line(ctx, prompt)
		if err != nil {
			return connection{}, err
		}
		names := append(namesOf(d.all), otherProvider)
		if name = pickOf(names, typed, usual); name == "" && typed != "" {
			d.say("there is no provider %q%s; Ctrl-C ends this", safe(typed), near.DidYouMean(typed, names))
		}
	}
	n, err := d.connection(name, d.all)
	if err != nil {
		return n, err
	}
	if name == otherProvider || n.model.Preset == "azure" {
		err = d.address(ctx, &n)
	}
	return n, err
}

func (d *initInterview) listProviders() {
	for i, p := range d.all {
		about := "wants a key"
		switch {
		case p.HasKey:
			about = "$" + p.Model.KeyEnv + " is set"
		case p.Local:
			about = "on this machine, models: " + strconv.Itoa(len(p.Models))
		case p.Model.KeyEnv == "":
			about = "does not answer on this machine"
		}
		d.say("%4d  %-11s %s", i+1, p.Name, safe(about))
	}
	d.say("%4d  %-11s %s", len(d.all)+1, otherProvider, "any server with OpenAI's API, by its address")
}

// pickOf is the name that was typed, by itself or by its number; empty: there is none.
func pickOf(names []string, typed, usual string) string {
	if typed == "" {
		return usual
	}
	if i, err := strconv.Atoi(typed); err == nil && i >= 1 && i <= len(names) {
		return names[i-1]
	}
	if slices.Contains(names, typed) {
		return typed
	}
	return ""
}

// address asks where a server is that has no usual place.
func (d *initInterview) address(ctx context.Context, n *connection) error {
	for n.model.BaseURL == "" {
		typed, err := d.line(ctx, "Base URL of its API, as in http://127.0.0.1:8000/v1")
		if err != nil {
			return err
		}
		n.model.BaseURL = typed
		if err := config.CheckProvider(n.model); err != nil {
			d.say("%s", safe(err.Error()))
			n.model.BaseURL = ""
		}
	}
	return nil
}

// attempt asks for what is missing and tries it. It reports whether to do so again.
func (d *initInterview) attempt(ctx context.Context, n *connection) (again bool, err error) {
	if err := d.key(ctx, n); err != nil {
		return false, err
	}
	untested := n.model.KeyEnv != "" && n.key == "" || d.noCheck
	if !untested {
		d.c.out.Status.Wait("Asking " + n.name + " for its models")
		err := n.list(ctx, d.c)
		d.c.out.Status.Wait("")
		if err != nil {
			return d.failed(ctx, n, err)
		}
		if n.local && len(n.names) == 0 {
			return false, fmt.Errorf("%s has no models yet: get one, as in `ollama pull qwen3:8b`, and call rein init again", n.name)
		}
	}
	if err := d.pickModel(ctx, n); err != nil || untested {
		return false, err
	}
	d.c.out.Status.Wait("Asking " + n.model.Model + " for a short reply")
	err = d.c.setup().TryModel(ctx, n.asked(), n.key)
	d.c.out.Status.Wait("")
	if err != nil {
		n.model.Model, d.model = "", ""
		return d.failed(ctx, n, err)
	}
	d.say("%s of %s replies: the address, the key and the model are right.", safe(n.model.Model), n.name)
	return false, nil
}

// key takes the key from its variable, or asks for it.
func (d *initInterview) key(ctx context.Context, n *connection) error {
	if n.key != "" || n.local {
		return nil
	}
	if n.model.KeyEnv != "" && !n.retype {
		if n.key = d.c.setup().Key(n.model); n.key != "" {
			d.say("The key comes from %s.", safe(config.SpelledKey(n.model.KeyEnv)))
			return nil
		}
	}
	prompt := "Key, which is not shown; Enter alone: you set " + config.SpelledKey(n.model.KeyEnv) + " yourself"
	if n.model.KeyEnv == "" {
		prompt = "Key, which is not shown; Enter alone: it wants none"
	}
	for {
		typed, err := d.hidden(ctx, prompt)
		switch {
		case err != nil:
			return err
		case strings.ContainsAny(typed, " \t"), len(typed) > api.MaxSecret:
			d.say("that is not a key: it has white space in it, or is too long")
			continue
		case typed == "" && n.model.KeyEnv != "":
			d.say("Nothing is tested without the key. Set %s before you use the model.", config.SpelledKey(n.model.KeyEnv))
		case typed != "":
			n.key, n.typed = typed, true
			if n.model.KeyEnv == "" || strings.HasPrefix(n.model.KeyEnv, "secret:") {
				n.model.KeyEnv = strings.ToUpper(n.name) + "_API_KEY"
			}
		}
		return nil
	}
}

// failed says what is wrong, and asks what to do about it.
func (d *initInterview) failed(ctx context.Context, n *connection, why error) (again bool, err error) {
	if ctx.Err() != nil {
		return false, d.over(ctx.Err())
	}
	d.say("That does not work: %s.", safe(why.Error()))
	for {
		typed, err := d.line(ctx, "Try again, type another key, or end? [t/k/e]")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(typed) {
		case "t", "try":
			return true, nil
		case "k", "key":
			n.key, n.typed, n.retype, n.names, n.local = "", false, true, nil, false
			return true, nil
		case "e", "end":
			return false, errNothing
		}
	}
}
