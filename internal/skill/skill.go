// Package skill reads skills. A skill is a folder: SKILL.md says what it is for and how to work, other files belong to it,
// and tools/NAME.json describes a program in the folder that becomes a tool. The package is given the files and opens
// none itself.
package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Main is the file that makes a folder a skill.
const Main = "SKILL.md"

// Who a skill comes from.
const (
	FromUser      = "user"      // the folder of the user's own texts
	FromWorkspace = "workspace" // the folder of a workspace that somebody trusts
)

// A Skill is one that can be used.
type Skill struct {
	Name  string
	About string
	Text  string // of SKILL.md
	Parts Parts  // what it has beside its text
	Data  map[string][]byte
}

// A File is a file of a skill.
type File struct {
	Path string `json:"path"` // in the folder of the skill, with slashes
	Sum  string `json:"sum"`  // its SHA-256, in hex
	Size int    `json:"size"`
	Exec bool   `json:"exec,omitempty"` // it is a program
}

// A Content is a file as it was read.
type Content struct {
	Data []byte
	Exec bool
}

// Sum names a content.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// goodName is what a skill may be called: a model writes it as an argument.
var goodName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)

// maxAbout is the most that a skill's line in the system prompt may have, in bytes.
const maxAbout = 1024

// Read makes a skill of the files of its folder. text is SKILL.md as people write it: without a mark of its encoding, and
// with line ends as they should be.
func Read(text string, files map[string]Content) (Skill, error) {
	head, err := readHead(text)
	if err != nil {
		return Skill{}, err
	}
	s := Skill{Name: head.value("name"), About: head.value("description"), Text: text, Data: map[string][]byte{}}
	switch {
	case !goodName.MatchString(s.Name):
		return s, fmt.Errorf("its name %.80q must be 1 to 64 letters, digits, '_' or '-'", s.Name)
	case s.About == "" || len(s.About) > maxAbout:
		return s, fmt.Errorf("its description must be one line of 1 to %d bytes that says what it is for", maxAbout)
	}
	s.Parts.Skill = s.Name
	if s.Parts.Allowed, err = head.allowed(); err != nil {
		return s, err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if path == Main {
			continue
		}
		f := files[path]
		s.Data[path] = f.Data
		s.Parts.Files = append(s.Parts.Files, File{Path: path, Sum: Sum(f.Data), Size: len(f.Data), Exec: f.Exec})
	}
	s.Parts.Tools, err = readTools(s.Name, files)
	return s, err
}

// Key is what tells skills apart: names that differ in case or signs only would have the same tools.
func Key(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }
