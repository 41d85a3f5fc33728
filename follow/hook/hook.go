// Package hook has the webhooks of users, for both ways: messages go to a URL of theirs, and their programs talk to their
// assistant. Both ways are signed with a secret that the two share, with the time in the signature.
package hook

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"rein"
	"rein/follow/talk"
	"rein/household/channels"
	"rein/household/secrets"
	"rein/store"
)

// A Store is what hooks are kept in, and where runs are read.
type Store interface {
	store.Reader
	store.Tables
}

// Options are what hooks work with. Warn and Now may be left out.
type Options struct {
	Store   Store
	Secrets secrets.Box
	Book    channels.Book
	Talk    *talk.Desk
	// Who returns who a user is when they say something through a hook: people.People.Reached.
	Who func(ctx context.Context, household, user, channel string) (rein.Identity, error)
	// Language returns the language of a user.
	Language func(ctx context.Context, household, user string) string
	// Networks and Hosts are what may be reached beside the internet, and without TLS: whoever runs rein named them.
	Networks []netip.Prefix
	Hosts    []string
	Warn     func(what string, args ...any)
	Now      func() time.Time // nil means time.Now
}

// Hooks are the webhooks of all users. New makes them.
type Hooks struct {
	opts   Options
	sends  *sender
	counts *counter
	news   *store.Notes[bool]
	pause  time.Duration // before a reply is tried again; it doubles with each
}

// New makes the hooks, which send nothing until they are served.
func New(o Options) *Hooks {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(string, ...any) {}
	}
	return &Hooks{opts: o, sends: newSender(o), counts: &counter{}, news: store.NewNotes[bool](), pause: 5 * time.Second}
}

// A Hook is a webhook of a user.
type Hook struct {
	ID              string
	Household, User string
	Label           string
	URL             string // empty: nothing is sent
	Answers         bool   // it may answer asks
	Created         time.Time
}

// What there is at most.
const (
	maxOwned = 10
	maxLabel = 100
	maxURL   = 2000
)

// Add makes a hook for whoever asks, and returns its secret, which nothing shows again.
func (h *Hooks) Add(ctx context.Context, who rein.Identity, label, address string, answers bool) (made Hook, secret string, err error) {
	switch {
	case !who.May(rein.ScopeAct) || answers && !who.May(rein.ScopeAnswer) || address != "" && !who.May(rein.ScopeRead):
		return made, "", rein.Errorf(rein.CodeForbidden, "to make this hook you need the scope %q, %q if it may answer, and %q if messages go to its URL", rein.ScopeAct, rein.ScopeAnswer, rein.ScopeRead)
	case len(label) > maxLabel || strings.ContainsFunc(label, unicode.IsControl):
		return made, "", rein.Errorf(rein.CodeInvalid, "the label is one line of at most %d bytes", maxLabel)
	}
	if address != "" {
		if err := h.checkURL(address); err != nil {
			return made, "", err
		}
	}
	made = Hook{ID: strings.ToLower(rand.Text()[:16]), Household: who.Household, User: who.User, Label: label, URL: address, Answers: answers, Created: h.now()}
	secret = "hook_" + strings.ToLower(rand.Text())
	if err := h.opts.Secrets.Put(ctx, made.owner(), made.secretName(), []byte(secret)); err != nil {
		return made, "", err
	}
	err = h.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		own, err := list(ctx, tx, "household = ? AND user_name = ?", who.Household, who.User)
		if err != nil {
			return err
		}
		if len(own) >= maxOwned {
			return rein.Errorf(rein.CodeLimit, "%s has %d hooks already: remove some with rein hooks remove", who.User, len(own))
		}
		if address != "" {
			c := channels.Channel{Household: who.Household, User: who.User, Kind: channels.Webhook, Address: address, Label: label, Data: made.data(), Verified: made.Created}
			if _, err := h.opts.Book.PutIn(ctx, tx, c); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO hooks (id, household, user_name, label, url, answers, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			made.ID, made.Household, made.User, made.Label, made.URL, made.Answers, made.Created.UnixMicro())
		return err
	})
	if err != nil {
		_ = h.opts.Secrets.Delete(ctx, made.owner(), made.secretName()) // nothing uses it
		return Hook{}, "", err
	}
	return made, secret, nil
}

// checkURL says what is wrong with the URL of a hook, if anything. That a name has no address here is found when it is used.
func (h *Hooks) checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxURL || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return rein.Errorf(rein.CodeInvalid, "the URL of a hook must be like https://host/path, of at most %d bytes", maxURL)
	case u.User != nil || u.Fragment != "":
		return rein.Errorf(rein.CodeInvalid, "the URL of a hook must have no user, password or fragment: what is sent there is signed")
	case u.Scheme == "http" && !h.named(u):
		return rein.Errorf(rein.CodeInvalid, "the URL of a hook must begin with https: only hosts that hooks.allow in the settings names may do without")
	}
	return nil
}

// named reports whether whoever runs rein named the host.
func (h *Hooks) named(u *url.URL) bool {
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && slices.ContainsFunc(h.opts.Networks, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) }) {
		return true
	}
	return slices.ContainsFunc(h.opts.Hosts, func(host string) bool {
		return strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())
	})
}

// List returns the hooks of whoever asks, the oldest first.
func (h *Hooks) List(ctx context.Context, who rein.Identity) ([]Hook, error) {
	return h.read(ctx, "household = ? AND user_name = ? ORDER BY created, id", who.Household, who.User)
}

// Remove removes a hook of whoever asks, with its secret and its channel. Another's does not exist for them.
func (h *Hooks) Remove(ctx context.Context, who rein.Identity, id string) error {
	err := h.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := list(ctx, tx, "household = ? AND user_name = ? AND id = ?", who.Household, who.User, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return notFound(id)
		}
		return Erase(ctx, tx, found)
	})
	if err != nil {
		return err
	}
	gone := Hook{ID: id, Household: who.Household, User: who.User}
	if err := h.opts.Secrets.Delete(ctx, gone.owner(), gone.secretName()); err != nil && rein.CodeOf(err) != rein.CodeNotFound {
		return err
	}
	return nil
}

func notFound(id string) error { return rein.Errorf(rein.CodeNotFound, "there is no hook %.80q", id) }

func (k Hook) owner() secrets.Owner { return secrets.Owner{Household: k.Household, User: k.User} }
func (k Hook) secretName() string   { return "hook/" + k.ID }
func (k Hook) data() []byte         { return []byte(`{"hook":"` + k.ID + `"}`) }

func (h *Hooks) now() time.Time { return h.opts.Now().UTC().Truncate(time.Microsecond) }

func (h *Hooks) read(ctx context.Context, where string, args ...any) (found []Hook, err error) {
	err = h.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, where, args...)
		return err
	})
	return found, err
}

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Hook, error) {
	return scan(ctx, q, func(rows *sql.Rows) (k Hook, err error) {
		var created int64
		err = rows.Scan(&k.ID, &k.Household, &k.User, &k.Label, &k.URL, &k.Answers, &created)
		k.Created = time.UnixMicro(created).UTC()
		return k, err
	}, `SELECT id, household, user_name, label, url, answers, created FROM hooks WHERE `+where, args...)
}

func scan[T any](ctx context.Context, q store.Query, one func(*sql.Rows) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		found, err := one(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, rows.Err()
}

// KeptOf returns the hooks of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Hook, error) {
	return list(ctx, q, "household = ? ORDER BY user_name, created, id", household)
}

// Erase removes hooks with all that came through them, in the transaction of something else. Their secrets go with those of
// their users.
func Erase(ctx context.Context, tx rein.Tx, gone []Hook) error {
	for _, k := range gone {
		own, err := channels.For(ctx, tx, k.Household, k.User)
		if err != nil {
			return err
		}
		own = slices.DeleteFunc(own, func(c channels.Channel) bool { return c.Kind != channels.Webhook || string(c.Data) != string(k.data()) })
		if err := channels.Erase(ctx, tx, own); err != nil {
			return err
		}
		for _, query := range []string{`DELETE FROM hook_requests WHERE hook = ?`, `DELETE FROM hooks WHERE id = ?`} {
			if _, err := tx.ExecContext(ctx, query, k.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
