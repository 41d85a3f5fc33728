package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"rein"
	"rein/engine/guard"
	"rein/server/mask"
	"rein/store"
	"rein/store/sqlite"
)

// database is the file of a data folder that holds the logs.
const database = "rein.db"

// A Place is where data is.
type Place struct {
	Folder string
	Path   string // of the database
	Lone   bool   // the database was named itself, and the folder is not ours to judge
}

// Place finds the data: Options.Data, else $REIN_DATA, else what the config file says, else
// $XDG_DATA_HOME/rein, else ~/.local/share/rein.
func (s *Setup) Place() (Place, error) {
	folder, err := s.folder()
	if err != nil {
		return Place{}, err
	}
	if info, err := os.Stat(folder); err == nil && info.Mode().IsRegular() {
		return Place{Folder: filepath.Dir(folder), Path: folder, Lone: filepath.Base(folder) != database}, nil
	}
	return Place{Folder: folder, Path: filepath.Join(folder, database)}, nil
}

// NoData says that the place holds no database.
func (p Place) NoData() error { return &NoDataError{p.Folder} }

// FolderPlace is Place for who wants to open all of it.
func (s *Setup) FolderPlace() (Place, error) {
	p, err := s.Place()
	if err == nil && p.Lone {
		err = wrongSetting("%s is a file, not a data folder: name the folder that it belongs to", p.Path)
	}
	return p, err
}

// folder reads the config file only if it must, so that a mistake in it does not hide the data from
// someone who says where it is.
func (s *Setup) folder() (string, error) {
	if s.o.Data != "" {
		return s.o.Data, nil
	}
	if dir := s.env.Get("REIN_DATA"); dir != "" {
		return dir, nil
	}
	settings, err := s.Settings()
	if err != nil {
		return "", err
	}
	if settings.Data == "" {
		return "", wrongSetting("there is no home folder: name the data folder with --data DIR or $REIN_DATA")
	}
	return settings.Data, nil
}

// A NoDataError says that a place holds no database. It is no fault: nothing has been run there yet.
type NoDataError struct{ folder string }

// Says is the fact alone.
func (e *NoDataError) Says() string { return "there are no runs yet in " + e.folder }

func (e *NoDataError) Error() string {
	return e.Says() + ": name another folder with --data DIR or $REIN_DATA"
}

// Data is a store that is open for reading. What is read of it as people read it, with its methods,
// shows no secrets; the Store itself has them.
type Data struct {
	*sqlite.Store
	seen  *mask.Reader
	known *known // takes secrets out of what it shows
	Place
	file string // what is really open: the database, or a copy of it
	temp string // the folder of that copy
}

// Read opens the data for reading, beside whoever owns it. A *NoDataError says that there is none.
func (s *Setup) Read(ctx context.Context) (*Data, error) {
	p, err := s.Place()
	if err != nil {
		return nil, err
	}
	d, err := openReader(ctx, p)
	if err != nil {
		return nil, err
	}
	d.known = newKnown(s.boxOf(d), s.cleaner())
	d.seen = mask.New(d.Store, d.known.base)
	d.seen.Known = d.known.cleaner
	return d, nil
}

// cleaner takes secrets out of what is shown: those that the settings name too, if they can be read.
func (s *Setup) cleaner() *guard.Redactor {
	settings, err := s.Settings()
	if err != nil {
		return nil
	}
	redactor, err := newRedactor(settings, s.variables(settings))
	if err != nil {
		return nil
	}
	return redactor
}

// Events is the log of a run, as people see it.
func (d *Data) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return d.seen.Events(ctx, run, after)
}

// Event is one event of a run's log, as people see it.
func (d *Data) Event(ctx context.Context, run rein.RunID, seq int64) (rein.Event, error) {
	return d.seen.Event(ctx, run, seq)
}

// Run is a run, as people see it.
func (d *Data) Run(ctx context.Context, id rein.RunID) (rein.RunInfo, error) {
	return d.seen.Run(ctx, id)
}

// Runs are the runs that fit, as people see them.
func (d *Data) Runs(ctx context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return d.seen.Runs(ctx, f)
}

// Ask is what a run asks, as people see it.
func (d *Data) Ask(ctx context.Context, id rein.AskID) (rein.Ask, error) { return d.seen.Ask(ctx, id) }

// Asks are the asks that fit, as people see them.
func (d *Data) Asks(ctx context.Context, f store.AskFilter) ([]rein.Ask, error) {
	return d.seen.Asks(ctx, f)
}

// Receipts are those of what was sent to a run, as people see them.
func (d *Data) Receipts(ctx context.Context, run rein.RunID) ([]rein.Receipt, error) {
	return d.seen.Receipts(ctx, run)
}

func openReader(ctx context.Context, p Place) (*Data, error) {
	info, err := os.Stat(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &NoDataError{p.Folder}
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("cannot read %s: give this user the right to read it, or choose another folder: %w", p.Folder, err)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file: move it away, or restore a backup", p.Path)
	}
	s, err := sqlite.OpenReader(ctx, p.Path)
	if rein.CodeOf(err) == rein.CodeReadOnly {
		return openCopy(ctx, p, err)
	}
	return &Data{Store: s, seen: mask.New(s, (*guard.Redactor)(nil)), Place: p, file: p.Path}, err
}

// Close closes the store and removes the copy, if one was made.
func (d *Data) Close() error {
	err := d.Store.Close()
	if d.temp != "" {
		err = errors.Join(err, os.RemoveAll(d.temp))
	}
	return err
}
