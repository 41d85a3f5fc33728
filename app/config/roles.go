package config

import (
	"slices"

	"rein"
)

// Roles are the roles that have settings. Runs of the others have all tools.
type Roles struct{ Member, Child, Guest, Service Role }

// A Role is what the settings say of a role, beside what rein.DefaultRoles does.
type Role struct {
	DayMicros int64    // what a user with it may spend in a day; 0: as much as every user
	Also      []string // families of tools that runs of its users get too
}

// roleNames are the names of those roles, and where each is.
var roleNames = []struct {
	role  rein.UserRole
	of    func(*Config) *Role
	tools bool // there are settings about tools too
}{
	{rein.Member, func(c *Config) *Role { return &c.Roles.Member }, false},
	{rein.Child, func(c *Config) *Role { return &c.Roles.Child }, true},
	{rein.Guest, func(c *Config) *Role { return &c.Roles.Guest }, true},
	{rein.Service, func(c *Config) *Role { return &c.Roles.Service }, false},
}

func defaultRoles() Roles {
	var c Config
	for _, r := range roleNames {
		r.of(&c).DayMicros = rein.DefaultRoles().Of(r.role).DayMicros
	}
	return c.Roles
}

func roleSections() (keys []Key) {
	for _, r := range roleNames {
		name := "roles." + string(r.role)
		keys = append(keys, Key{
			name + ".day_money", "", "", "money that a " + string(r.role) + " may spend in a UTC day, in your currency; 0: as much as limits.user.day_money, which counts if it is less",
			money(func(c *Config) *int64 { return &r.of(c).DayMicros }, 0, maxMoney),
		})
		if r.tools {
			keys = append(keys, Key{
				name + ".also", "", "", "families of tools that runs of a " + string(r.role) + " get beside those of the role, such as [\"notes\"]; what a " + string(r.role) + " may approve stays as it is",
				families{func(c *Config) *[]string { return &r.of(c).Also }},
			})
		}
	}
	return keys
}

// families is a list of families of tools.
type families struct{ names }

func (f families) read(l *loading, n *node) error {
	if err := f.names.read(l, n); err != nil {
		return err
	}
	return f.check(l)
}

func (f families) parse(l *loading, value string) error {
	if err := f.names.parse(l, value); err != nil {
		return err
	}
	return f.check(l)
}

func (f families) check(l *loading) error {
	if slices.Contains(*f.names(l.config), rein.AllFamilies) {
		return rein.Errorf(rein.CodeInvalid, "it must name families: %q gives all tools away; give the user another role for that", rein.AllFamilies)
	}
	return nil
}

// Rights is the table of roles with what the settings say.
func (c *Config) Rights() rein.Roles {
	all := rein.DefaultRoles()
	for _, r := range roleNames {
		set, rights := r.of(c), all[r.role]
		rights.DayMicros = set.DayMicros
		if !slices.Contains(rights.Offers, rein.AllFamilies) {
			rights.Offers = slices.Compact(slices.Sorted(slices.Values(slices.Concat(rights.Offers, set.Also))))
		}
		all[r.role] = rights
	}
	return all
}
