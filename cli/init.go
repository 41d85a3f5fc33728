package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"rein/app"
	"rein/app/config"
	"rein/terminal"
)

// initFlags are the flags of rein init alone.
type initFlags struct {
	provider, model, url, keyEnv string
	yes, noCheck                 bool
}

func initCommand() command {
	var f initFlags
	return command{
		name: "init", does: "connect a model, and write the settings for it",
		more: `Asks which provider you want, tests your key with a short reply, lets you choose one of the models that the provider has, and writes a rein.toml with comments. It finds Ollama, vLLM, llama.cpp and LM Studio on this machine by itself.

A key comes from the provider's usual variable. One that you type is not shown and is kept sealed, as by rein secrets set; it is never in the file. A file that exists stays as it is: rein prints what to add to it. Nothing is written before the last question, so Ctrl-C leaves nothing behind.

Scripts say everything with flags and --yes. --provider is one of the presets, anthropic, or other with --url. Without --model rein takes the one that it proposes, if the provider has it.`,
		flags: func(c *call) []flagDef {
			return []flagDef{
				text(&f.provider, "provider NAME", "the provider, such as openai, anthropic or ollama; default: you are asked, or the first whose key is set"),
				text(&f.model, "model M", "the model, as the provider calls it"),
				text(&f.url, "url URL", "the base URL, if it is not the usual one"),
				text(&f.keyEnv, "key-env NAME", "the variable with the key, or secret:NAME; default: the provider's usual one"),
				on(&f.yes, "yes", "ask nothing"),
				on(&f.noCheck, "no-check", "ask no provider: write the settings as they are given"),
				configFlag(c), text(&c.data, "data DIR", "the data folder, where a key that you type is kept"), keyFlag(c),
			}
		},
		run: f.run,
	}
}

// A connection is a model that is about to be used, and what is known of its key.
type connection struct {
	name   string // in the settings
	model  config.Model
	usual  string // the model that is proposed
	key    string
	typed  bool // the key was typed: it is to be kept
	retype bool // what the variable holds is not wanted
	local  bool
	names  []string // of the models that the provider has; nil: it does not say, or was not asked
}

// otherProvider is a server that nobody knows, with its address.
const otherProvider = "other"

func (f *initFlags) run(ctx context.Context, c *call) error {
	file, err := c.initFile()
	if err != nil {
		return err
	}
	_, missing := os.Lstat(file)
	named, env := c.configFile, c.env
	if missing != nil { // a file that somebody names must exist, and this one is to be made
		c.configFile, c.env = "", withoutFile(env)
	}
	var n connection
	switch {
	case f.yes && missing == nil:
		return usagef("%s exists already and stays as it is: name another file with --config, or leave --yes out to see what to add", file)
	case f.yes:
		n, err = f.given(ctx, c)
	case !terminal.Is(c.stdin):
		return usagef("rein init asks questions at a terminal: name the model with flags and --yes, as in rein init --provider openai --yes")
	default:
		n, err = f.ask(ctx, c, file, missing == nil)
	}
	if err != nil {
		return err
	}
	c.configFile, c.env, c.set = named, env, nil
	return c.connect(ctx, n, file, missing == nil)
}

// given is the connection that flags say, tested unless they say that it must not be.
func (f *initFlags) given(ctx context.Context, c *call) (connection, error) {
	all := c.setup().Providers(ctx)
	name := f.provider
	if name == "" && f.url != "" {
		name = otherProvider
	}
	if name == "" && len(all) > 0 && (all[0].HasKey || all[0].Local) {
		name = all[0].Name
	}
	if name == "" {
		return connection{}, usagef("name a provider with --provider: no key of one is in the environment, and no server of models answers on this machine; available: %s, %s", strings.Join(namesOf(all), ", "), otherProvider)
	}
	n, err := f.connection(name, all)
	if err != nil {
		return n, err
	}
	n.key = c.setup().Key(n.model)
	if f.noCheck {
		n.model.Model = f.model
		if n.model.Model == "" {
			n.model.Model = n.usual
		}
		if n.model.Model == "" {
			return n, usagef("name the model with --model: %s has no usual one", name)
		}
		return n, nil
	}
	if err := n.list(ctx, c); err != nil {
		return n, fmt.Errorf("%s cannot be used: %w", name, err)
	}
	if n.model.Model, err = f.chosen(n); err != nil {
		return n, err
	}
	if err := c.setup().TryModel(ctx, n.asked(), n.key); err != nil {
		return n, fmt.Errorf("%s cannot be used: %w", name, err)
	}
	return n, nil
}

// connection is what a provider of that name is asked by, before there is a model.
func (f *initFlags) connection(name string, all []app.Provider) (connection, error) {
	n := connection{name: name, model: config.Model{Kind: config.KindOpenAI, Provider: config.Provider{PriceIn: -1, PriceOut: -1}}}
	if i := slices.IndexFunc(all, func(p app.Provider) bool { return p.Name == name }); i >= 0 {
		p := all[i]
		n.model, n.usual, n.local, n.names = p.Model, p.Model.Model, p.Local, p.Models
		n.model.Model = ""
	} else if name != otherProvider {
		return n, noSuch("provider", name, append(namesOf(all), otherProvider))
	}
	if f.url != "" {
		n.model.BaseURL, n.names = f.url, nil
	}
	if f.keyEnv != "" {
		n.model.KeyEnv = f.keyEnv
	}
	if name == otherProvider && n.model.BaseURL == "" && f.yes {
		return n, usagef("--provider other needs --url: the base URL of its API, as in http://127.0.0.1:8000/v1")
	}
	return n, config.CheckProvider(n.model)
}

// asked is the model as its provider is asked: a key that was typed is not in a variable.
func (n *connection) asked() config.Model {
	m := n.model
	if n.typed {
		m.KeyEnv = ""
	}
	return m
}

// list asks the provider for its models, if that was not done.
func (n *connection) list(ctx context.Context, c *call) (err error) {
	if n.names == nil {
		n.names, err = c.setup().ModelsOf(ctx, n.asked(), n.key)
	}
	n.names = slices.DeleteFunc(slices.Clone(n.names), func(name string) bool { return safe(name) != name })
	return err
}

// chosen is the model of --model, or the one that nobody needs to choose.
func (f *initFlags) chosen(n connection) (string, error) {
	switch {
	case f.model != "":
		return f.model, nil
	case n.usual != "" && (len(n.names) == 0 || slices.Contains(n.names, n.usual)):
		return n.usual, nil
	case len(n.names) == 1:
		return n.names[0], nil
	case len(n.names) == 0:
		return "", usagef("name the model with --model: %s does not say which it has", n.name)
	}
	return "", usagef("name the model with --model: %s has %s", n.name, strings.Join(n.names, ", "))
}

func namesOf(all []app.Provider) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
