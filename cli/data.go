package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"rein"
	"rein/guard"
	"rein/server/mask"
	"rein/store"
	"rein/store/sqlite"
)

// database is the file of a data folder that holds the logs.
const database = "rein.db"

// place is where the data is.
type place struct {
	folder string
	path   string // of the database
	lone   bool   // the database was named itself, and the folder is not ours to judge
}

// place finds the data: --data, else $REIN_DATA, else what the config file says, else
// $XDG_DATA_HOME/rein, else ~/.local/share/rein.
func (c *call) place() (place, error) {
	folder, err := c.folder()
	if err != nil {
		return place{}, err
	}
	return placeOf(folder), nil
}

func placeOf(folder string) place {
	if info, err := os.Stat(folder); err == nil && info.Mode().IsRegular() {
		return place{folder: filepath.Dir(folder), path: folder, lone: filepath.Base(folder) != database}
	}
	return place{folder: folder, path: filepath.Join(folder, database)}
}

// folder reads the config file only if it must, so that a mistake in it does not hide the data from
// someone who says where it is.
func (c *call) folder() (string, error) {
	if c.data != "" {
		return c.data, nil
	}
	if dir := c.env.Get("REIN_DATA"); dir != "" {
		return dir, nil
	}
	settings, err := c.settings()
	if err != nil {
		return "", err
	}
	if settings.Data == "" {
		return "", usagef("there is no home folder here: name the data folder with --data DIR or $REIN_DATA")
	}
	return settings.Data, nil
}

// noData says that a place holds no database. It is no fault: nothing has been run there yet.
type noData struct{ folder string }

func (e *noData) says() string { return "there are no runs yet in " + e.folder }

func (e *noData) Error() string {
	return e.says() + ": name another folder with --data DIR or $REIN_DATA"
}

// data is a store that is open for reading. What is read of it as people read it, with its methods,
// shows no secrets; the Store itself has them.
type data struct {
	*sqlite.Store
	seen *mask.Reader
	place
	file string // what is really open: the database, or a copy of it
	temp string // the folder of that copy
}

// open opens the data for reading, beside whoever owns it.
func (c *call) open(ctx context.Context) (*data, error) {
	p, err := c.place()
	if err != nil {
		return nil, err
	}
	d, err := openData(ctx, p)
	if err != nil {
		return nil, err
	}
	d.seen = mask.New(d.Store, c.cleaner())
	return d, nil
}

// cleaner takes secrets out of what is shown: those that the settings name too, if they can be read.
func (c *call) cleaner() *guard.Redactor {
	settings, err := c.settings()
	if err != nil {
		return nil
	}
	redactor, err := newRedactor(settings, c.env)
	if err != nil {
		return nil
	}
	return redactor
}

func (d *data) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return d.seen.Events(ctx, run, after)
}

func (d *data) Run(ctx context.Context, id rein.RunID) (store.RunInfo, error) {
	return d.seen.Run(ctx, id)
}

func (d *data) Runs(ctx context.Context, f store.Filter) iter.Seq2[store.RunInfo, error] {
	return d.seen.Runs(ctx, f)
}

func (d *data) Ask(ctx context.Context, id rein.AskID) (rein.Ask, error) { return d.seen.Ask(ctx, id) }

func (d *data) Asks(ctx context.Context, f store.AskFilter) ([]rein.Ask, error) {
	return d.seen.Asks(ctx, f)
}

func openData(ctx context.Context, p place) (*data, error) {
	info, err := os.Stat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &noData{p.folder}
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s cannot be read: give this user the right to, or choose another folder: %w", p.folder, err)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file: move it away, or restore a backup", p.path)
	}
	s, err := sqlite.OpenReader(ctx, p.path)
	if rein.CodeOf(err) == rein.CodeReadOnly {
		return openCopy(ctx, p, err)
	}
	return &data{Store: s, seen: mask.New(s, (*guard.Redactor)(nil)), place: p, file: p.path}, err
}

// Close closes the store and removes the copy, if one was made.
func (d *data) Close() error {
	err := d.Store.Close()
	if d.temp != "" {
		err = errors.Join(err, os.RemoveAll(d.temp))
	}
	return err
}

// tip is a command to try, about the same data.
func (c *call) tip(command string) string {
	if c.configFile != "" {
		command += " --config " + shellWord(c.configFile)
	}
	if c.data != "" {
		command += " --data " + shellWord(c.data)
	}
	if c.vault != "" && (strings.HasPrefix(command, "resume ") || strings.HasPrefix(command, "notes")) {
		command += " --vault " + shellWord(c.vault)
	}
	return "`rein " + command + "`"
}

// plainWord is what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// shellWord writes a word so that a shell takes it for one.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// nothing answers a question about a place without data, and passes other errors on.
func (c *call) nothing(err error) error {
	none, ok := errors.AsType[*noData](err)
	switch {
	case !ok:
		return err
	case c.json:
		c.note("%s", safe(none.says()))
	default:
		c.print("%s\n", safe(none.says()))
	}
	return nil
}

// realPath is where a folder is, links followed.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
