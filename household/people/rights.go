package people

import (
	"cmp"
	"context"
	"slices"

	"rein"
	"rein/store"
)

// A Judge says what the users of households may do, by the role that they have in the very transaction that depends on
// it. The zero value has the default roles.
type Judge struct{ Roles rein.Roles }

var _ store.Roles = Judge{}

// everything is what the users of a household may do whose users nobody has listed: those of a program of its own.
var everything = rein.DefaultRoles().Of(rein.Owner)

// rights returns what a user may do now. Someone who is disabled, or whom the household does not know, may do nothing.
func (j Judge) rights(ctx context.Context, q store.Query, household, name string) (rein.Rights, error) {
	found, err := list(ctx, q, scanUser, userColumns+` AND name = ?`, household, name)
	if err != nil || len(found) > 0 {
		if err != nil || !found[0].Disabled.IsZero() {
			return rein.Rights{}, err
		}
		return j.roles().Of(found[0].Role), nil
	}
	others, err := list(ctx, q, scanUser, userColumns+` LIMIT 1`, household)
	if err != nil || len(others) > 0 {
		return rein.Rights{}, err
	}
	return everything, nil
}

func (j Judge) roles() rein.Roles {
	if j.Roles == nil {
		return rein.DefaultRoles()
	}
	return j.Roles
}

// MayAnswer implements store.Roles.
func (j Judge) MayAnswer(ctx context.Context, q store.Query, a store.Answering) error {
	by := cmp.Or(a.Answer.By, a.Owner) // a program that names nobody answers for whoever owns the run
	rights, err := j.rights(ctx, q, a.Household, by)
	if err != nil {
		return err
	}
	return a.Ask.Permits(a.Answer, by, rights, a.Owner)
}

// DayMicros implements store.Roles. A user whom the household does not know has no role, and so no limit of one.
func (j Judge) DayMicros(ctx context.Context, q store.Query, household, name string) (int64, rein.UserRole, error) {
	found, err := list(ctx, q, scanUser, userColumns+` AND name = ?`, household, name)
	if err != nil || len(found) == 0 {
		return 0, "", err
	}
	rights := j.roles().Of(found[0].Role)
	return rights.DayMicros, rights.Role, nil
}

// Rights returns what a user may do now.
func (p *People) Rights(ctx context.Context, household, name string) (rights rein.Rights, err error) {
	return p.judged.find(p, household+"/"+name, func() (rights rein.Rights, err error) {
		err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
			rights, err = Judge{p.Roles}.rights(ctx, q, household, name)
			return err
		})
		return rights, err
	})
}

// Adults returns the users who answer for a household: its owners and members who are not disabled.
func (p *People) Adults(ctx context.Context, household string) (names []string, err error) {
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		names = nil
		all, err := users(ctx, q, household)
		for _, u := range all {
			if u.Role.IsAdult() && u.Disabled.IsZero() {
				names = append(names, u.Name)
			}
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// Table returns what each role may do, the strongest first.
func (p *People) Table() (table []rein.Rights) {
	for _, role := range rein.UserRoles() {
		table = append(table, Judge{p.Roles}.roles().Of(role))
	}
	return table
}
