package files

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/tool"
)

//go:embed list_directory.md
var listDirectoryText string

// maxListed is how many entries one call lists, and maxSeen how many it looks at to say how many
// there are.
const (
	maxListed = 1_000
	maxSeen   = 100_000
)

type listArgs struct {
	Path   string `json:"path,omitempty" jsonschema:"the folder, relative to the allowed folder or absolute inside it" max:"4096" default:"."`
	Depth  int    `json:"depth,omitempty" jsonschema:"how many levels to list" min:"1" max:"5" default:"1"`
	Hidden bool   `json:"hidden,omitempty" jsonschema:"also list names that begin with a dot"`
}

// Entry is one element of the Data of list_directory.
type Entry struct {
	Path     string     `json:"path"` // from the folder that is listed, with slashes
	Kind     string     `json:"kind"` // file, folder, link, pipe, socket, device, special file, unknown
	Bytes    *int64     `json:"bytes,omitempty"`
	Modified *time.Time `json:"modified,omitempty"`
	Target   string     `json:"target,omitempty"` // of a link, as it is written
	Ignored  bool       `json:"ignored,omitempty"`
	Error    string     `json:"error,omitempty"` // why it could not be looked at
}

// ListDirectory is the tool list_directory.
func (r *Root) ListDirectory() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "list_directory", Family: "files", Text: listDirectoryText, Effect: rein.Pure, Code: true, Timeout: searchTimeout}, r.listDirectory)
}

func (r *Root) listDirectory(ctx context.Context, inv rein.Invocation, args listArgs) (rein.Done, error) {
	if args.Path == "" {
		args.Path = "."
	}
	w := walk{root: r, inv: inv, hidden: args.Hidden, entries: []Entry{}}
	if err := w.run(ctx, args.Path, max(args.Depth, 1)); err != nil {
		return rein.Done{}, err
	}
	w.sort()
	data, err := json.Marshal(w.entries)
	return rein.Done{Text: w.text(), Data: data}, err
}

// text is the listing for the model.
func (w *walk) text() string {
	var lines []string
	for _, e := range w.entries {
		lines = append(lines, e.line())
	}
	if len(w.entries) == 0 {
		lines = append(lines, "[nothing to list]")
	}
	if left := w.seen - len(w.entries); left > 0 {
		lines = append(lines, fmt.Sprintf("[%s%d more left out: list a folder below, or a smaller depth]", w.atLeast(), left))
	}
	if w.dotted > 0 {
		lines = append(lines, fmt.Sprintf("[%d hidden left out: set hidden to list them]", w.dotted))
	}
	if w.closed > 0 && w.stopped == nil {
		lines = append(lines, fmt.Sprintf("[%d ignored or of git not opened: list one to see what is in it]", w.closed))
	}
	if w.stopped != nil {
		lines = append(lines, fmt.Sprintf("[%v: there may be more; list a folder below]", w.stopped))
	}
	return strings.Join(lines, "\n")
}

// atLeast says that not all was counted.
func (w *walk) atLeast() string {
	if w.partial || w.seen+w.dotted >= maxSeen {
		return "at least "
	}
	return ""
}

// line shows an entry in one line, whatever its name holds.
func (e Entry) line() string {
	fields := []string{quoted(e.Path)}
	switch e.Kind {
	case "folder":
		fields[0] = quoted(e.Path + "/")
	case "file", unknown:
	case "link":
		fields[0] += " -> " + quoted(e.Target)
	default:
		fields = append(fields, e.Kind)
	}
	if e.Bytes != nil {
		fields = append(fields, fmt.Sprintf("%d B", *e.Bytes))
	}
	if e.Modified != nil {
		fields = append(fields, e.Modified.Format("2006-01-02 15:04"))
	}
	if e.Ignored {
		fields = append(fields, "ignored")
	}
	if e.Error != "" {
		fields = append(fields, "cannot be read: "+e.Error)
	}
	return strings.Join(fields, "  ")
}
