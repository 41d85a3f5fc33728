package cli

import (
	"cmp"
	"context"

	"rein/internal/licences"
	"rein/internal/near"
)

// licenceFlags are the flags of rein licences alone.
type licenceFlags struct{ all bool }

func licencesCommand() command {
	var f licenceFlags
	return command{
		name: "licences", alias: "licenses", args: "[NAME]", does: "list what rein is built from, with licences", most: 1,
		more: `Lists everything in this binary: rein itself, the Go modules and the standard library that it is built from, and data. NAME prints the licence texts of one, --all those of all.`,
		flags: func(c *call) []flagDef {
			return []flagDef{on(&f.all, "all", "print the texts of all licences"), jsonFlag(c)}
		}, run: f.run,
	}
}

func (f *licenceFlags) run(_ context.Context, c *call) error {
	notices, err := licences.All()
	if err != nil {
		return err
	}
	switch {
	case len(c.args) > 0 && f.all:
		return usagef("name one, or give --all")
	case len(c.args) > 0:
		if notices, err = named(notices, c.args[0]); err != nil {
			return err
		}
	case !f.all && !c.json:
		return c.listLicences(notices)
	}
	for _, n := range notices {
		if c.json {
			if err := c.printJSON(n); err != nil {
				return err
			}
			continue
		}
		c.printLicence(n)
	}
	return nil
}

func named(notices []licences.Notice, name string) ([]licences.Notice, error) {
	var names []string
	for _, n := range notices {
		if n.Name == name {
			return []licences.Notice{n}, nil
		}
		names = append(names, n.Name)
	}
	return nil, usagef("%q is not in this binary%s (`rein licences` lists what is)", name, near.DidYouMean(name, names))
}

func (c *call) listLicences(notices []licences.Notice) error {
	rows := [][]string{{"NAME", "VERSION", "LICENCE"}}
	for _, n := range notices {
		rows = append(rows, []string{n.Name, cmp.Or(n.Version, "-"), n.Kind})
	}
	c.columns(rows)
	c.note("`rein licences NAME` prints the texts of one, `rein licences --all` all of them")
	return nil
}

// printLicence prints the texts of one work as they are.
func (c *call) printLicence(n licences.Notice) {
	c.print("=== %s%s (%s)\n", n.Name, after(" ", n.Version), n.Kind)
	for _, file := range n.Files {
		c.verbatim("\n--- " + file.Name + "\n\n" + safeLines(file.Text) + "\n")
	}
}
