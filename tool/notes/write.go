package notes

import (
	"context"
	_ "embed"
	"strings"

	"rein"
	"rein/tool"
	"rein/vault/parse"
	"rein/vault/stage"
)

//go:embed write_note.md
var writeNoteText string

//go:embed append_note.md
var appendNoteText string

type writeArgs struct {
	Path      string `json:"path" jsonschema:"the note, below the vault, ending in .md" min:"1" max:"1000"`
	Content   string `json:"content" jsonschema:"all of the note, in Markdown"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"true: replace a note that exists" default:"false"`
}

func (w writer) writeNote() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "write_note", Text: writeNoteText, Effect: rein.Pure, Writes: true}, func(ctx context.Context, inv rein.Invocation, args writeArgs) (rein.Done, error) {
		return w.stage(ctx, inv, args.Path, func(n stage.Note) ([]byte, error) {
			if n.Exists && !args.Overwrite {
				return nil, rein.Errorf(rein.CodeConflict, "%q exists: use append_note to add to it, or overwrite to replace all of it", n.Path)
			}
			return whole(n, args.Content)
		})
	})
}

// whole is a new content for all of a note, with the line ends and the mark at the beginning that the
// note has.
func whole(n stage.Note, content string) ([]byte, error) {
	if strings.ContainsRune(content, 0) {
		return nil, rein.Errorf(rein.CodeInvalid, "the content holds a NUL character: a note is text")
	}
	if !n.Exists {
		return []byte(content), nil
	}
	if err := checkText(n); err != nil {
		return nil, err
	}
	if lineEnd(n.Content) == "\r\n" {
		content = withEnds(content, "\r\n")
	}
	if strings.HasPrefix(string(n.Content), bom) && !strings.HasPrefix(content, bom) {
		content = bom + content
	}
	return []byte(content), nil
}

type appendArgs struct {
	Path    string `json:"path" jsonschema:"the note" min:"1" max:"1000"`
	Text    string `json:"text" jsonschema:"what to add, in Markdown" min:"1"`
	Section string `json:"section,omitempty" jsonschema:"the heading of the section to add to; without it the end of the note" max:"1000"`
}

func (w writer) appendNote() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "append_note", Text: appendNoteText, Effect: rein.Pure, Writes: true}, func(ctx context.Context, inv rein.Invocation, args appendArgs) (rein.Done, error) {
		if strings.TrimSpace(args.Text) == "" || strings.ContainsRune(args.Text, 0) {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "text is blank or holds a NUL character: say what to add")
		}
		return w.stage(ctx, inv, args.Path, func(n stage.Note) ([]byte, error) {
			if err := mustExist(n); err != nil {
				return nil, err
			}
			if args.Section == "" {
				return insertBlock(n.Content, len(n.Content), args.Text), nil
			}
			_, to, err := section(n, args.Section)
			if err != nil {
				return nil, err
			}
			return insertBlock(n.Content, to, args.Text), nil
		})
	})
}

// section returns where the text of a section begins, and where its last line that is not blank ends;
// sections below it are not part of that.
func section(n stage.Note, name string) (from, to int, err error) {
	parsed := parse.Parse(n.Content)
	h, ok := parsed.Section(name)
	if !ok {
		return 0, 0, noSection(n.Path, name, parsed.Headings)
	}
	from, to = sectionOf(n.Content, parsed.Headings, h)
	return from, to, nil
}

func sectionOf(text []byte, headings []parse.Heading, h parse.Heading) (from, to int) {
	end := len(text)
	for _, other := range headings {
		if other.Start > h.Start && other.Start < end {
			end = other.Start
		}
	}
	from = min(h.Body, end)
	return from, afterLast(text, from, end)
}

// maxNamed is how many sections an error names.
const maxNamed = 30

func noSection(path, name string, headings []parse.Heading) error {
	var names []string
	for _, h := range headings[:min(len(headings), maxNamed)] {
		names = append(names, h.Name)
	}
	if len(names) == 0 {
		return rein.Errorf(rein.CodeNotFound, "%q has no sections: leave section out to use the end of the note", path)
	}
	more := ""
	if len(headings) > maxNamed {
		more = " and others"
	}
	return rein.Errorf(rein.CodeNotFound, "%q has no section %.200q; it has: %q%s", path, name, names, more)
}
