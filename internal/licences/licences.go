// Package licences has the licences of everything in the binary: rein, Go modules, the standard
// library, data. make generate writes them (package gather), and a test compares them with what is
// linked.
package licences

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed notices.json
var notices []byte

// A Notice is one work by others and what its licence wants told.
type Notice struct {
	Name    string `json:"name"`              // the path of a module, or what it is
	Version string `json:"version,omitempty"` // of a module
	Kind    string `json:"kind"`              // SPDX names, such as "MIT" or "Apache-2.0 AND BSD-3-Clause"
	Files   []File `json:"files"`
}

// A File is one text.
type File struct {
	Name string `json:"name"` // from the root of the work
	Text string `json:"text"`
}

// A Book is how notices are written down: a text that many works share is there once.
type Book struct {
	Notices []Notice          `json:"notices"` // the text of a file is its key in Texts
	Texts   map[string]string `json:"texts"`
}

// All returns the notices, sorted by name.
func All() ([]Notice, error) {
	var book Book
	if err := json.Unmarshal(notices, &book); err != nil {
		return nil, fmt.Errorf("read the notices in the binary: %w", err)
	}
	for _, n := range book.Notices {
		for i, file := range n.Files {
			n.Files[i].Text = book.Texts[file.Text]
		}
	}
	return book.Notices, nil
}
