package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rein/terminal/tui/pick"
)

// A Kind is what is completed.
type Kind int

const (
	File    Kind = iota + 1 // a file or a note, after @
	Command                 // what a text begins with, after /
)

// Completing is a name that somebody is writing.
type Completing struct {
	Kind   Kind
	Prefix string // what there is of it, without the @ or the /

	at     int  // the glyph at which it begins
	quoted bool // it began with @"
}

// A Suggestion is a name that may be meant.
type Suggestion struct {
	Text  string // a path, a note as [[PATH]], the name of a command without its /
	About string
}

// complete is what is being completed, and what was found for it.
type complete struct {
	now    *Completing
	found  []Suggestion
	menu   *pick.List // nil: nothing was found yet
	closed bool       // the person does not want to see it
}

// track looks again at what is being completed, and returns it if that has changed.
func (i *Input) track() *Completing {
	c := i.completing()
	switch {
	case c == nil:
		i.complete = complete{}
		return nil
	case i.now != nil && *i.now == *c:
		return nil
	case i.now != nil && (i.now.Kind != c.Kind || i.now.at != c.at):
		i.complete = complete{}
	}
	i.now = c
	if i.closed {
		return nil
	}
	if i.menu != nil {
		i.menu.Search(c.searched())
	}
	return c
}

// completing is the name that the position is behind.
func (i *Input) completing() *Completing {
	if i.plain || !i.endsHere() {
		return nil
	}
	if c := i.command(); c != nil {
		return c
	}
	return i.file()
}

// endsHere reports whether a name may end at the position.
func (i *Input) endsHere() bool {
	return i.pos == len(i.glyphs) || i.glyphs[i.pos].isSpace() || strings.Contains(`.,;:!?)]}>"'`, i.glyphs[i.pos].text)
}

// command is the name of a command, with which the text begins.
func (i *Input) command() *Completing {
	if i.pos == 0 || i.pos > mostName || i.glyphs[0].text != "/" {
		return nil
	}
	for _, g := range i.glyphs[:i.pos] {
		if g.isSpace() || g.paste != nil {
			return nil
		}
	}
	return &Completing{Kind: Command, Prefix: textOf(i.glyphs[1:i.pos])}
}

// mostName is how long a name may be that is completed.
const mostName = 300

// file is the name of a file behind an @ that is not inside a word: @name, or @"a name".
func (i *Input) file() *Completing {
	spaces, quotes := false, 0
	for at := i.pos - 1; at >= max(0, i.pos-mostName) && !i.glyphs[at].isNewline() && i.glyphs[at].paste == nil; at-- {
		g := i.glyphs[at]
		switch {
		case g.text == `"`:
			quotes++
		case g.isSpace():
			spaces = true
		case g.text == "@" && i.begins(at):
			if quotes == 1 && i.glyphs[at+1].text == `"` {
				return &Completing{Kind: File, Prefix: textOf(i.glyphs[at+2 : i.pos]), at: at, quoted: true}
			}
			if quotes > 0 || spaces {
				return nil
			}
			return &Completing{Kind: File, Prefix: textOf(i.glyphs[at+1 : i.pos]), at: at}
		}
	}
	return nil
}

// begins reports whether the name of a file can begin at a place, as for rein when it reads the text.
func (i *Input) begins(at int) bool {
	if at == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(i.glyphs[at-1].text)
	return i.glyphs[at-1].paste == nil && (unicode.IsSpace(r) || strings.ContainsRune(`([{<"'`, r))
}

// written is how a name is written in the text, and whether it can be. A folder is left open, to continue in it.
func (c *Completing) written(name string) (text string, ok bool) {
	if name == "" || clean(name) != name || strings.ContainsAny(name, "\n\t") {
		return "", false
	}
	spaced := strings.ContainsFunc(name, unicode.IsSpace)
	switch {
	case c.Kind == Command:
		return "/" + name, !spaced
	case strings.HasPrefix(name, "[["): // a note, which may be anywhere
		return name, strings.HasSuffix(name, "]]")
	case !spaced && !strings.HasPrefix(name, `"`) && !strings.HasPrefix(name, "@"):
		return "@" + name, true
	case strings.Contains(name, `"`):
		return "", false
	case isFolder(name):
		return `@"` + name, true
	}
	return `@"` + name + `"`, true
}

func isFolder(name string) bool { return strings.HasSuffix(name, "/") }

// searched is what the menu is searched for.
func (c *Completing) searched() string {
	if c.Kind == Command {
		return "/" + c.Prefix
	}
	return c.Prefix
}
