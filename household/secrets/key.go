package secrets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"rein"
)

// KeyFile is the name of the key file in a data folder.
const KeyFile = "secret.key"

// Keys are the keys of a file, which is read when one is first needed. The first key seals; all of them
// open, so that a file can hold the old key beside the new one while secrets are sealed again.
type Keys struct {
	path  string
	named bool // somebody chose the file: it is never made

	mu   sync.Mutex
	ring []key
}

// NewKeys returns the keys of the file in a data folder, or those of another file if one is named. Several
// nodes name one file. A file that is named must exist: if each node made its own, no two could open the same
// secrets.
func NewKeys(folder, named string) *Keys {
	if named != "" {
		return &Keys{path: named, named: true}
	}
	return &Keys{path: filepath.Join(folder, KeyFile)}
}

// Path is where the key file is.
func (k *Keys) Path() string { return k.path }

// Why a key file is not used: there is none, or others can read it.
var (
	errNoKey = errors.New("there is no key file")
	errWide  = errors.New("is open to other users")
)

// maxKeyFile is how long a key file may be.
const maxKeyFile = 1 << 16

// Check says what is wrong with the key file, if anything. That there is none yet is no fault.
func (k *Keys) Check() error {
	_, err := readKeys(k.path)
	if errors.Is(err, errNoKey) && !k.named {
		return nil
	}
	return err
}

// readKeys reads a key file. It refuses one that others can read.
func readKeys(path string) ([]key, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rein.Errorf(rein.CodeDamaged, "%w at %s", errNoKey, path)
	}
	if err != nil {
		return nil, rein.Errorf(rein.CodeDamaged, "the key file of the secrets cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, rein.Errorf(rein.CodeDamaged, "the key file %s is not a file", path)
	case info.Mode().Perm()&0o077 != 0:
		return nil, rein.Errorf(rein.CodeDamaged, "the key file %s %w (mode %04o), so it is not used: chmod 600 %s", path, errWide, info.Mode().Perm(), path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err != nil {
		return nil, err
	}
	return parseKeys(path, string(data))
}

func parseKeys(path, text string) (ring []key, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one, err := parseKey(line)
		if err != nil {
			return nil, rein.Errorf(rein.CodeDamaged, "the key file %s: line %d %w", path, n, err)
		}
		ring = append(ring, one)
	}
	if len(ring) == 0 {
		return nil, rein.Errorf(rein.CodeDamaged, "the key file %s holds no key: put the key back", path)
	}
	return ring, nil
}

// all returns the keys, reading the file if it was not read yet.
func (k *Keys) all() ([]key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ring != nil {
		return k.ring, nil
	}
	ring, err := readKeys(k.path)
	if err == nil {
		k.ring = ring
	}
	return ring, err
}

// find returns the key with an ID. If it is not known, another node may have changed the file: it is read again.
func (k *Keys) find(id string) (key, error) {
	for again := range 2 {
		if again == 1 {
			k.forget()
		}
		ring, err := k.all()
		if err != nil {
			return key{}, err
		}
		for _, one := range ring {
			if one.id == id {
				return one, nil
			}
		}
	}
	return key{}, rein.Errorf(rein.CodeDamaged, "key %s is not in the key file %s", id, k.path)
}

// forget has the file read again when a key is next needed.
func (k *Keys) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring = nil
}

// sealing returns the key that seals, as the file has it now: another node may have changed it. If there is no
// file yet it is made, unless there are sealed values: then a key was lost, and a new one would hide that.
func (k *Keys) sealing(hasSealed bool) (key, error) {
	k.forget()
	ring, err := k.all()
	switch {
	case err == nil:
		return ring[0], nil
	case !errors.Is(err, errNoKey) || hasSealed:
		return key{}, err
	case k.named:
		return key{}, rein.Errorf(rein.CodeDamaged, "%w: make it with `(umask 077; head -c 32 /dev/urandom | base64 > %s)`", err, k.path)
	}
	one := newKey()
	return one, k.write([]key{one})
}

const keyFileHead = `# The key of rein's secrets. Without it they cannot be opened. Keep a copy apart from the backups
# of the data, and do not show it to anyone. The first key seals; the others only open.
`

// write makes the file hold these keys, whole or not at all.
func (k *Keys) write(ring []key) error {
	var text strings.Builder
	text.WriteString(keyFileHead)
	for _, one := range ring {
		text.WriteString(one.line())
	}
	if err := replaceFile(k.path, text.String()); err != nil {
		return rein.Errorf(rein.CodeReadOnly, "the key file of the secrets cannot be written: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring = ring
	return nil
}

// replaceFile writes a file that only its owner can read, and is durable when it returns.
func replaceFile(path, text string) (err error) {
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, ".secret-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("make %s durable: %w", path, err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}
