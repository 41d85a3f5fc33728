package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/tool/reach"
	"rein/vault/chunk"
	"rein/vault/parse"
)

// How much Read returns, in characters.
const (
	DefaultMax = 4000
	MinMax     = 100
	MaxMax     = 20000
)

// A Reading asks for a note or a part of it.
type Reading struct {
	Path    string
	Section string // a heading, to which all below it belongs, or the name of a block: "^id"
	// Start and End are a half-open range of characters, within the section if there is one.
	Start, End *int
	Max        int // characters; 0 means DefaultMax
}

// A Text is a part of a note as it is now.
type Text struct {
	Text    string   `json:"text"`
	Path    string   `json:"path"`
	Section string   `json:"section,omitempty"`
	Anchor  string   `json:"anchor,omitempty"` // where the text begins, as a link to it ends: "Heading#Below", or "^id"
	Start   int      `json:"start"`            // characters of the note
	End     int      `json:"end"`
	Total   int      `json:"total"` // of what was asked for, before it was clipped
	Clipped bool     `json:"clipped,omitempty"`
	Suggest string   `json:"suggest,omitempty"` // another section to read, if it was clipped
	Hash    string   `json:"hash"`              // of the whole note
	Notices []string `json:"notices,omitempty"`
	// LinksTo and LinkedFrom are notes that this one links to, and that link to it; not all, if they are many.
	LinksTo    []string `json:"links_to,omitempty"`
	LinkedFrom []string `json:"linked_from,omitempty"`
}

// maxTold is how many links of a note are told with its text.
const maxTold = 20

// Read returns a note or a part of it. The error of a request that is wrong has CodeInvalid, of a path
// outside the vault or its folders CodeForbidden, of a note or section that is not there CodeNotFound.
func (v *Vault) Read(r Reading) (Text, error) {
	if err := r.check(); err != nil {
		return Text{}, err
	}
	name, raw, err := v.readAllowed(r.Path)
	if err != nil {
		return Text{}, err
	}
	note := parse.Parse(raw)
	from, to, t := 0, len(raw), Text{Path: name, Hash: fmt.Sprintf("%x", chunk.HashOf(raw))}
	if section := strings.TrimSpace(r.Section); section != "" {
		h, ok := note.Section(r.Section)
		span, isBlock := parse.Span{}, false
		if !ok && section[0] == '^' {
			span, isBlock = note.Block(raw, section)
		}
		switch {
		case ok:
			from, to, t.Section = h.Start, h.End, h.Name
		case isBlock:
			from, to, t.Section = span.Start, span.End, section
		default:
			return Text{}, noSection(name, r.Section, note.Headings)
		}
	}
	from, to = r.narrow(raw, from, to)
	if t.Anchor = anchorOf(&note, from); strings.HasPrefix(t.Section, "^") {
		t.Anchor = t.Section
	}
	t.Total = utf8.RuneCount(raw[from:to])
	t.Start = utf8.RuneCount(raw[:from])
	most := r.limit(&t)
	if t.Total > most {
		to = ahead(raw, from, to, most)
		t.clip(&note, to, most, r.next(most))
	}
	t.End = t.Start + utf8.RuneCount(raw[from:to])
	t.Text = strings.ToValidUTF8(string(raw[from:to]), "\uFFFD")
	g := v.graph()
	t.LinksTo, t.LinkedFrom = slices.Clone(g.to[name]), slices.Clone(g.from[name])
	t.LinksTo, t.LinkedFrom = t.LinksTo[:min(len(t.LinksTo), maxTold)], t.LinkedFrom[:min(len(t.LinkedFrom), maxTold)]
	return t, nil
}

func (r *Reading) check() error {
	switch {
	case r.Start != nil && *r.Start < 0, r.End != nil && *r.End < 0:
		return rein.Errorf(rein.CodeInvalid, "start and end count characters from 0: they cannot be negative")
	case r.Start != nil && r.End != nil && *r.Start > *r.End:
		return rein.Errorf(rein.CodeInvalid, "start %d lies after end %d", *r.Start, *r.End)
	case r.Max < 0:
		return rein.Errorf(rein.CodeInvalid, "max_chars is %d: it must be from %d to %d", r.Max, MinMax, MaxMax)
	}
	return nil
}

// limit brings the maximum into its range and says so.
func (r *Reading) limit(t *Text) int {
	if r.Max == 0 {
		return DefaultMax
	}
	most := min(max(r.Max, MinMax), MaxMax)
	if most != r.Max {
		t.Notices = append(t.Notices, fmt.Sprintf("max_chars %d is out of range: %d was used", r.Max, most))
	}
	return most
}

// narrow applies the range of characters; an end beyond the text is its end.
func (r *Reading) narrow(raw []byte, from, to int) (int, int) {
	start, end := from, to
	if r.Start != nil {
		start = ahead(raw, from, to, *r.Start)
	}
	if r.End != nil {
		end = ahead(raw, from, to, *r.End)
	}
	return start, end
}

// ahead goes a number of characters on, not beyond the end.
func ahead(raw []byte, from, to, runes int) int {
	for ; runes > 0 && from < to; runes-- {
		_, size := utf8.DecodeRune(raw[from:to])
		from += size
	}
	return from
}

// next is where to go on after so many characters.
func (r *Reading) next(most int) int {
	if r.Start != nil {
		return *r.Start + most
	}
	return most
}

// clip marks what was cut off and names where to go on.
func (t *Text) clip(note *parse.Note, end, most, next int) {
	t.Clipped = true
	says := fmt.Sprintf("clipped to %d of %d characters", most, t.Total)
	for _, h := range note.Headings {
		if h.Start >= end {
			t.Suggest = h.Name
			break
		}
	}
	if t.Suggest == "" { // the rest is in the section where we stopped
		for _, h := range slices.Backward(note.Headings) {
			if h.Start < end && h.Name != t.Section {
				t.Suggest = h.Name
				break
			}
		}
	}
	if t.Suggest != "" {
		says += fmt.Sprintf("; read section %q, or", t.Suggest)
	} else {
		says += ";"
	}
	t.Notices = append(t.Notices, fmt.Sprintf("%s go on with start=%d", says, next))
}

// readAllowed reads a note that the vault may show. A name without its ending is understood.
func (v *Vault) readAllowed(asked string) (string, []byte, error) {
	name, err := v.folder.cleanPath(asked)
	if err != nil {
		return "", nil, err
	}
	if link, ok := v.folder.linked(name); ok {
		return "", nil, rein.Errorf(rein.CodeForbidden, "%q may not be read: %q is a link, and links are not followed", asked, link)
	}
	raw, err := v.readFile(name)
	if errors.Is(err, fs.ErrNotExist) && path.Ext(name) == "" {
		if again, err := v.readFile(name + ".md"); err == nil {
			return name + ".md", again, nil
		}
	}
	if err != nil {
		return "", nil, v.cannotRead(asked, name, err)
	}
	return name, raw, nil
}

func (v *Vault) readFile(name string) ([]byte, error) {
	if !isNote(name) {
		if _, err := v.folder.root.Lstat(name); err != nil {
			return nil, err
		}
		return nil, skipError(notMarkdown)
	}
	raw, _, err := v.folder.read(name)
	return raw, err
}

func (v *Vault) cannotRead(asked, name string, err error) error {
	if skip, ok := errors.AsType[skipError](err); ok {
		if string(skip) == notMarkdown && path.Ext(name) != "" {
			return rein.Errorf(rein.CodeForbidden, "%q cannot be read: it is %s; name it to the person, who can open it", asked, notMarkdown)
		}
		return rein.Errorf(rein.CodeForbidden, "%q cannot be read: it is %s", asked, string(skip))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return rein.Errorf(rein.CodeNotFound, "%q cannot be read", asked)
	}
	var like []string
	base := reach.Fold(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	for _, n := range v.index.Notes() {
		if reach.Fold(strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path))) == base && len(like) < 3 {
			like = append(like, n.Path)
		}
	}
	if len(like) > 0 {
		return rein.Errorf(rein.CodeNotFound, "there is no note %q; there is %s", asked, strings.Join(like, ", "))
	}
	return rein.Errorf(rein.CodeNotFound, "there is no note %q: use a path that a search returned", asked)
}

// noSection lists the sections that there are.
func noSection(name, section string, headings []parse.Heading) error {
	const most = 40
	var names []string
	for _, h := range headings[:min(len(headings), most)] {
		names = append(names, fmt.Sprintf("%q", h.Name))
	}
	has := "it has none"
	if len(names) > 0 {
		has = "its sections are " + strings.Join(names, ", ")
		if len(headings) > most {
			has += fmt.Sprintf(" and %d more", len(headings)-most)
		}
	}
	return rein.Errorf(rein.CodeNotFound, "note %q has no section %q: %s", name, section, has)
}
