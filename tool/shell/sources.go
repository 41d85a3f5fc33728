package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"rein"
)

// A source is something that programs write to.
type source interface {
	says() string // which one it is, and how it is, in a sentence
	read(ctx context.Context) (string, error)
	// next returns what was written since a place in it, and the place after that. A place before the beginning, such as
	// of a file that was cut, is the beginning. over says that nothing more comes.
	next(ctx context.Context, from int64) (text string, to int64, over bool, err error)
	// start is the place where following begins by default.
	start() int64
}

// maxRead is how much of the end of a source is read.
const maxRead = 32 << 20

func (c *Commands) source(inv rein.Invocation, args monitorArgs) (source, error) {
	switch {
	case args.Handle != "":
		if c.o.Jobs == nil {
			return nil, noJob(args.Handle)
		}
		about, _, err := c.o.Jobs.find(inv.Task.Place(), args.Handle)
		return jobSource{c.o.Jobs, about}, err
	case args.Path != "":
		return c.file(inv, args.Path)
	}
	return c.journal(inv, args)
}

// A jobSource is the output of a background command.
type jobSource struct {
	jobs *Jobs
	Job
}

func (s jobSource) start() int64 { return 0 }

func (s jobSource) says() string {
	about, _, err := s.jobs.find(s.Place, s.Handle)
	if err != nil {
		return err.Error()
	}
	return s.jobs.state(about)
}

func (s jobSource) read(ctx context.Context) (string, error) {
	text, _, _, err := s.next(ctx, 0)
	return text, err
}

func (s jobSource) next(_ context.Context, from int64) (text string, to int64, over bool, err error) {
	about, running, err := s.jobs.find(s.Place, s.Handle)
	if err != nil {
		return "", from, true, err
	}
	var log *jobLog
	if running != nil {
		log = running.log
	}
	all, end, err := readJobLog(s.jobs.path(s.Handle, ".log"), log, about.Bytes, from)
	return string(all), end, running == nil, err
}

// A fileSource is a file of the workspace.
type fileSource struct {
	name string
	open func() (*os.File, int64, error)
	size int64
}

// file opens a file of the workspace that the call may use. It is opened again each time: logs are replaced.
func (c *Commands) file(inv rein.Invocation, name string) (source, error) {
	root, _, _, err := c.folder(inv, "")
	if err != nil {
		return nil, err
	}
	open := func() (*os.File, int64, error) { return openLog(inv, root, name) }
	f, size, err := open()
	if err != nil {
		return nil, err
	}
	return fileSource{name, open, size}, f.Close()
}

func openLog(inv rein.Invocation, root, name string) (*os.File, int64, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, 0, rein.Errorf(rein.CodeNotFound, "%.200q does not exist", name)
	}
	local, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(local) {
		return nil, 0, rein.Errorf(rein.CodeForbidden, "%.200q is outside the workspace %s", name, root)
	}
	if err := inv.MayUse(real); err != nil {
		return nil, 0, rein.Errorf(rein.CodeOf(err), "%.200q: %w", name, err)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, 0, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, rein.Errorf(rein.CodeNotFound, "%.200q cannot be opened: %w", name, err)
	}
	info, err := f.Stat()
	named, err2 := os.Lstat(real)
	if err != nil || err2 != nil || !info.Mode().IsRegular() || !os.SameFile(info, named) {
		f.Close()
		return nil, 0, rein.Errorf(rein.CodeInvalid, "%.200q is not a plain file", name)
	}
	return f, info.Size(), nil
}

func (s fileSource) says() string { return s.name + ":" }
func (s fileSource) start() int64 { return s.size }

func (s fileSource) read(ctx context.Context) (string, error) {
	text, _, _, err := s.next(ctx, 0)
	return text, err
}

func (s fileSource) next(_ context.Context, from int64) (text string, to int64, over bool, err error) {
	f, size, err := s.open()
	if err != nil {
		return "", from, false, err
	}
	defer f.Close()
	if size < from {
		from = 0 // it was cut or replaced
	}
	skipped := from == 0 && size > maxRead
	from = max(from, size-maxRead)
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if i := bytes.IndexByte(data, '\n'); skipped && i >= 0 {
		data = append([]byte(fmt.Sprintf("[… the first %d bytes are left out …]\n", from+int64(i)+1)), data[i+1:]...)
	}
	return string(data), size, false, err
}

// A journalSource is a unit of the system's journal.
type journalSource struct {
	unit  string
	args  []string
	path  string
	since int64 // when following began, in seconds
}

// unitName is what units are called. Nothing of it can be an option.
var unitName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9@._:\\-]*$`)

func (c *Commands) journal(inv rein.Invocation, args monitorArgs) (source, error) {
	if !c.settings().Journal || !c.trusts(inv.Task) {
		return nil, rein.Errorf(rein.CodeForbidden, "the system's journal cannot be read: an admin can set shell.journal for the user of this machine")
	}
	path := c.program("journalctl")
	if path == "" {
		return nil, rein.Errorf(rein.CodeUnavailable, "this machine has no journalctl")
	}
	s := journalSource{unit: args.Journal, path: path, since: time.Now().Unix(), args: []string{"--no-pager", "--quiet", "--output=short-iso"}}
	if args.Journal != "*" {
		if !unitName.MatchString(args.Journal) {
			return nil, rein.Errorf(rein.CodeInvalid, "%.100q is not the name of a unit, such as nginx.service", args.Journal)
		}
		s.args = append(s.args, "--unit="+args.Journal)
	}
	return s, nil
}

// program finds a program; see Options.Programs.
func (c *Commands) program(name string) string {
	dirs := c.o.Programs
	if dirs == nil {
		dirs = []string{"/usr/bin", "/bin"}
	}
	for _, dir := range dirs {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}

func (s journalSource) says() string { return "journal of " + s.unit + ":" }
func (s journalSource) start() int64 { return 0 }

// maxJournal is how many entries of the journal are read.
const maxJournal = "20000"

func (s journalSource) read(ctx context.Context) (string, error) {
	return s.ask(ctx, "--lines="+maxJournal)
}

// next reads what was written since following began.
func (s journalSource) next(ctx context.Context, from int64) (text string, to int64, over bool, err error) {
	text, err = s.ask(ctx, fmt.Sprintf("--since=@%d", s.since))
	return text[min(from, int64(len(text))):], int64(len(text)), false, err
}

func (s journalSource) ask(ctx context.Context, more ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.path, append(s.args, more...)...)
	cmd.Env = []string{"LANG=C.UTF-8", "PATH=/usr/bin:/bin"}
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", rein.Errorf(rein.CodeUnavailable, "the journal cannot be read: %s", bytes.TrimSpace(failed.Bytes()))
	}
	return string(out), err
}
