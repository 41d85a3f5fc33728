package cli

import (
	"context"
	"fmt"

	"rein/app"
	"rein/app/config"
	"rein/internal/units"
)

func modelsCommand() command {
	noCheck := false
	return command{
		name: "models", does: "list the models, and whether they can be used",
		more: `Lists the models of the settings, the built-in ones, and those of an Ollama, which need no settings: rein run --model ollama/NAME. If the settings list no models, a provider whose key is in the environment is listed too, and the first of them answers unless you choose another model.

rein asks each provider whether its model can be used: for the list of its models or, where that proves too little, for a reply of a few tokens. It remembers a good answer for a minute. The model that makes vectors (embedder) makes one of a word, which shows their dimension.

The window is in tokens. The price is for a million tokens, read and written.`,
		flags: func(c *call) []flagDef {
			return []flagDef{on(&noCheck, "no-check", "ask no provider"), jsonFlag(c), configFlag(c)}
		},
		run: func(ctx context.Context, c *call) error { return runModels(ctx, c, !noCheck) },
	}
}

func runModels(ctx context.Context, c *call, check bool) error {
	settings, err := c.checked()
	if err != nil {
		return err
	}
	list, err := c.setup().Models(ctx, check)
	if err != nil {
		return err
	}
	if c.json {
		for _, m := range list {
			if err := c.printJSON(m); err != nil {
				return err
			}
		}
		return nil
	}
	c.printModels(list)
	c.explainModels(settings, list)
	return nil
}

func (c *call) printModels(list []app.Model) {
	rows := [][]string{{"MODEL", "KIND", "ASKS", "WINDOW", "PRICE", "REACHABLE"}}
	for _, m := range list {
		name, window := m.Name, "not known"
		if m.Default {
			name += " (default)"
		}
		if m.Window > 0 {
			window = units.Number(m.Window)
		}
		if m.Embeds {
			name += " (embedder)"
		}
		rows = append(rows, []string{name, m.Kind, m.Model, window, c.priceText(m), reachable(m)})
	}
	c.columns(rows)
}

func reachable(m app.Model) string {
	switch {
	case !m.Checked:
		return "not asked"
	case !m.Reachable:
		return "no"
	case m.Dimension > 0:
		return fmt.Sprintf("yes, vectors of %d numbers", m.Dimension)
	}
	return "yes"
}

// explainModels says below the table why models cannot be used and what to do, and what is there because of a key alone.
func (c *call) explainModels(settings *config.Config, list []app.Model) {
	var rows [][]string
	offered := false
	for _, m := range list {
		if m.Why != "" {
			rows = append(rows, []string{m.Name + ":", m.Why + "; " + m.Do})
		}
		offered = offered || m.Offered
	}
	if len(rows) > 0 {
		c.print("\n")
		c.advice(rows)
	}
	switch {
	case settings.ChosenByKey() != "":
		c.note("rein: %s", safe(byKey(settings)))
	case offered:
		c.note("rein: a provider whose key is in the environment is listed without settings; %s writes settings for one", c.tip("init"))
	case len(settings.Models) == 0:
		c.note("rein: %s connects a model", c.tip("init"))
	}
}

func (c *call) priceText(m app.Model) string {
	currency := units.NewCurrency(m.Currency, c.out.Screen.Nice())
	if m.InputMicros == 0 && m.OutputMicros == 0 {
		return "0"
	}
	return currency.Money(m.InputMicros) + " / " + units.Money(m.OutputMicros)
}
