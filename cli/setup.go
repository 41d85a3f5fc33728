package cli

import (
	"maps"
	"slices"
	"strings"

	"rein/app"
	"rein/app/config"
)

// setup is what the flags, variables and settings say. Flags must have been read.
func (c *call) setup() *app.Setup {
	if c.set != nil {
		return c.set
	}
	o := c.parts
	o.Data, o.Config, o.Env, o.Scoped, o.Park = c.data, c.configFile, c.env, true, c.park
	o.Set, o.SetHere = c.given()
	o.Warn = func(text string) { c.note("rein: warning: %s", safe(text)) }
	c.set = app.New(o)
	return c.set
}

// given is what flags say of settings: for all that this process does, and for the runs that are typed
// here, which others who reach this process do not start.
func (c *call) given() (all, here map[string]string) {
	all = map[string]string{"server.listen": c.listen, "vault": c.vault, "secret_key_file": c.secretKey}
	here = map[string]string{"default_flow": c.flow, "model": c.model, "tools.root": c.root, "tools.allow": strings.Join(c.yesTo, ",")}
	if c.force {
		here["tools.force_root"] = "true"
	}
	if c.runs {
		here["vault"] = c.vault
		delete(all, "vault")
	}
	if c.serves {
		maps.Copy(all, here)
		clear(here)
	}
	for _, flags := range []map[string]string{all, here} {
		maps.DeleteFunc(flags, func(_, value string) bool { return value == "" })
	}
	return all, here
}

// settings reads the settings, once.
func (c *call) settings() (*config.Config, error) { return c.setup().Settings() }

// checked reads the settings, and wants every name in them to mean something.
func (c *call) checked() (*config.Config, error) { return c.setup().Checked() }

// tellFiles says in a line that there are no file tools, if there are none.
func (c *call) tellFiles() {
	if none := c.setup().Files().None; none != "" {
		c.note("rein: no file tools: %s; go to the folder of your work, or name it with --root DIR", safe(none))
	}
}

// offered is the tools that were named for a run; nil: those that the settings give it.
func (c *call) offered(settings *config.Config, tools []string, workspace string) ([]string, error) {
	all := c.setup().Tools()
	for _, name := range tools {
		if !slices.Contains(all, name) && !app.IsSkillTool(name) {
			return nil, noSuch("tool", name, all)
		}
		if slices.Contains(c.setup().Denied(settings), name) {
			return nil, usagef("tool %q is denied by the settings (%s)", name, settings.Source("tools.deny"))
		}
		if missing := c.setup().MissingWeb(settings, name); missing != "" {
			return nil, usagef("tool %q is not set up: %s (docs/web.md)", name, missing)
		}
		if workspace != "" {
			continue // it has what it has
		}
		if slices.Contains(app.NoteTools(), name) && settings.Notes.Vault == "" {
			return nil, usagef("tool %q reads notes, and you have none: name a folder of notes with --vault DIR", name)
		}
		if slices.Contains(append(app.FileTools(), app.CommandTools()...), name) && settings.Tools.Root == "" {
			return nil, usagef("tool %q needs a folder of files, and %s: name one with --root DIR", name, c.setup().Files().None)
		}
	}
	return tools, nil
}
