package people

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// ListUsers returns the users of the asker's household whom they may see, by name.
func (p *People) ListUsers(ctx context.Context, by rein.Identity) (seen []rein.UserInfo, err error) {
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err := users(ctx, q, by.Household)
		seen = []rein.UserInfo{}
		for _, u := range all {
			if by.May(rein.ScopeAdmin) || by.Sees(u.Household, u.Name) {
				seen = append(seen, u)
			}
		}
		return err
	})
	return seen, err
}

// AddHousehold makes a household with its first owner. Only who can open the data folder may.
func (p *People) AddHousehold(ctx context.Context, by rein.Identity, household, owner string) (rein.UserInfo, error) {
	u := rein.UserInfo{Household: household, Name: owner, Role: rein.Owner, Created: p.now()}
	if err := mayHost(by); err != nil {
		return u, err
	}
	if err := checkName("household", household); err != nil {
		return u, err
	}
	if err := checkName("user", owner); err != nil {
		return u, err
	}
	return u, p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := users(ctx, tx, household)
		if err != nil {
			return err
		}
		if len(known) > 0 {
			return rein.Errorf(rein.CodeConflict, "there is a household %q: choose another name", household)
		}
		return p.insertUser(ctx, tx, by, u)
	})
}

// Households returns all households, by name. Only who can open the data folder sees them.
func (p *People) Households(ctx context.Context, by rein.Identity) (all []rein.HouseholdInfo, err error) {
	if err := mayHost(by); err != nil {
		return nil, err
	}
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all = []rein.HouseholdInfo{}
		found, err := list(ctx, q, scanUser, `SELECT household, name, role, created, disabled FROM users ORDER BY household, name`)
		for _, u := range found {
			if len(all) == 0 || all[len(all)-1].Name != u.Household {
				all = append(all, rein.HouseholdInfo{Name: u.Household, Owners: []string{}})
			}
			if one := &all[len(all)-1]; u.Disabled.IsZero() {
				one.Users++
				if u.Role == rein.Owner {
					one.Owners = append(one.Owners, u.Name)
				}
			}
		}
		return err
	})
	return all, err
}

// AddUser adds a user to the asker's household. A name that was ever taken stays so: logs name it.
func (p *People) AddUser(ctx context.Context, by rein.Identity, name string, role rein.UserRole) (rein.UserInfo, error) {
	role, err := checkRole(role)
	u := rein.UserInfo{Household: by.Household, Name: name, Role: role, Created: p.now()}
	if err := mayAdmin(by); err != nil {
		return u, err
	}
	if err := checkName("user", name); err != nil {
		return u, err
	}
	if err != nil {
		return u, err
	}
	return u, p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := mayJoin(ctx, tx, by.Household, name); err != nil {
			return err
		}
		return p.insertUser(ctx, tx, by, u)
	})
}

// mayJoin refuses a name that is taken, and a user whom the household has no room for.
func mayJoin(ctx context.Context, q store.Query, household, name string) error {
	known, err := users(ctx, q, household)
	if err != nil {
		return err
	}
	if len(known) >= maxUsers {
		return rein.Errorf(rein.CodeLimit, "household %s has %d users, and may have no more", household, len(known))
	}
	for _, other := range known {
		if other.Name == name {
			return rein.Errorf(rein.CodeConflict, "there is a user %q: choose another name", name)
		}
	}
	return nil
}

// SetRole makes a user of the asker's household something else. It holds at once for all that they
// are recognised by. The last owner stays one (CodeConflict).
func (p *People) SetRole(ctx context.Context, by rein.Identity, name string, role rein.UserRole) error {
	role, err := checkRole(role)
	if err != nil {
		return err
	}
	return p.changeUser(ctx, by, name, func(ctx context.Context, tx rein.Tx, u rein.UserInfo) error {
		if u.Role == role {
			return nil
		}
		if err := p.setUser(ctx, tx, u, with("role = ?", string(role))); err != nil {
			return err
		}
		if role == rein.Service { // which has no browser
			if err := p.endBrowsers(ctx, tx, u); err != nil {
				return err
			}
		}
		return p.note(ctx, tx, by, rein.RoleSet, u.Household, u.Name, string(u.Role)+" to "+string(role))
	})
}

// DisableUser refuses a user of the asker's household from now on. Their tokens, browsers and login
// links are revoked; what they did stays. The last owner cannot be disabled (CodeConflict).
func (p *People) DisableUser(ctx context.Context, by rein.Identity, name string) error {
	return p.changeUser(ctx, by, name, func(ctx context.Context, tx rein.Tx, u rein.UserInfo) error {
		if !u.Disabled.IsZero() {
			return nil
		}
		now := micros(p.now())
		if err := p.setUser(ctx, tx, u, with("disabled = ?", now)); err != nil {
			return err
		}
		if _, err := tokenRecords.update(ctx, tx, p.chain(), with("revoked = ?", now), ownedBy(u, "revoked = 0")); err != nil {
			return err
		}
		if err := p.endBrowsers(ctx, tx, u); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.UserDisabled, u.Household, u.Name, "")
	})
}

// EnableUser lets a disabled user in again. They need new tokens.
func (p *People) EnableUser(ctx context.Context, by rein.Identity, name string) error {
	return p.changeUser(ctx, by, name, func(ctx context.Context, tx rein.Tx, u rein.UserInfo) error {
		if u.Disabled.IsZero() {
			return nil
		}
		if err := p.setUser(ctx, tx, u, with("disabled = 0")); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.UserEnabled, u.Household, u.Name, "")
	})
}

// changeUser changes a user of the asker's household, if an owner is left afterwards.
func (p *People) changeUser(ctx context.Context, by rein.Identity, name string, change func(context.Context, rein.Tx, rein.UserInfo) error) error {
	if err := mayAdmin(by); err != nil {
		return err
	}
	err := p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		u, err := user(ctx, tx, by.Household, name)
		if err != nil {
			return err
		}
		if err := change(ctx, tx, u); err != nil {
			return err
		}
		if now, err := user(ctx, tx, by.Household, name); err != nil || now.Role == rein.Owner && now.Disabled.IsZero() {
			return err
		}
		return ownerLeft(ctx, tx, by.Household, name)
	})
	if err == nil {
		p.tellWatchers(by.Household, name)
	}
	return err
}

// ownerLeft refuses to do without a user if the household has no other owner.
func ownerLeft(ctx context.Context, q store.Query, household, name string) error {
	left, err := users(ctx, q, household)
	if err != nil {
		return err
	}
	for _, u := range left {
		if u.Role == rein.Owner && u.Disabled.IsZero() && u.Name != name {
			return nil
		}
	}
	return rein.Errorf(rein.CodeConflict, "%s is the last owner of household %s: make someone else an owner first", name, household)
}

// endBrowsers logs a user out everywhere.
func (p *People) endBrowsers(ctx context.Context, tx rein.Tx, u rein.UserInfo) error {
	_, err := browserRecords.update(ctx, tx, p.chain(), with("revoked = ?", micros(p.now())), ownedBy(u, "revoked = 0"))
	if err != nil {
		return err
	}
	for _, waits := range []records{linkRecords, pairingRecords} {
		if _, err := waits.remove(ctx, tx, p.chain(), ownedBy(u, "1 = 1")); err != nil {
			return err
		}
	}
	return nil
}

func (p *People) setUser(ctx context.Context, tx rein.Tx, u rein.UserInfo, change clause) error {
	_, err := userRecords.update(ctx, tx, p.chain(), change, with("household = ? AND name = ?", u.Household, u.Name))
	return err
}

func (p *People) insertUser(ctx context.Context, tx rein.Tx, by rein.Identity, u rein.UserInfo) error {
	err := userRecords.insert(ctx, tx, p.chain(), u.Household, u.Name, string(u.Role), micros(u.Created), 0)
	if err != nil {
		return err
	}
	return p.note(ctx, tx, by, rein.UserAdded, u.Household, u.Name, string(u.Role))
}

const userColumns = `SELECT household, name, role, created, disabled FROM users WHERE household = ?`

func scanUser(rows *sql.Rows) (u rein.UserInfo, err error) {
	var created, disabled int64
	err = rows.Scan(&u.Household, &u.Name, &u.Role, &created, &disabled)
	u.Created, u.Disabled = timeOf(created), timeOf(disabled)
	return u, err
}

func users(ctx context.Context, q store.Query, household string) ([]rein.UserInfo, error) {
	return list(ctx, q, scanUser, userColumns+` ORDER BY name`, household)
}

// user returns one user of a household.
func user(ctx context.Context, q store.Query, household, name string) (rein.UserInfo, error) {
	found, err := list(ctx, q, scanUser, userColumns+` AND name = ?`, household, name)
	if err == nil && len(found) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "there is no user %.80q in household %s", name, household)
	}
	if err != nil {
		return rein.UserInfo{}, err
	}
	return found[0], nil
}

// ownedBy selects what belongs to the user.
func ownedBy(u rein.UserInfo, and string, args ...any) clause {
	return with("household = ? AND user_name = ? AND "+and, append([]any{u.Household, u.Name}, args...)...)
}
