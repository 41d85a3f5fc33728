package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"rein"
)

// markName is a file of the data folder in which its owner says what other terminals must know
// before they hand it work.
const markName = "rein.owner"

// An ownerMark says what the tools of an owner can see. A run that is handed over must not find
// itself in another folder than the person who typed it.
type ownerMark struct {
	PID   int    `json:"pid"`
	Root  string `json:"root"`
	Vault string `json:"vault,omitempty"` // of its notes; empty: it has none

	path string
}

func writeMark(folder, root, vault string) (*ownerMark, error) {
	abs, err := realPath(root)
	if err != nil {
		return nil, err
	}
	m := &ownerMark{PID: os.Getpid(), Root: abs, Vault: vault, path: filepath.Join(folder, markName)}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(m.path, data, 0o600)
}

func (m *ownerMark) remove() { _ = os.Remove(m.path) } // the next owner writes its own

// checkOwner wants the owner with this process number to see the same folder as this command would, and
// the same notes if it names any.
func checkOwner(folder, root, vault string, pid int) error {
	var m ownerMark
	data, err := os.ReadFile(filepath.Join(folder, markName))
	if err != nil || json.Unmarshal(data, &m) != nil || m.PID != pid {
		return nil // another program, which has rules of its own
	}
	if vault != "" {
		if abs, err := realPath(vault); err != nil || abs != m.Vault {
			has := "has no notes"
			if m.Vault != "" {
				has = "has the notes of " + m.Vault
			}
			return rein.Errorf(rein.CodeConflict, "process %d has the data open and %s, not those of %s: wait until it ends, say the same --vault, or use another data folder with --data", pid, has, vault)
		}
	}
	if abs, err := realPath(root); err != nil || abs == m.Root {
		return err
	}
	return rein.Errorf(rein.CodeConflict,
		"process %d has the data open and its tools see %s, not %s: wait until it ends, say --root %s, or use another data folder with --data",
		pid, m.Root, root, m.Root)
}

func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
