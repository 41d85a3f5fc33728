package skill

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"rein"
	"rein/internal/skill"
)

// A laid is the folder of a skill as it was when its run started, for one call: files that nobody else can change, and a
// folder to work in.
type laid struct{ dir, files, scratch string }

// lay writes the files of a skill to a folder of its own.
func (t *Tools) lay(ctx context.Context, p skill.Parts) (_ *laid, err error) {
	dir, err := os.MkdirTemp("", "rein-skill-")
	if err != nil {
		return nil, err
	}
	// The folder itself is for this user only; what is below is shown in the sandbox, whose user may be another.
	l := &laid{dir, filepath.Join(dir, "files"), filepath.Join(dir, "scratch")}
	defer func() {
		if err != nil {
			l.remove()
		}
	}()
	for _, folder := range []string{l.files, l.scratch} {
		if err := errors.Join(os.Mkdir(folder, 0o755), os.Chmod(folder, 0o755)); err != nil { // whatever the umask
			return nil, err
		}
	}
	root, err := os.OpenRoot(l.files)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, f := range p.Files {
		if err := t.write(ctx, root, f); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (t *Tools) write(ctx context.Context, root *os.Root, f skill.File) error {
	data, err := t.o.File(ctx, f.Sum)
	if err != nil {
		return err
	}
	if skill.Sum(data) != f.Sum {
		return rein.Errorf(rein.CodeForbidden, "%s is not what it was when the run started", f.Path)
	}
	name := filepath.FromSlash(f.Path)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if err := root.Chmod(dir, 0o755); err != nil {
			return err
		}
	}
	mode := os.FileMode(0o444)
	if f.Exec {
		mode = 0o555
	}
	return errors.Join(root.WriteFile(name, data, 0o600), root.Chmod(name, mode))
}

func (l *laid) remove() { _ = os.RemoveAll(l.dir) }

// A limited keeps the first bytes of what is written to it.
type limited struct {
	most int
	buf  bytes.Buffer
	cut  bool
}

// Write implements io.Writer. It never fails: what is too much is dropped.
func (l *limited) Write(data []byte) (int, error) {
	room := max(l.most-l.buf.Len(), 0)
	l.cut = l.cut || len(data) > room
	l.buf.Write(data[:min(room, len(data))])
	return len(data), nil
}

func (l *limited) text() string {
	text := strings.ToValidUTF8(strings.TrimSpace(l.buf.String()), "\uFFFD")
	if l.cut {
		text += "\n[it wrote more, which was dropped]"
	}
	return text
}
