package people

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// How long an invitation is good: unless it says otherwise, and at most.
const (
	InviteLife    = 3 * 24 * time.Hour
	MaxInviteLife = 30 * 24 * time.Hour
)

// maxInvites is how many invitations of a household may wait.
const maxInvites = 50

// An InviteRequest says whom an invitation is for.
type InviteRequest struct {
	Role rein.UserRole
	User string        // the name of the new user; empty: whoever comes chooses it
	Life time.Duration // zero is InviteLife
}

// NewInvite makes the secret of a link with which one person joins the asker's household. It needs the scope admin. Nobody
// is invited as an owner, which an admin makes of a user who is known, or as a service, which has no browser.
func (p *People) NewInvite(ctx context.Context, by rein.Identity, r InviteRequest) (text string, made rein.Invite, err error) {
	if err := r.check(by); err != nil {
		return "", made, err
	}
	role, err := checkRole(r.Role)
	if err != nil {
		return "", made, err
	}
	text, id, hash := mint(inviteKind)
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		now := p.now()
		if _, err := inviteRecords.remove(ctx, tx, p.chain(), with("household = ? AND used = 0 AND expires <= ?", by.Household, micros(now))); err != nil {
			return err
		}
		open, err := list(ctx, tx, scanInvite, inviteColumns+` WHERE household = ? AND used = 0`, by.Household)
		if err != nil {
			return err
		}
		if len(open) >= maxInvites {
			return rein.Errorf(rein.CodeLimit, "%d invitations wait, and no more can: revoke one first", len(open))
		}
		if r.User != "" {
			if err := mayJoin(ctx, tx, by.Household, r.User); err != nil {
				return err
			}
		}
		made = rein.Invite{ID: id, Household: by.Household, Role: role, User: r.User, By: by.User, Created: now, Expires: now.Add(r.life())}
		err = inviteRecords.insert(ctx, tx, p.chain(), id, hash, made.Household, string(role), made.User, made.By, micros(now), micros(made.Expires), 0)
		if err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.Invited, by.Household, r.User, id+", "+string(role))
	})
	if err != nil {
		return "", rein.Invite{}, err
	}
	return text, made, nil
}

func (r InviteRequest) life() time.Duration {
	if r.Life == 0 {
		return InviteLife
	}
	return r.Life
}

func (r InviteRequest) check(by rein.Identity) error {
	role, err := checkRole(r.Role)
	switch {
	case mayAdmin(by) != nil:
		return mayAdmin(by)
	case err != nil:
		return err
	case role == rein.Owner:
		return rein.Errorf(rein.CodeInvalid, "nobody is invited as an owner: invite a member, and make them an owner when they are there (rein users role)")
	case role == rein.Service:
		return rein.Errorf(rein.CodeInvalid, "a service has no browser: add it with rein users add, and make a token for it")
	case r.Life < 0 || r.Life > MaxInviteLife:
		return rein.Errorf(rein.CodeInvalid, "an invitation is good for at most %d days", MaxInviteLife/(24*time.Hour))
	case r.User != "":
		return checkName("user", r.User)
	}
	return within(by, role.Scopes())
}

// Invites returns the invitations of the asker's household, the newest first. It needs the scope admin.
func (p *People) Invites(ctx context.Context, by rein.Identity) (found []rein.Invite, err error) {
	if err := mayAdmin(by); err != nil {
		return nil, err
	}
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, scanInvite, inviteColumns+` WHERE household = ? ORDER BY created DESC, id LIMIT 1000`, by.Household)
		return err
	})
	return found, err
}

// RevokeInvite ends an invitation. It needs the scope admin. One that was used stays as it is: disable its user instead.
func (p *People) RevokeInvite(ctx context.Context, by rein.Identity, id string) error {
	if err := mayAdmin(by); err != nil {
		return err
	}
	return p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		gone, err := inviteRecords.remove(ctx, tx, p.chain(), with("household = ? AND id = ? AND used = 0", by.Household, id))
		if err == nil && gone == 0 {
			err = rein.Errorf(rein.CodeNotFound, "no invitation %.80q waits: look at the list of invitations", id)
		}
		if err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.InviteRevoked, by.Household, "", id)
	})
}

// Invitation returns the invitation that a secret is of, if it is good now. What is refused is CodeUnauthenticated.
func (p *People) Invitation(ctx context.Context, text string) (invite rein.Invite, err error) {
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		invite, err = p.invitation(ctx, q, text)
		return err
	})
	return invite, err
}

func (p *People) invitation(ctx context.Context, q store.Query, text string) (rein.Invite, error) {
	id := idOf(inviteKind, text)
	if id == "" {
		return rein.Invite{}, unknown("this is not an invitation of this server")
	}
	hashes, err := list(ctx, q, func(rows *sql.Rows) (h []byte, err error) { return h, rows.Scan(&h) }, `SELECT hash FROM invites WHERE id = ?`, id)
	if err != nil {
		return rein.Invite{}, err
	}
	if len(hashes) == 0 || !same(hashes[0], hashOf(text)) {
		return rein.Invite{}, unknown("the invitation is not known: it may have been revoked")
	}
	found, err := list(ctx, q, scanInvite, inviteColumns+` WHERE id = ?`, id)
	if err != nil {
		return rein.Invite{}, err
	}
	switch invite := found[0]; {
	case !invite.Used.IsZero():
		return invite, ended("the invitation was used before, and is good once: ask for a new one")
	case !p.now().Before(invite.Expires):
		return invite, ended("the invitation expired at %s: ask for a new one", invite.Expires.Format(time.RFC3339))
	}
	return found[0], p.stillInvites(ctx, q, found[0])
}

// stillInvites refuses an invitation of somebody who could not invite now.
func (p *People) stillInvites(ctx context.Context, q store.Query, invite rein.Invite) error {
	by, err := user(ctx, q, invite.Household, invite.By)
	if rein.CodeOf(err) == rein.CodeNotFound || err == nil && (!by.Disabled.IsZero() || by.Role != rein.Owner) {
		return ended("%s, who sent the invitation, is not an owner of the household any more: ask for a new one", invite.By)
	}
	return err
}

// UseInvite makes the user of an invitation and logs their browser in, as UseLoginLink does with a link. The name counts if
// the invitation has none. A name that is taken is CodeConflict, and the invitation stays good.
func (p *People) UseInvite(ctx context.Context, text, name, label string) (cookie string, who rein.Identity, err error) {
	return p.admit(ctx, rein.Device{Label: label, CameBy: rein.ByInvite}, func(ctx context.Context, tx rein.Tx, by rein.Identity) (rein.UserInfo, error) {
		invite, err := p.invitation(ctx, tx, text)
		if err != nil {
			return rein.UserInfo{}, err
		}
		if invite.User != "" {
			name = invite.User
		}
		u := rein.UserInfo{Household: invite.Household, Name: strings.ToLower(strings.TrimSpace(name)), Role: invite.Role, Created: p.now()}
		if err := checkName("user", u.Name); err != nil {
			return u, err
		}
		if err := mayJoin(ctx, tx, u.Household, u.Name); err != nil {
			return u, err
		}
		if err := userRecords.insert(ctx, tx, p.chain(), u.Household, u.Name, string(u.Role), micros(u.Created), 0); err != nil {
			return u, err
		}
		if _, err := inviteRecords.update(ctx, tx, p.chain(), with("used = ?, user_name = ?", micros(u.Created), u.Name), with("id = ?", invite.ID)); err != nil {
			return u, err
		}
		by.Household, by.User = u.Household, u.Name
		return u, p.note(ctx, tx, by, rein.Joined, u.Household, u.Name, invite.ID+", "+string(u.Role))
	})
}

const inviteColumns = `SELECT id, household, role, user_name, by_user, created, expires, used FROM invites`

func scanInvite(rows *sql.Rows) (i rein.Invite, err error) {
	var created, expires, used int64
	err = rows.Scan(&i.ID, &i.Household, &i.Role, &i.User, &i.By, &created, &expires, &used)
	i.Created, i.Expires, i.Used = timeOf(created), timeOf(expires), timeOf(used)
	return i, err
}
