package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"

	"rein"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the file to this program's schema.
func migrate(ctx context.Context, path string, db *sql.DB) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, folder,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if current > target {
		return newer(path, current, target)
	}
	if current == target {
		return nil
	}
	_, err = provider.Up(ctx)
	return err
}

// checkVersion is for a reader, which cannot migrate: the schema must be this program's.
func checkVersion(ctx context.Context, path string, db *sql.DB) error {
	var id, tables, current int64
	if err := db.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return err
	}
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&tables)
	if err != nil {
		return err
	}
	if id != applicationID || tables == 0 {
		return rein.Errorf(rein.CodeDamaged, "%s is not a store of rein: name another file, or restore a backup", path)
	}
	if err := db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&current); err != nil {
		return err
	}
	target, err := newestVersion()
	switch {
	case err != nil:
		return err
	case current > target:
		return newer(path, current, target)
	case current < target:
		return rein.Errorf(rein.CodeReadOnly,
			"%s has schema version %d and this rein reads %d: start its owner once with this rein, which upgrades the file", path, current, target)
	}
	return nil
}

func newestVersion() (int64, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return 0, err
	}
	var newest int64
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		if err != nil {
			return 0, err
		}
		newest = max(newest, version)
	}
	return newest, nil
}

func newer(path string, current, target int64) error {
	return rein.Errorf(rein.CodeNewer,
		"%s has schema version %d and this rein knows %d: upgrade rein", path, current, target)
}
