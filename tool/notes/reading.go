package notes

import (
	"context"
	_ "embed"
	"slices"

	"rein"
	"rein/tool"
	"rein/vault"
	"rein/vault/index"
)

//go:embed find_similar.md
var findSimilarText string

//go:embed read_note.md
var readNoteText string

// A Library is what the reading tools read: a vault.
type Library interface {
	// Locate returns where a note is on the disk; "." is the vault itself.
	Locate(path string) string
	Search(context.Context, vault.Query) (vault.Results, error)
	Read(vault.Reading) (vault.Text, error)
}

// Reading returns the tools that read notes: find_similar and read_note. limits returns
// those of a call in a run of the task, and is called for each of them; nil: the defaults.
func Reading(from Library, limits func(*rein.Task) Limits) ([]rein.Tool, error) {
	if limits == nil {
		limits = func(*rein.Task) Limits { return DefaultLimits() }
	}
	var tools []rein.Tool
	for _, make := range []func(Library, func(*rein.Task) Limits) (rein.Tool, error){findSimilar, readNote} {
		t, err := make(from, limits)
		if err != nil {
			return nil, err
		}
		tools = append(tools, inReach(from, t))
	}
	return tools, nil
}

type filterArgs struct {
	Folder string `json:"folder,omitempty" jsonschema:"only notes below this folder"`
	Tag    string `json:"tag,omitempty" jsonschema:"only notes with this tag, or one below it"`
}

type findArgs struct {
	Queries []string    `json:"queries" jsonschema:"what to look for, in different words" min:"1" max:"8"`
	K       *int        `json:"k,omitempty" jsonschema:"at most so many passages" min:"1"`
	Filter  *filterArgs `json:"filter,omitempty" jsonschema:"where to look"`
}

// Found is the Data of find_similar.
type Found struct {
	OK      bool        `json:"ok"`
	Data    []vault.Hit `json:"data"`
	TookMS  int64       `json:"took_ms"`
	Notices []string    `json:"notices,omitempty"`
}

func findSimilar(from Library, limits func(*rein.Task) Limits) (rein.Tool, error) {
	return newTool(tool.Spec{Name: "find_similar", Text: findSimilarText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, args findArgs) (rein.Done, error) {
		q, notices := limits(inv.Task).query(args, inv.Task)
		if inv.Task != nil {
			q.For = inv.Task.Household + "/" + inv.Task.User
		}
		if args.Filter != nil {
			q.Filter = index.Filter{Folder: args.Filter.Folder, Tag: args.Filter.Tag}
		}
		found, err := from.Search(ctx, q)
		if err != nil {
			return rein.Done{}, err
		}
		hits := slices.DeleteFunc(append([]vault.Hit{}, found.Hits...), func(h vault.Hit) bool { return inv.MayUse(from.Locate(h.Path)) != nil })
		notices = append(append(notices, found.Notices...), aboutHits(hits)...)
		return cited(rein.EvidenceHits, Found{OK: true, Data: hits, TookMS: found.Took.Milliseconds(), Notices: notices})
	})
}

// aboutHits says what can be done with hits that are not plain passages. The text of the tool does not: it
// stands in the prompts of runs that an older program began, and their bounds were counted with it.
func aboutHits(hits []vault.Hit) (notices []string) {
	if slices.ContainsFunc(hits, func(h vault.Hit) bool { return h.Block != "" }) {
		notices = append(notices, "a block (^id) can be cited and read as a section: [path#^id]")
	}
	if slices.ContainsFunc(hits, func(h vault.Hit) bool { return h.File }) {
		notices = append(notices, "a hit with file is no note and cannot be read: tell the person that it is there to be opened")
	}
	return notices
}

type readArgs struct {
	Path     string `json:"path" jsonschema:"the note, as find_similar names it" min:"1" max:"1000"`
	Section  string `json:"section,omitempty" jsonschema:"a heading of it: only what stands below"`
	Start    *int   `json:"start,omitempty" jsonschema:"the first character, from 0, within the section" min:"0"`
	End      *int   `json:"end,omitempty" jsonschema:"the character after the last" min:"0"`
	MaxChars int    `json:"max_chars,omitempty" jsonschema:"at most so many characters" min:"1"`
}

// Read is the Data of read_note.
type Read struct {
	OK      bool     `json:"ok"`
	Text    string   `json:"text"`
	Meta    Meta     `json:"meta"`
	Notices []string `json:"notices,omitempty"`
}

// Meta says what was read.
type Meta struct {
	Path    string `json:"path"`
	Section string `json:"section,omitempty"`
	Start   int    `json:"start"` // characters of the note
	End     int    `json:"end"`
	Hash    string `json:"hash"` // of the whole note as it was read
	Suggest string `json:"suggest,omitempty"`
	// LinksTo and LinkedFrom are notes that this one links to, and that link to it.
	LinksTo    []string `json:"links_to,omitempty"`
	LinkedFrom []string `json:"linked_from,omitempty"`
}

func readNote(from Library, limits func(*rein.Task) Limits) (rein.Tool, error) {
	return newTool(tool.Spec{Name: "read_note", Text: readNoteText, Effect: rein.Pure}, func(_ context.Context, inv rein.Invocation, args readArgs) (rein.Done, error) {
		most, notices := limits(inv.Task).chars(args.MaxChars)
		t, err := from.Read(vault.Reading{Path: args.Path, Section: args.Section, Start: args.Start, End: args.End, Max: most})
		if err != nil {
			return rein.Done{}, err
		}
		if err := inv.MayUse(from.Locate(t.Path)); err != nil {
			return rein.Done{}, rein.Errorf(rein.CodeForbidden, "%.200q may not be read: %w", args.Path, err)
		}
		usable := func(paths []string) []string {
			return slices.DeleteFunc(paths, func(p string) bool { return inv.MayUse(from.Locate(p)) != nil })
		}
		meta := Meta{t.Path, t.Section, t.Start, t.End, t.Hash, t.Suggest, usable(t.LinksTo), usable(t.LinkedFrom)}
		return cited(rein.EvidenceNote, Read{OK: true, Text: t.Text, Meta: meta, Notices: append(notices, t.Notices...)})
	})
}
