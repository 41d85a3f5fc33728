package notes

import (
	"context"
	_ "embed"
	"net/url"
	"path"
	"strings"

	"rein"
	"rein/tool"
	"rein/vault/parse"
	"rein/vault/stage"
)

//go:embed link_notes.md
var linkNotesText string

// related is the heading below which links go if no section is named.
const related = "Related"

type linkArgs struct {
	From    string `json:"from" jsonschema:"the note that gets the link" min:"1" max:"1000"`
	To      string `json:"to" jsonschema:"the note that it leads to" min:"1" max:"1000"`
	Alias   string `json:"alias,omitempty" jsonschema:"what the link says" max:"200"`
	Section string `json:"section,omitempty" jsonschema:"the heading of the section for the link; without it Related" max:"1000"`
}

func (w writer) linkNotes() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "link_notes", Text: linkNotesText, Effect: rein.Pure, Writes: true}, func(ctx context.Context, inv rein.Invocation, args linkArgs) (rein.Done, error) {
		place, err := stage.PlaceOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		to, err := w.desk.Read(ctx, place, args.To)
		if err != nil {
			return rein.Done{}, err
		}
		if !to.Exists {
			return rein.Done{}, rein.Errorf(rein.CodeNotFound, "%q does not exist: a link to it would lead nowhere", to.Path)
		}
		alias := strings.TrimSpace(args.Alias)
		if strings.ContainsAny(alias, "[]|\n\r") {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "alias %.80q must be one line without [, ] and |", alias)
		}
		return w.stage(ctx, inv, args.From, func(n stage.Note) ([]byte, error) { return link(n, to.Path, alias, args.Section) })
	})
}

// link adds the link to a note, once.
func link(n stage.Note, to, alias, name string) ([]byte, error) {
	if err := mustExist(n); err != nil {
		return nil, err
	}
	if n.Path == to {
		return nil, rein.Errorf(rein.CodeInvalid, "%q cannot be linked to itself", to)
	}
	parsed := parse.Parse(n.Content)
	item := "- " + linkTo(to, alias)
	heading, ok := parsed.Section(or(name, related))
	switch {
	case !ok && name != "":
		return nil, noSection(n.Path, name, parsed.Headings)
	case !ok:
		text := "## " + related + "\n\n" + item
		if len(strings.TrimSpace(string(n.Content))) > 0 {
			text = "\n" + text
		}
		return insertBlock(n.Content, len(n.Content), text), nil
	}
	from, at := sectionOf(n.Content, parsed.Headings, heading)
	for _, l := range parsed.Links {
		if l.At >= from && l.At < at && leadsTo(l, to) {
			return n.Content, nil
		}
	}
	if at == from { // the section is empty
		item = "\n" + item
	}
	return insertBlock(n.Content, at, item), nil
}

// linkTo writes a wikilink, or a Markdown link to a note whose name a wikilink cannot hold.
func linkTo(to, alias string) string {
	target := strings.TrimSuffix(to, path.Ext(to))
	label := or(alias, path.Base(target))
	if strings.ContainsAny(target, "[]|#^") || !strings.HasSuffix(to, ".md") {
		parts := strings.Split(to, "/")
		for i, p := range parts {
			parts[i] = url.PathEscape(p)
		}
		return "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(label) + "](" + strings.Join(parts, "/") + ")"
	}
	if label == target {
		return "[[" + target + "]]"
	}
	return "[[" + target + "|" + label + "]]"
}

// leadsTo reports whether a link is one to the note, by its path or its name alone.
func leadsTo(l parse.Link, to string) bool {
	target := l.Target
	if !l.Wiki {
		if plain, err := url.PathUnescape(target); err == nil {
			target = plain
		}
	}
	bare := strings.TrimSuffix(to, path.Ext(to))
	for _, name := range []string{to, bare, path.Base(bare)} {
		if strings.EqualFold(strings.TrimPrefix(target, "./"), name) {
			return true
		}
	}
	return false
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
