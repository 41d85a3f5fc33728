package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein/api"
	"rein/app"
	"rein/app/config"
)

// connect keeps the key that was typed, and writes the settings or shows what to add to those that exist. If one of the two
// fails, neither is left behind.
func (c *call) connect(ctx context.Context, n connection, file string, exists bool) error {
	if exists {
		if err := c.keepKey(ctx, &n); err != nil {
			return err
		}
		choice, table := config.Lines(n.name, n.model)
		c.print("# at the top of %s, in place of another model = …\n%s\n# at its end\n%s", safe(file), choice, table)
		return nil
	}
	fresh, err := makeFile(file)
	if err != nil {
		return err
	}
	if err = c.keepKey(ctx, &n); err == nil {
		err = fresh.fill(config.Written(n.name, n.model))
	}
	if err != nil {
		fresh.drop()
		return err
	}
	c.print("wrote %s\n\nTry it:\n  rein run \"What is in this folder?\"\n  rein models\n  rein demo\n", safe(file))
	return nil
}

// keepKey keeps a key that was typed as a secret of the household, under a name that none has yet.
func (c *call) keepKey(ctx context.Context, n *connection) error {
	if !n.typed {
		return nil
	}
	return c.linked(ctx, func(l *app.App) error {
		there, err := l.Secrets(ctx)
		if err != nil {
			return err
		}
		name := n.model.KeyEnv
		for i := 2; slices.ContainsFunc(there, func(s api.Secret) bool { return s.Name == name }); i++ {
			name = fmt.Sprintf("%s_%d", n.model.KeyEnv, i)
		}
		if _, err := l.SetSecret(ctx, name, n.key, true); err != nil {
			return fmt.Errorf("keep the key: %w", err)
		}
		n.model.KeyEnv = "secret:" + name
		c.print("kept the key, sealed, as the secret %s\n", safe(name))
		return nil
	})
}

// A freshFile is a file that did not exist, and has nothing in it yet.
type freshFile struct {
	*os.File
	folders []string // that were made for it, the deepest first
}

// makeFile makes a file for this user alone, with its folder. One that exists stays as it is.
func makeFile(name string) (freshFile, error) {
	var fresh freshFile
	for folder := filepath.Dir(name); ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		fresh.folders = append(fresh.folders, folder)
	}
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err != nil {
		return fresh, fmt.Errorf("make the folder of the settings: %w", err)
	}
	fresh.File, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fresh, fmt.Errorf("%s exists already and stays as it is: edit it, or name another file", name)
	}
	if err != nil {
		return fresh, fmt.Errorf("write the settings: %w", err)
	}
	return fresh, nil
}

// fill writes the text of the file, and ends it.
func (f freshFile) fill(text string) error {
	_, err := f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// drop removes the file, and the folders if nothing else is in them by now.
func (f freshFile) drop() {
	_ = f.Close() // it may be closed
	_ = os.Remove(f.Name())
	for _, folder := range f.folders {
		_ = os.Remove(folder)
	}
}

// withoutFile is the variables without the one that names the settings file, for as long as that file does not exist.
func withoutFile(env config.Environment) config.Environment {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "REIN_CONFIG=") })
}
