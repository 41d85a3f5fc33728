package people

import (
	"context"

	"rein"
	"rein/store"
)

// A Credential is something that a user is recognised by, without its secret.
type Credential struct{ Kind, ID string }

// Erasable returns a user of the asker's household and what they are recognised by: tokens, login links,
// browsers, pairing codes and invites, also those that have ended. Only an admin may ask. A user who does not exist is CodeNotFound,
// the last owner CodeConflict.
func Erasable(ctx context.Context, q store.Query, by rein.Identity, name string) (u rein.UserInfo, all []Credential, err error) {
	if err := mayAdmin(by); err != nil {
		return u, nil, err
	}
	if u, err = user(ctx, q, by.Household, name); err != nil {
		return u, nil, err
	}
	if err := ownerLeft(ctx, q, by.Household, name); err != nil {
		return u, nil, err
	}
	for _, c := range credentials() {
		found, err := c.records.read(ctx, q, c.of(u))
		if err != nil {
			return u, nil, err
		}
		for _, one := range found {
			all = append(all, Credential{c.kind, one.name[len(c.records.table)+1:]})
		}
	}
	return u, all, nil
}

type credentialTable struct {
	kind    string
	records records
	of      func(rein.UserInfo) clause // selects what is about the user
}

func credentials() []credentialTable {
	own := func(u rein.UserInfo) clause { return ownedBy(u, "1 = 1") }
	return []credentialTable{
		{"token", tokenRecords, own},
		{"login link", linkRecords, own},
		{"browser", browserRecords, own},
		{"device", deviceRecords, own},
		{"pairing code", pairingRecords, own},
		{"invite", inviteRecords, func(u rein.UserInfo) clause {
			return with("household = ? AND (user_name = ? OR by_user = ?)", u.Household, u.Name, u.Name)
		}},
	}
}

// EraseUser takes away what a user is recognised by, in the transaction of an erasure, and disables them.
// Their name stays: logs name it, so nobody else may have it.
func (p *People) EraseUser(ctx context.Context, tx rein.Tx, by rein.Identity, name string) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	u, _, err := Erasable(ctx, tx, by, name)
	if err != nil {
		return err
	}
	for _, c := range credentials() {
		if _, err := c.records.remove(ctx, tx, p.chain(), c.of(u)); err != nil {
			return err
		}
	}
	if !u.Disabled.IsZero() {
		return nil
	}
	return p.setUser(ctx, tx, u, with("disabled = ?", micros(p.now())))
}

// IsGone reports whether a user was erased or disabled.
func IsGone(ctx context.Context, q store.Query, household, name string) (bool, error) {
	u, err := user(ctx, q, household, name)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return false, nil
	}
	return err == nil && !u.Disabled.IsZero(), err
}

// NoteErased records an erasure in the changes of the household, in its transaction.
func (p *People) NoteErased(ctx context.Context, tx rein.Tx, by rein.Identity, name, detail string) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	return p.note(ctx, tx, by, rein.DataErased, by.Household, name, detail)
}

// NoteSecret records who set or removed a secret, in the transaction that does it. The user is empty if it is the
// household's.
func (p *People) NoteSecret(ctx context.Context, tx rein.Tx, by rein.Identity, what rein.ChangeKind, user, name string) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	return p.note(ctx, tx, by, what, by.Household, user, name)
}

// NoteFolder records a decision about a folder in the changes of the household, in its transaction.
func (p *People) NoteFolder(ctx context.Context, tx rein.Tx, by rein.Identity, what rein.ChangeKind, detail string) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	return p.note(ctx, tx, by, what, by.Household, by.User, detail)
}

// TellErased ends what is open with the credentials of a user who was erased.
func (p *People) TellErased(household, name string) { p.tellWatchers(household, name) }
