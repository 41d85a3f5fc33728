package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rein/app/config"
)

// checkSettings looks at the config, and at the model that it chooses.
func (d *doctor) checkSettings() {
	settings, err := d.setup.load(true)
	if err == nil {
		err = settings.Check(d.setup.known())
	}
	if err != nil {
		d.wrongSettings(err)
		return
	}
	where := "there is no settings file, so all defaults apply"
	if settings.File != "" {
		where = settings.File
	}
	d.find(Fine, "settings", "", "%s", where)
	for _, w := range settings.Warnings {
		d.find(Warn, "settings", "fix it or unset it", "%s", w)
	}
	if err := d.setup.checkParts(settings); err != nil {
		d.find(Wrong, "settings", "fix them", "%v", err)
		return
	}
	words := fmt.Sprintf("%q", settings.Model)
	if settings.Model == config.KindOffline {
		words += ", which follows fixed rules and is not an LLM"
	}
	d.find(Fine, "model", "", "%s", words)
	d.checkFiles(settings)
	d.checkServer(settings.Server)
	d.checkWebhooks(settings.Webhooks, d.setup.env)
	d.settings = settings
}

func (d *doctor) wrongSettings(err error) {
	problems, ok := errors.AsType[config.Problems](err)
	if !ok {
		d.find(Wrong, "settings", "fix the file", "%v", err)
	}
	for _, p := range problems {
		d.find(Wrong, "settings", "fix it", "%s", p)
	}
}

// checkLive asks the process that has the data open which settings it works with.
func (d *doctor) checkLive(ctx context.Context, a *App) {
	health, err := a.Health(ctx)
	if err != nil {
		return
	}
	if health.Settings != "" {
		d.find(Wrong, "live", "fix the file; rein reads it again by itself", "process %d: %s", a.pid, health.Settings)
	}
	if len(health.Restart) > 0 {
		d.find(Warn, "live", "restart it", "process %d still works with earlier values of %s", a.pid, strings.Join(health.Restart, ", "))
	}
}

// checkSocket asks the process that has the data open whether it is well.
func (d *doctor) checkSocket(ctx context.Context) {
	if !d.owned || d.Lone {
		return
	}
	if a := Dial(ctx, d.Place); a != nil {
		d.find(Fine, "socket", "", "process %d answers", a.pid)
		d.checkCalls(ctx, a)
		d.checkLive(ctx, a)
		return
	}
	d.find(Warn, "socket", "it may be another program that embeds rein, or it may hang", "nobody answers on %s", socketName)
}
