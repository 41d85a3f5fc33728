package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rein"
	"rein/household/changes"
	"rein/store"
	"rein/tool/files"
	"rein/tool/shell"
	"rein/tool/undo"
)

// undoing changes files with tools and with a real command, and undoes all of it. It is killed at every step in which a tool
// changes the disk, too. Whatever happens, every file is in the end what it was in the beginning: that is in testdata.
var undoing = func() []scenario {
	if runtime.GOOS != "linux" {
		return nil // no sandbox
	}
	s := one("undo", task("loop", "go", "write_file", "execute_command", "undo_change"),
		"turn 1\ncall write_file {\"path\":\"written\",\"content\":\"by a tool\\n\",\"overwrite\":true}"+
			"\nturn 2\ncall write_file {\"path\":\"new/made\",\"content\":\"by a tool\\n\"}"+
			"\nturn 3\ncall execute_command "+line(`exec 9>alive; echo changed >cmd; rm gone; echo did; read x <seen; echo more >>cmd; rm a/deep/kind; ln -s ../../cmd a/deep/kind; rm -r folder; echo f >folder; mkdir -p made/deep; ln -s ../cmd made/link; chmod 600 mode`)+
			"\nturn 4\ncall undo_change {\"change\":\"r1\"}"+
			"\nturn 5\nsay over",
	)
	for _, step := range []rein.StepKey{"2", "4", "6", "8"} {
		s.orders = append(s.orders, asked("r1", step, reply("r1", step, rein.Answer{State: rein.AskApproved})))
	}
	s.commands, s.undoes = true, true
	return []scenario{s}
}()

// before is what is in the workspace in the beginning.
var before = map[string]string{"written": "as it was\n", "cmd": "as it was\n", "gone": "still here\n", "a/deep/kind": "a plain file\n", "folder/in": "a file in a folder\n", "mode": "644\n"}

// furnish puts it there.
func furnish(t *testing.T, dir string) {
	t.Helper()
	for name, text := range before {
		path := filepath.Join(workspace(dir), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// undoTools are the real tools, which die where the disk changes, and the watcher of the command.
func (c *child) undoTools(st store.Store) ([]rein.Tool, shell.Watcher, error) {
	root, err := files.Open(workspace(c.Dir))
	if err != nil {
		return nil, nil, err
	}
	root.Trip(func() { c.trap.pass(atFile) })
	book := changes.Book{Tables: st}
	writing, err := root.Writing(book, nil)
	if err != nil {
		return nil, nil, err
	}
	watch := &undo.Watcher{Book: book, Files: root, Running: &undo.Running{}}
	undoing, err := undo.Tool(undo.Sources{Book: book, Files: root, Finish: watch.Finish})
	return append(writing, undoing), watch, err
}

// commandBegan reports whether the command has removed a file.
func (c *child) commandBegan() bool {
	_, err := os.Lstat(filepath.Join(workspace(c.Dir), "gone"))
	return errors.Is(err, fs.ErrNotExist)
}

// readFiles takes in every file that is left, with its mode and content. What rein left behind is there too.
func (r *result) readFiles(dir string) error {
	root := workspace(dir)
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root || e.Type() == fs.ModeNamedPipe {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, text := strings.TrimPrefix(path, root+"/"), ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(data)
		}
		r.effects[fmt.Sprintf("file %s %s %q", name, info.Mode(), text)] = 1
		return nil
	})
}
