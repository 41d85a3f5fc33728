package people

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/internal/visible"
	"rein/store"
)

// maxLabel is how many bytes of what a browser says of itself are kept.
const maxLabel = 80

// addDevice keeps what people know a browser by, and forgets that of browsers which are gone.
func (p *People) addDevice(ctx context.Context, tx rein.Tx, u rein.UserInfo, id string, d rein.Device) error {
	if _, err := deviceRecords.remove(ctx, tx, p.chain(), ownedBy(u, "id NOT IN (SELECT id FROM browsers)")); err != nil {
		return err
	}
	label := visible.Line(strings.ToValidUTF8(d.Label, "\uFFFD"))
	for len(label) > maxLabel || !utf8.ValidString(label) {
		label = label[:min(len(label)-1, maxLabel)]
	}
	return deviceRecords.insert(ctx, tx, p.chain(), id, u.Household, u.Name, label, string(d.CameBy))
}

// Devices returns the browsers that are logged in, the newest first: those of the asker, or with the scope admin those of
// anyone in the household. An empty name is the asker.
func (p *People) Devices(ctx context.Context, by rein.Identity, name string) (found []rein.Device, err error) {
	if name == "" {
		name = by.User
	}
	if name != by.User || by.Household == "" {
		if err := mayAdmin(by); err != nil {
			return nil, err
		}
	}
	now := p.now()
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		if _, err := user(ctx, q, by.Household, name); err != nil {
			return err
		}
		found, err = list(ctx, q, scanDevice, deviceColumns+` WHERE b.household = ? AND b.user_name = ? AND b.revoked = 0 AND b.expires > ? AND b.last_seen > ?
			ORDER BY b.created DESC, b.id`, by.Household, name, micros(now), micros(now.Add(-browserIdle)))
		return err
	})
	for i := range found {
		found[i].This = by.Via == "browser:"+found[i].ID
	}
	return found, err
}

const deviceColumns = `SELECT b.id, b.user_name, coalesce(d.label, ''), coalesce(d.came_by, ''), b.created, b.last_seen, b.expires
	FROM browsers b LEFT JOIN devices d ON d.id = b.id`

func scanDevice(rows *sql.Rows) (d rein.Device, err error) {
	var created, seen, expires int64
	err = rows.Scan(&d.ID, &d.User, &d.Label, &d.CameBy, &created, &seen, &expires)
	d.Created, d.LastSeen, d.Expires = timeOf(created), timeOf(seen), timeOf(expires)
	return d, err
}

// RevokeDevice logs one browser out: one of the asker's own, or with the scope admin one of anyone in the household.
// Another's does not exist for the asker.
func (p *People) RevokeDevice(ctx context.Context, by rein.Identity, id string) error {
	if err := mayEnd(by, ""); err != nil {
		return err
	}
	var of string
	err := p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		found, err := list(ctx, tx, scanDevice, deviceColumns+` WHERE b.household = ? AND b.id = ?`, by.Household, id)
		if err == nil && (len(found) == 0 || found[0].User != by.User && !by.May(rein.ScopeAdmin)) {
			err = rein.Errorf(rein.CodeNotFound, "there is no device %.80q: look at the list of devices", id)
		}
		if err != nil {
			return err
		}
		of = found[0].User
		ended, err := browserRecords.update(ctx, tx, p.chain(), with("revoked = ?", micros(p.now())), with("id = ? AND revoked = 0", id))
		if err != nil || ended == 0 {
			return err
		}
		return p.note(ctx, tx, by, rein.LoggedOut, by.Household, of, id)
	})
	if err == nil {
		p.tellWatchers(by.Household, of)
	}
	return err
}
