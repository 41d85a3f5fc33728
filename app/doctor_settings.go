package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"rein/app/config"
	"rein/app/probe"
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
		d.find(Warn, "settings", "correct or unset it; "+d.tip("config check")+" lists all settings with their variables", "%s", w)
	}
	if err := d.setup.checkParts(settings); err != nil {
		d.find(Wrong, "settings", "correct it in rein.toml; "+d.tip("config check")+" shows all settings", "%v", err)
		return
	}
	d.checkModel(settings)
	d.checkCurrency(settings)
	d.checkFiles(settings)
	d.checkServer(settings.Server)
	d.checkWebhooks(settings.Webhooks, d.setup.variables(settings))
	d.checkWeb(settings)
	d.settings = settings
}

// checkModel says which model answers, and whether its key is there. It asks nobody: rein models does.
func (d *doctor) checkModel(settings *config.Config) {
	m := settings.Models[settings.Model]
	if t := probe.Missing(m, d.setup.variables(settings).Get(m.KeyEnv)); t != nil {
		d.find(Wrong, "model", d.keyFix(m.KeyEnv)+", or set model to another one", "%q cannot be used: %s", settings.Model, t.Why)
		return
	}
	words := fmt.Sprintf("%q", settings.Model)
	switch {
	case settings.Model == config.KindOffline:
		words += ", which follows fixed rules and is not an LLM"
	case settings.ChosenByKey() != "":
		words += ", because $" + settings.ChosenByKey() + " is set and no setting chooses a model"
	}
	d.find(Fine, "model", "", "%s", words)
}

func (d *doctor) wrongSettings(err error) {
	problems, ok := errors.AsType[config.Problems](err)
	if !ok {
		d.find(Wrong, "settings", "correct rein.toml; "+d.tip("config check")+" shows where each value comes from", "%v", err)
	}
	for _, p := range problems {
		d.find(Wrong, "settings", "correct it; "+d.tip("config check")+" shows where each value comes from", "%s", p)
	}
}

// checkLive asks the process that has the data open which settings it works with.
func (d *doctor) checkLive(ctx context.Context, a *App) {
	health, err := a.Health(ctx)
	if err != nil {
		return
	}
	if health.Settings != "" {
		d.find(Wrong, "live", "correct the file, which rein reads again by itself; "+d.tip("config check")+" shows whether it is right", "process %d: %s", a.pid, health.Settings)
	}
	if len(health.Restart) > 0 {
		d.find(Warn, "live", d.again(), "process %d still works with earlier values of %s", a.pid, strings.Join(health.Restart, ", "))
	}
}

// again says how a process is started again.
func (d *doctor) again() string {
	return d.tip("owner stop") + " if it runs in the background, else Ctrl-C or `systemctl restart rein`; it takes them when it starts again"
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
	d.find(Warn, "socket", fmt.Sprintf("it may be another program that embeds rein; if it hangs, `kill -CONT %[1]s` continues it and `kill %[1]s` ends it, and its runs are kept", cmp.Or(d.holder, "PID")), "nobody answers on %s", socketName)
}
