package cli

import (
	"context"
	"strings"

	"rein/api"
	"rein/app"
	"rein/app/config"
	"rein/internal/near"
)

func toolsCommand() command {
	return command{
		name: "tools", args: "[NAME]", does: "list the tools, with their effects and who asks", most: 1,
		more: `Lists the tools that a run has here by default: what each can change (EFFECT), when a person is asked about a call (ASKS), and where it comes from. NAME prints what models read about one tool. Tools that the settings deny are not listed. A session's mode and the rules of its user can change who is asked; a workspace can only be stricter.`,
		flags: func(c *call) []flagDef {
			root := text(&c.root, "root DIR", "the folder of the file tools; default: this one")
			return []flagDef{root, text(&c.vault, "vault DIR", "a folder of notes"), jsonFlag(c), configFlag(c)}
		}, run: runTools,
	}
}

func runTools(_ context.Context, c *call) error {
	list, err := c.setup().Offered()
	if err != nil {
		return err
	}
	if len(c.args) > 0 {
		return c.printTool(list, c.args[0])
	}
	if err := c.printTools(list); err != nil || c.json {
		return err
	}
	settings, err := c.checked()
	if err != nil {
		return err
	}
	if denied := c.setup().Denied(settings); len(denied) > 0 {
		c.note("denied by the settings (%s): %s", settings.Source("tools.deny"), strings.Join(denied, ", "))
	}
	c.tellMissing(settings)
	c.tellFiles()
	return nil
}

// tellMissing lists the tools for the web that are not offered because settings are missing.
func (c *call) tellMissing(settings *config.Config) {
	var missing []string
	for _, name := range app.WebTools() {
		if c.setup().MissingWeb(settings, name) != "" && name != "search_web" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		c.note("not set up: %s; `rein doctor` says what is missing", strings.Join(missing, ", "))
	}
}

// asksWords say when a person is asked, by what the API says.
var asksWords = map[api.Approval]string{
	api.ApprovalNever: "never", api.ApprovalEach: "each call", api.ApprovalRules: "by its rules",
	api.ApprovalPolicy: "each call (settings)", api.ApprovalQuestion: "it is a question",
}

// fromWords say where a tool comes from.
var fromWords = map[api.From]string{api.FromRein: "built in", api.FromProgram: "this program"}

func (c *call) printTools(list []api.Tool) error {
	rows := [][]string{{"TOOL", "EFFECT", "ASKS", "FROM"}}
	for _, t := range list {
		if c.json {
			if err := c.printJSON(t); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{t.Name, string(t.Effect), asksWords[t.Approval], fromWords[t.From]})
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}

// printTool prints what is known of one tool.
func (c *call) printTool(list []api.Tool, name string) error {
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
		if t.Name != name {
			continue
		}
		if c.json {
			return c.printJSON(t)
		}
		c.print("%s: effect %s; asks: %s; %s\n\n%s\n", safe(t.Name), t.Effect, asksWords[t.Approval], fromWords[t.From], safeLines(t.About))
		return nil
	}
	if settings, err := c.checked(); err == nil {
		if missing := c.setup().MissingWeb(settings, name); missing != "" {
			return usagef("tool %q is not set up: %s (docs/web.md)", name, missing)
		}
	}
	return usagef("there is no tool %q here%s (`rein tools` lists those that there are)", name, near.DidYouMean(name, names))
}
