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
	Root  string `json:"root"`            // empty: it has no file tools
	Vault string `json:"vault,omitempty"` // of its notes; empty: it has none

	path string
}

func writeMark(folder, root, vault string) (*ownerMark, error) {
	m := &ownerMark{PID: os.Getpid(), Vault: vault, path: filepath.Join(folder, markName)}
	if root != "" {
		var err error
		if m.Root, err = realPath(root); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(m.path, data, 0o600)
}

func (m *ownerMark) remove() { _ = os.Remove(m.path) } // the next owner writes its own

// checkOwner wants the owner with this process number to see the same folder as this command would, and
// the same notes if it names any. An owner may have no folder at all: blind says so, if the command
// does not insist on its own.
func checkOwner(folder string, root filesRoot, vault string, pid int) (blind bool, err error) {
	var m ownerMark
	data, err := os.ReadFile(filepath.Join(folder, markName))
	if err != nil || json.Unmarshal(data, &m) != nil || m.PID != pid {
		return false, nil // another program, which has rules of its own
	}
	if err := m.checkVault(vault); err != nil {
		return false, err
	}
	switch {
	case root.dir == "":
		return false, nil
	case m.Root == "" && root.named:
		return true, noFolder(pid, "you want "+root.dir)
	case m.Root == "":
		return true, nil
	}
	if abs, err := realPath(root.dir); err != nil || abs == m.Root {
		return false, err
	}
	return false, rein.Errorf(rein.CodeConflict,
		"process %d has the data open and its tools see %s, not %s: wait until it ends, say --root %s, or use another data folder with --data",
		pid, m.Root, root.dir, m.Root)
}

func (m *ownerMark) checkVault(vault string) error {
	if vault != "" {
		if abs, err := realPath(vault); err != nil || abs != m.Vault {
			has := "has no notes"
			if m.Vault != "" {
				has = "has the notes of " + m.Vault
			}
			return rein.Errorf(rein.CodeConflict, "process %d has the data open and %s, not those of %s: wait until it ends, say the same --vault, or use another data folder with --data", m.PID, has, vault)
		}
	}
	return nil
}

func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
