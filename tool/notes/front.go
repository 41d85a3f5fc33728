package notes

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"rein"
	"rein/tool"
	"rein/vault/stage"
)

//go:embed upsert_frontmatter.md
var upsertText string

// What one call may change, and how long a front matter may be.
const (
	maxFields = 100
	maxFront  = 64 << 10
)

type upsertArgs struct {
	Path   string                     `json:"path" jsonschema:"the note" min:"1" max:"1000"`
	Set    map[string]json.RawMessage `json:"set,omitempty" jsonschema:"fields with their new values"`
	Remove []string                   `json:"remove,omitempty" jsonschema:"names of fields to remove" max:"100"`
}

func (w writer) upsertFrontmatter() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "upsert_frontmatter", Text: upsertText, Effect: rein.Pure, Writes: true}, func(ctx context.Context, inv rein.Invocation, args upsertArgs) (rein.Done, error) {
		if err := args.check(); err != nil {
			return rein.Done{}, err
		}
		return w.stage(ctx, inv, args.Path, func(n stage.Note) ([]byte, error) {
			if err := mustExist(n); err != nil {
				return nil, err
			}
			return editFront(n, args.Set, args.Remove)
		})
	})
}

func (a upsertArgs) check() error {
	if len(a.Set)+len(a.Remove) == 0 || len(a.Set)+len(a.Remove) > maxFields {
		return rein.Errorf(rein.CodeInvalid, "name 1 to %d fields to set or to remove", maxFields)
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(a.Set)), a.Remove) {
		if strings.TrimSpace(name) != name || name == "" || len(name) > 200 || strings.ContainsFunc(name, isControl) {
			return rein.Errorf(rein.CodeInvalid, "%.80q is no name of a field: use a word", name)
		}
		if _, set := a.Set[name]; set && slices.Contains(a.Remove, name) {
			return rein.Errorf(rein.CodeInvalid, "field %q is both set and removed", name)
		}
	}
	return nil
}

func isControl(c rune) bool {
	return c < ' ' || c == 0x7f || c == '\u0085' || c == '\u2028' || c == '\u2029'
}

// editFront changes fields of a front matter line by line: what is not named keeps its bytes. What
// comes of it is read again and must say exactly what was wanted; if not, the note is left alone.
func editFront(n stage.Note, set map[string]json.RawMessage, remove []string) ([]byte, error) {
	front, err := findFront(n)
	if err != nil {
		return nil, err
	}
	want, err := front.fields(n.Path)
	if err != nil {
		return nil, err
	}
	end := lineEnd(n.Content)
	lines := front.lines
	for _, name := range remove {
		if lines, err = replaceField(lines, name, ""); err != nil {
			return nil, unsafe(n.Path, name)
		}
		delete(want, name)
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text, value, err := fieldText(name, set[name])
		if err != nil {
			return nil, err
		}
		if lines, err = replaceField(lines, name, withEnds(text, end)); err != nil {
			return nil, unsafe(n.Path, name)
		}
		want[name] = value
	}
	note := front.put(n.Content, lines, end)
	got, err := frontFields(n.Path, note)
	if err != nil || !reflect.DeepEqual(got, want) {
		return nil, rein.Errorf(rein.CodeInvalid, "the front matter of %q is written in a way that cannot be changed safely: change it with write_note, or by hand", n.Path)
	}
	return note, nil
}

// frontFields reads the front matter of a note.
func frontFields(path string, note []byte) (map[string]any, error) {
	front, err := findFront(stage.Note{Path: path, Content: note})
	if err != nil {
		return nil, err
	}
	return front.fields(path)
}

func unsafe(path, name string) error {
	return rein.Errorf(rein.CodeInvalid, "field %q in the front matter of %q is written in a way that cannot be changed safely: change it with write_note, or by hand", name, path)
}

// A front is the front matter of a note.
type front struct {
	from, to int    // of the lines between the marks
	exists   bool   // if not, from is where it goes
	lines    []byte // what is between the marks
}

// findFront finds the front matter. One that has no end is refused: nobody can say what it is.
func findFront(n stage.Note) (front, error) {
	start := 0
	if bytes.HasPrefix(n.Content, []byte(bom)) {
		start = len(bom)
	}
	rest := n.Content[start:]
	first, _, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || string(bytes.TrimRight(first, " \t\r")) != "---" {
		return front{from: start, to: start}, nil
	}
	from := start + len(first) + 1
	at := from
	for line := range bytes.Lines(n.Content[from:]) {
		if mark := string(bytes.TrimRight(line, " \t\r\n")); mark == "---" || mark == "..." {
			return front{from: from, to: at, exists: true, lines: n.Content[from:at]}, nil
		}
		if at += len(line); at-from > maxFront {
			break
		}
	}
	return front{}, rein.Errorf(rein.CodeInvalid, "%q begins with ---, but its front matter has no end: a line of --- was expected; the note is left alone", n.Path)
}

// fields reads what the front matter says.
func (f front) fields(path string) (map[string]any, error) {
	fields, err := decodeFields(f.lines)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the front matter of %q is malformed, so it is left alone: %w", path, err)
	}
	return fields, nil
}

// put writes the lines back, between marks if there are none yet.
func (f front) put(note, lines []byte, end string) []byte {
	if f.exists {
		return splice(note, f.from, f.to, string(lines))
	}
	if len(lines) == 0 {
		return note
	}
	return splice(note, f.from, f.from, "---"+end+string(lines)+"---"+end)
}
