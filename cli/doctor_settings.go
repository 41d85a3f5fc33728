package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rein/app/config"
)

// checkSettings looks at the config, and at the model that it chooses.
func (d *doctor) checkSettings(c *call) {
	settings, err := config.Load(config.Options{File: c.configFile, Env: c.env, Flags: c.given()})
	if err == nil {
		err = settings.Check(known())
	}
	if err != nil {
		d.wrongSettings(err)
		return
	}
	where := "there is no file: all is as it is by default"
	if settings.File != "" {
		where = settings.File
	}
	d.find(fine, "settings", "", "%s", where)
	for _, w := range settings.Warnings {
		d.find(warn, "settings", "mend it or unset it", "%s", w)
	}
	if err := checkParts(settings, c.env); err != nil {
		d.find(wrong, "settings", "mend them", "%v", err)
		return
	}
	words := fmt.Sprintf("%q", settings.Model)
	if settings.Model == config.KindOffline {
		words += ", which follows rules and is no LLM"
	}
	d.find(fine, "model", "", "%s", words)
	d.checkFiles(c, settings)
	d.checkServer(settings.Server)
	d.checkWebhooks(settings.Webhooks, c.env)
	d.settings = settings
}

func (d *doctor) wrongSettings(err error) {
	problems, ok := errors.AsType[config.Problems](err)
	if !ok {
		d.find(wrong, "settings", "mend the file", "%v", err)
	}
	for _, p := range problems {
		d.find(wrong, "settings", "mend it", "%s", p)
	}
}

// checkLive asks the process that has the data open which settings it works with.
func (d *doctor) checkLive(ctx context.Context, l *link) {
	health, err := l.Health(ctx)
	if err != nil {
		return
	}
	if health.Settings != "" {
		d.find(wrong, "live", "correct the file; it is read again by itself", "process %d: %s", l.pid, health.Settings)
	}
	if len(health.Restart) > 0 {
		d.find(warn, "live", "start it again", "process %d still works with earlier values of %s", l.pid, strings.Join(health.Restart, ", "))
	}
}

// checkSocket asks the process that has the data open whether it is well.
func (d *doctor) checkSocket(ctx context.Context) {
	if !d.owned || d.lone {
		return
	}
	if l := dial(ctx, d.place); l != nil {
		d.find(fine, "socket", "", "process %d answers", l.pid)
		d.checkCalls(ctx, l)
		d.checkLive(ctx, l)
		return
	}
	d.find(warn, "socket", "it may be another program that embeds rein, or hang", "nobody answers on %s", socketName)
}
