package cli

import (
	"context"
	"fmt"
	"os"

	"rein/app"
	"rein/internal/units"
)

func backupCommand() command {
	return command{
		name: "backup", args: "FILE", does: "copy everything to a new file", least: 1, most: 1,
		more:  `Copies the store as it is at one moment to one file, also while another process uses it, and verifies the copy. To look at it: rein runs --data FILE. To restore it: put it in an empty data folder as rein.db.`,
		flags: placeFlags, run: runBackup,
	}
}

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
		c.print("%s: %s, copied with its faults: %s\n", safe(file), units.Size(info.Size()), sum)
		c.note("rein: the copy has the faults of the original: %s lists them; keep your older backups", c.tip("audit verify"))
		return errWrong
	}
	return nil
}
