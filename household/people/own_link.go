package people

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// OwnLinkLife is how long a login link is good that a run made for its user.
const OwnLinkLife = time.Minute

// An OwnLink is a login link that is not written yet.
type OwnLink struct {
	Text string // the secret: for its user alone
	id   string
	hash []byte
}

// NewOwnLink makes a login link for a user whom a run belongs to, to be written with PutOwnLink. Nobody who may manage the
// household gets one: a run is started and approved with less than that, and must not lead to more.
func (p *People) NewOwnLink(ctx context.Context, household, name string) (link OwnLink, err error) {
	var u rein.UserInfo
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		u, err = activeUser(ctx, q, household, name)
		return err
	})
	if err == nil {
		err = mayHaveOwnLink(u)
	}
	if err != nil {
		return link, err
	}
	link.Text, link.id, link.hash = mint(linkKind)
	return link, nil
}

// PutOwnLink writes a link, in the transaction of a step's end: from then on it logs a browser of the user in once, within a
// minute.
func (p *People) PutOwnLink(ctx context.Context, tx rein.Tx, household, name string, link OwnLink) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	u, err := activeUser(ctx, tx, household, name)
	if err == nil {
		err = mayHaveOwnLink(u)
	}
	if err != nil {
		return err
	}
	now := p.now()
	if _, err := p.keepFew(ctx, tx, u, linkRecords, now); err != nil {
		return err
	}
	err = linkRecords.insert(ctx, tx, p.chain(), link.id, link.hash, u.Household, u.Name, micros(now), micros(now.Add(OwnLinkLife)), 0)
	if err != nil {
		return err
	}
	return p.note(ctx, tx, rein.Identity{Household: household, User: name, Via: "run"}, rein.LinkMade, u.Household, u.Name, link.id)
}

func mayHaveOwnLink(u rein.UserInfo) error {
	for _, s := range u.Role.Scopes() {
		if s == rein.ScopeAdmin {
			return rein.Errorf(rein.CodeForbidden, "%s is an %s: a run makes no login link for somebody who manages the household; `rein login` does", u.Name, u.Role)
		}
	}
	if u.Role == rein.Service {
		return rein.Errorf(rein.CodeForbidden, "%s is a service, which has no browser", u.Name)
	}
	return nil
}
