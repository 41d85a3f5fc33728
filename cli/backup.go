package cli

import (
	"context"
	"fmt"
	"os"

	"rein/internal/units"
	"rein/store"
	"rein/store/sqlite"
)

const backupHelp = `The copy is the store as it was at one moment, in one file; whoever is using the store goes
on meanwhile. It is verified before rein says so. To look at it: rein runs --data FILE.
To restore it: put it in an empty data folder as rein.db.`

func runBackup(ctx context.Context, c *call) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	file := c.args[0]
	if err := s.Backup(ctx, file); err != nil {
		return fmt.Errorf("back up %s: %w", s.path, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	sum, err := auditCopy(ctx, file)
	if err != nil {
		return err
	}
	if sum.wrong == 0 {
		c.print("%s: %s, verified: %s\n", safe(file), units.Size(info.Size()), sum)
	} else {
		c.print("%s: %s, copied with what is wrong in it: %s\n", safe(file), units.Size(info.Size()), sum)
		c.note("rein: the copy is as wrong as the original: %s tells what; keep your older backups", c.tip("audit verify"))
		return errWrong
	}
	return nil
}

// auditCopy verifies a copy.
func auditCopy(ctx context.Context, file string) (sum tally, err error) {
	s, err := sqlite.OpenReader(ctx, file)
	if err != nil {
		return sum, err
	}
	defer s.Close()
	err = auditAll(ctx, s, func(v store.Verdict) error {
		sum.add(v)
		return nil
	})
	return sum, err
}
