package cli

import (
	"context"
	"fmt"
	"os"

	"rein/app"
	"rein/internal/units"
)

const backupHelp = `The copy is the store as it was at one moment, in one file; whoever is using the store goes
on meanwhile. It is verified before rein says so. To look at it: rein runs --data FILE.
To restore it: put it in an empty data folder as rein.db.`

func runBackup(ctx context.Context, c *call) error {
	s, err := c.setup().Read(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	file := c.args[0]
	if err := s.Backup(ctx, file); err != nil {
		return fmt.Errorf("back up %s: %w", s.Path, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	sum, err := app.AuditFile(ctx, file)
	if err != nil {
		return err
	}
	if sum.Wrong == 0 {
		c.print("%s: %s, verified: %s\n", safe(file), units.Size(info.Size()), sum)
	} else {
		c.print("%s: %s, copied with what is wrong in it: %s\n", safe(file), units.Size(info.Size()), sum)
		c.note("rein: the copy is as wrong as the original: %s tells what; keep your older backups", c.tip("audit verify"))
		return errWrong
	}
	return nil
}
