package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"rein/engine/guard"
	"rein/household/secrets"
	"rein/internal/secret"
	"rein/server/mask"
)

// known makes the redactors of runs: they take out what is a secret for everyone, and what the user of the run
// keeps sealed. What another user keeps is not among it: a label would tell them that they guessed it.
type known struct {
	box *secrets.Store

	mu      sync.Mutex
	settled *guard.Redactor // what is a secret for everyone, by the settings
	passed  []string        // what MCP servers that were added get of rein's variables
	base    *guard.Redactor // both
	byOwner map[secrets.Owner]*guard.Redactor
	values  map[secrets.Owner][]string // of everyone whose runs were looked at
	hides   *strings.Replacer          // of all of them; nil: it is to be made
}

func newKnown(box *secrets.Store, base *guard.Redactor) *known {
	return &known{box: box, settled: base, base: base, byOwner: map[secrets.Owner]*guard.Redactor{}, values: map[secrets.Owner][]string{}}
}

// sealedKind is what stands in the place of a value that somebody keeps sealed.
const sealedKind = "sealed secret"

// maxRedactors is how many redactors are kept: each is some hundred kilobytes.
const maxRedactors = 64

// openLimit is how long opening the secrets of a user may take.
const openLimit = 10 * time.Second

// of returns the redactor for what belongs to a user.
func (k *known) of(household, user string) *guard.Redactor {
	o := secrets.Owner{Household: household, User: user}
	k.mu.Lock()
	defer k.mu.Unlock()
	if made, ok := k.byOwner[o]; ok {
		return made
	}
	values, err := k.open(o)
	if err != nil {
		return k.base // the next call tries again
	}
	made := k.base.With(sealedKind, values)
	if len(k.byOwner) >= maxRedactors*maxRedactors || made != k.base && k.large() >= maxRedactors {
		clear(k.byOwner)
	}
	k.byOwner[o] = made
	if len(values) > 0 {
		k.values[o], k.hides = values, nil
	}
	return made
}

// large counts the redactors that know more than the one for everyone.
func (k *known) large() (n int) {
	for _, r := range k.byOwner {
		if r != k.base {
			n++
		}
	}
	return n
}

// open returns what the runs of a user may meet: their secrets and those of the household.
func (k *known) open(o secrets.Owner) (all []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), openLimit)
	defer cancel()
	for _, of := range []secrets.Owner{o, {Household: o.Household}} {
		values, err := k.box.Values(ctx, of)
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			all = append(all, parts(value)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// parts are the texts of a value that are secret: the value itself, without the word that a header has before it, and, if it
// is JSON, the strings in it whose keys say that they are.
func parts(value []byte) []string {
	all := []string{strings.TrimSpace(string(value))}
	if scheme, rest, ok := strings.Cut(all[0], " "); ok && slices.Contains([]string{"bearer", "basic", "token"}, strings.ToLower(scheme)) {
		all = append(all, strings.TrimSpace(rest))
	}
	var table map[string]any
	if json.Unmarshal(value, &table) != nil {
		return all
	}
	return append(all, secretStrings(table)...)
}

func secretStrings(table map[string]any) (all []string) {
	for key, value := range table {
		switch value := value.(type) {
		case string:
			if secret.ByKey(key, value) != "" {
				all = append(all, value)
			}
		case map[string]any:
			all = append(all, secretStrings(value)...)
		}
	}
	return all
}

// changed drops what was made of the secrets of an owner. Those of a household are everyone's in it.
func (k *known) changed(o secrets.Owner) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for has := range k.byOwner {
		if has == o || o.User == "" && has.Household == o.Household {
			delete(k.byOwner, has)
		}
	}
	for has := range k.values {
		if has == o || o.User == "" && has.Household == o.Household {
			delete(k.values, has)
		}
	}
	k.hides = nil
}

// rebase changes what is a secret for everyone, by the settings.
func (k *known) rebase(base *guard.Redactor) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.settled = base
	k.make()
}

// passedKind is what stands in the place of a variable that an MCP server gets.
const passedKind = "MCP credential"

// passes changes which variables MCP servers get that were added.
func (k *known) passes(values []string) {
	all := []string{}
	for _, value := range values {
		all = append(all, parts([]byte(value))...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Equal(all, k.passed) {
		k.passed = all
		k.make()
	}
}

// make is called with mu held.
func (k *known) make() {
	k.base = k.settled.With(passedKind, k.passed)
	clear(k.byOwner)
}

// cleaner is of for whoever shows the log.
func (k *known) cleaner(household, user string) mask.Cleaner { return k.of(household, user) }

// text takes out of a text what is a secret for everyone, and every value that this process has opened. It is for logs and
// traces, which are not for users.
func (k *known) text(text string) (clean string, blocked bool) {
	k.mu.Lock()
	base, hides := k.base, k.hider()
	k.mu.Unlock()
	clean, _, blocked = base.Text(text)
	return hides.Replace(clean), blocked
}

// hider makes what hides values, if they have changed. It is called with mu held.
func (k *known) hider() *strings.Replacer {
	if k.hides != nil {
		return k.hides
	}
	var pairs []string
	for _, values := range k.values {
		for _, v := range values {
			if len(v) >= 8 {
				quoted, _ := json.Marshal(v) // a string always encodes
				pairs = append(pairs, v, secret.Label(sealedKind), string(quoted[1:len(quoted)-1]), secret.Label(sealedKind))
			}
		}
	}
	k.hides = strings.NewReplacer(pairs...)
	return k.hides
}
