// Package shelf lets a model read the files of its run's session and no others: the task says whose
// files they are, whatever the model writes.
package shelf

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	kept "rein/household/shelf"
	"rein/tool"
)

//go:embed session_files.md
var listText string

// Tools returns session_files and read_session_file.
func Tools(s kept.Shelf) ([]rein.Tool, error) {
	list, err := List(s)
	if err != nil {
		return nil, err
	}
	read, err := Read(s)
	return []rein.Tool{list, read}, err
}

// Files is the Data of session_files.
type Files struct {
	Files []rein.File `json:"files"`
}

// List is the tool session_files.
func List(s kept.Shelf) (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "session_files", Family: "basics", Text: listText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, _ struct{}) (rein.Done, error) {
		place, err := kept.PlaceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		files, err := s.List(ctx, place)
		if err != nil {
			return rein.Done{}, err
		}
		data, err := json.Marshal(Files{files})
		return rein.Done{Text: tell(files), Data: data}, err
	})
}

// tell lists the files, a line each.
func tell(files []rein.File) string {
	if len(files) == 0 {
		return "[this session has no files]"
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s (%s)\n", f.Name, describe(f))
	}
	return b.String()
}

func describe(f rein.File) string {
	about := fmt.Sprintf("%s, %d bytes", f.Type, f.Size)
	if !f.Text {
		about += ", not text"
	}
	if f.Run != "" {
		about += ", left by a tool"
	}
	return about
}
