package cli

import (
	"context"
	"fmt"

	"rein"
	"rein/app"
	"rein/app/config"
)

// tellModel says which provider answers a task, if nobody chose a model and a key in the environment decides. Another
// process that drives the run decides for itself.
func (c *call) tellModel(ctx context.Context, l *app.App, task rein.Task) {
	if words := c.chosenModel(ctx, l, task); words != "" {
		c.note("rein: %s", words)
	}
}

// chosenModel is what tellModel says; empty: nothing.
func (c *call) chosenModel(ctx context.Context, l *app.App, task rein.Task) string {
	settings, err := c.settings()
	if err != nil || task.Model != "" || task.Preset != "" || settings.ChosenByKey() == "" {
		return ""
	}
	if other := usualModel(ctx, l); other != "" && other != settings.Model {
		return fmt.Sprintf("$%s is not used: process %d drives the run, and its model is %s; --model chooses another", settings.ChosenByKey(), l.PID(), safe(other))
	}
	return safe(byKey(settings))
}

// onlyOffline says at the start of a new session that the built-in model answers, if nobody has connected another; empty:
// somebody has.
func (c *call) onlyOffline(ctx context.Context, l *app.App, task rein.Task, session string) string {
	settings, err := c.settings()
	if err != nil || session != "" || task.Model != "" || task.Preset != "" {
		return ""
	}
	chosen := settings.Model != config.KindOffline || settings.Source("model") != config.Source{}
	if other := usualModel(ctx, l); chosen || other != "" && other != config.KindOffline {
		return ""
	}
	return "The built-in offline model answers: it follows rules and is not an LLM. " + c.tip("init") + " connects one."
}

// byKey says what answers because of a key alone, and how to change that.
func byKey(settings *config.Config) string {
	return asks(settings) + " answers, because $" + settings.ChosenByKey() + " is set; --model NAME, or model in rein.toml, chooses another"
}

// usualAnswer is the model that answers, and why if nobody chose it.
func usualAnswer(settings *config.Config) string {
	if settings.ChosenByKey() != "" {
		return byKey(settings)
	}
	return settings.Model
}

// asks is the model of the settings as people read it: the provider, and what it calls the model.
func asks(settings *config.Config) string {
	m := settings.Models[settings.Model]
	return settings.Model + " (" + m.Model + ")"
}

// usualModel is the model of tasks that name none, as the other process that drives them has it; empty: this one does, or
// the other does not say.
func usualModel(ctx context.Context, l *app.App) string {
	if l.Owns() {
		return ""
	}
	list, err := l.Models(ctx)
	if err != nil {
		return ""
	}
	for _, m := range list {
		if m.Default {
			return m.Name
		}
	}
	return ""
}
