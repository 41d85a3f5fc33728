package people

import (
	"context"
	"strings"
	"time"

	"rein"
)

// How long a login link is good, how long a browser stays logged in, and how long it may be unused.
const (
	LinkLife    = 15 * time.Minute
	BrowserLife = 30 * 24 * time.Hour
	browserIdle = 7 * 24 * time.Hour
)

// NewLoginLink makes the secret of a link that logs a browser in once, within 15 minutes. It is good
// for all that the user may do, so only who may do all of that, and has the scope admin, makes one.
func (p *People) NewLoginLink(ctx context.Context, by rein.Identity, name string) (link string, err error) {
	if err := mayAdmin(by); err != nil {
		return "", err
	}
	return p.newLink(ctx, by, by.Household, name)
}

// NewHouseholdLink is NewLoginLink for a user of any household. Only who can open the data folder makes one.
func (p *People) NewHouseholdLink(ctx context.Context, by rein.Identity, household, name string) (link string, err error) {
	if err := mayHost(by); err != nil {
		return "", err
	}
	return p.newLink(ctx, by, household, name)
}

func (p *People) newLink(ctx context.Context, by rein.Identity, household, name string) (link string, err error) {
	link, id, hash := mint(linkKind)
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := activeUser(ctx, tx, household, name)
		if err != nil {
			return err
		}
		if u.Role == rein.Service {
			return rein.Errorf(rein.CodeInvalid, "%s is a service, which has no browser: make a token for it", name)
		}
		if err := within(by, u.Role.Scopes()); err != nil {
			return err
		}
		now := p.now()
		if _, err := p.keepFew(ctx, tx, u, linkRecords, now); err != nil {
			return err
		}
		err = linkRecords.insert(ctx, tx, p.chain(), id, hash, u.Household, u.Name, micros(now), micros(now.Add(LinkLife)), 0)
		if err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.LinkMade, u.Household, u.Name, id)
	})
	if err != nil {
		return "", err
	}
	return link, nil
}

const linkQuery = `SELECT l.hash, l.household, l.user_name, '', l.expires, l.used, 0, u.role, u.disabled
	FROM login_links l JOIN users u ON u.household = l.household AND u.name = l.user_name WHERE l.id = ?`

// UseLoginLink logs a browser in, which people will know by the label: it returns the secret for its cookie, and whose it
// now is. A link is good once; what is refused is CodeUnauthenticated.
func (p *People) UseLoginLink(ctx context.Context, link, label string) (cookie string, who rein.Identity, err error) {
	c, err := p.recognise(ctx, linkKind, link, linkQuery) // so that what is refused writes nothing
	if err != nil {
		return "", rein.Identity{}, err
	}
	return p.admit(ctx, rein.Device{Label: label, CameBy: rein.ByLink}, func(ctx context.Context, tx rein.Tx, _ rein.Identity) (rein.UserInfo, error) {
		u, err := activeUser(ctx, tx, c.household, c.user)
		if err != nil {
			return u, err
		}
		used, err := linkRecords.update(ctx, tx, p.chain(), with("used = ?", micros(p.now())), with("id = ? AND used = 0", c.id))
		if err == nil && used != 1 {
			err = ended("the login link was used before: ask for a new one")
		}
		return u, err
	})
}

// admit logs a browser in as the user that let returns, in one transaction with what let does. let gets the ID by which
// the browser will be recognised.
func (p *People) admit(ctx context.Context, d rein.Device, let func(context.Context, rein.Tx, rein.Identity) (rein.UserInfo, error)) (cookie string, who rein.Identity, err error) {
	cookie, id, hash := mint(browserKind)
	who.Via = "browser:" + id
	var gone int
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := let(ctx, tx, who)
		if err != nil {
			return err
		}
		if u.Role == rein.Service {
			return ended("%s is a service, which has no browser", u.Name)
		}
		now := p.now()
		if gone, err = p.keepFew(ctx, tx, u, browserRecords, now); err != nil {
			return err
		}
		err = browserRecords.insert(ctx, tx, p.chain(), id, hash, u.Household, u.Name, micros(now), micros(now.Add(BrowserLife)), 0, micros(now))
		if err != nil {
			return err
		}
		if err := p.addDevice(ctx, tx, u, id, d); err != nil {
			return err
		}
		who.Household, who.User, who.Role, who.Scopes = u.Household, u.Name, u.Role, u.Role.Scopes()
		return p.note(ctx, tx, who, rein.LoggedIn, u.Household, u.Name, id+", "+string(d.CameBy))
	})
	if err != nil {
		return "", rein.Identity{}, err
	}
	if gone > 0 {
		p.tellWatchers(who.Household, who.User)
	}
	return cookie, who, nil
}

// keepFew forgets what has expired in a table of a user's logins, and the oldest of what is too much.
// It returns how many of those there were.
func (p *People) keepFew(ctx context.Context, tx rein.Tx, u rein.UserInfo, logins records, now time.Time) (gone int, err error) {
	if _, err := logins.remove(ctx, tx, p.chain(), with("expires <= ?", micros(now))); err != nil {
		return 0, err
	}
	return logins.remove(ctx, tx, p.chain(), ownedBy(u, `id NOT IN
		(SELECT id FROM `+logins.table+` WHERE household = ? AND user_name = ? ORDER BY created DESC, id LIMIT ?)`, u.Household, u.Name, maxOpen-1))
}

// Logout ends the login of the asker's own browser. Who has none has nothing to end.
func (p *People) Logout(ctx context.Context, by rein.Identity) error {
	id, ok := strings.CutPrefix(by.Via, "browser:")
	if !ok {
		return rein.Errorf(rein.CodeInvalid, "only a browser logs out: revoke the token instead")
	}
	err := p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		ended, err := browserRecords.update(ctx, tx, p.chain(), with("revoked = ?", micros(p.now())),
			with("id = ? AND household = ? AND user_name = ? AND revoked = 0", id, by.Household, by.User))
		if err != nil || ended == 0 {
			return err
		}
		return p.note(ctx, tx, by, rein.LoggedOut, by.Household, by.User, id)
	})
	if err == nil {
		p.tellWatchers(by.Household, by.User)
	}
	return err
}

// LogoutEverywhere ends the logins of all browsers of a user, and the links that wait for them: the
// asker's own, or with the scope admin those of anyone in the household.
func (p *People) LogoutEverywhere(ctx context.Context, by rein.Identity, name string) error {
	err := mayEnd(by, "")
	if name != by.User {
		err = mayAdmin(by)
	}
	if err != nil {
		return err
	}
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := user(ctx, tx, by.Household, name)
		if err != nil {
			return err
		}
		if err := p.endBrowsers(ctx, tx, u); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.LoggedOut, u.Household, u.Name, "everywhere")
	})
	if err == nil {
		p.tellWatchers(by.Household, name)
	}
	return err
}
