package app

import (
	"context"
	"strings"

	"rein"
	"rein/app/config"
	"rein/household/secrets"
)

// householdSecrets are what settings name: the settings are those of the household that the process belongs to.
var householdSecrets = secrets.Owner{Household: rein.FirstHousehold}

// keepSecrets makes what keeps secrets, and what takes them out of texts.
func (o *owner) keepSecrets() {
	o.secrets = &secrets.Store{Tables: o.store, Keys: secrets.NewKeys(o.place.Folder, o.settings.SecretKeyFile), People: o.people, Changed: o.secretChanged}
	o.known = newKnown(o.secrets, o.worker.Redact)
	o.worker.Known = o.known.of
	o.setup.box = o.secrets
	o.people.Watch(func(household, user string) {
		o.known.changed(secrets.Owner{Household: household, User: user})
		o.peers.left(household, user)
	})
}

// secretChanged makes again what knows a secret.
func (o *owner) secretChanged(of secrets.Owner) {
	o.known.changed(of)
	if now, _ := o.live.now(); of == householdSecrets && len(now.SecretNames()) > 0 {
		o.live.renew()
	}
}

// rebase makes again what is a secret for everyone: the keys that the settings name may have changed. Patterns hold from
// the start of a process to its end.
func (o *owner) rebase(now *config.Config) error {
	settings := *now
	settings.Redact = o.settings.Redact
	base, err := newRedactor(&settings, o.setup.variables(now))
	if err == nil {
		o.known.rebase(base)
	}
	return err
}

// boxOf returns the secrets of data that is open for reading.
func (s *Setup) boxOf(d *Data) *secrets.Store {
	named := ""
	if settings, err := s.Settings(); err == nil { // mistakes in the settings do not hide the data
		named = settings.SecretKeyFile
	}
	return &secrets.Store{Tables: d.Store, Keys: secrets.NewKeys(d.Folder, named)}
}

// variables returns the variables that settings name keys by, with the secrets that they name. What cannot be opened is
// missing: whoever needs it says so.
func (s *Setup) variables(settings *config.Config) config.Environment {
	env, names := s.env, settings.SecretNames()
	if len(names) == 0 {
		return env
	}
	ctx, cancel := context.WithTimeout(context.Background(), openLimit)
	defer cancel()
	box := s.box
	if box == nil {
		p, err := s.Place()
		if err != nil {
			return env
		}
		d, err := openReader(ctx, p)
		if err != nil {
			return env
		}
		defer d.Close()
		box = s.boxOf(d)
	}
	for _, name := range names {
		value, err := box.Get(ctx, householdSecrets, name)
		switch {
		case err == nil && strings.ContainsAny(string(value), " \t\r\n"):
			// A key that cannot be one must not keep anyone from setting it again.
			s.o.Warn("the secret " + name + " has white space in it, so it is not used as a key: set it again")
		case err == nil:
			env = env.WithSecret(name, string(value))
		case rein.CodeOf(err) != rein.CodeNotFound:
			s.o.Warn(err.Error())
		}
	}
	return env
}
