// Package edit is the input at the bottom of the screen: lines of text with a history, pastes that stand for more than
// they show, and names that are completed. It sends nothing and reads nothing: what a key means beyond the text is an
// Event for the program.
//
// What the input holds can be drawn as it is. Control characters and what else cannot be seen are left out as they come
// in, so that what is sent is what was seen.
package edit

import (
	"rein/terminal/tui/look"
)

// An Input is a text that somebody writes.
type Input struct {
	buffer
	theme       look.Theme
	placeholder string
	plain       bool
	past        past
	pastes      []*paste // those that a label may mean
	killed      []glyph

	last  act // what the key before did
	goal  int // the cell that moves up and down aim at
	chord bool

	page page
	complete
}

// An act is what a key did, as far as the next key depends on it.
type act int

const (
	anything act = iota
	typed
	killed
	moved // up or down
)

// An Event is what a key means for the program.
type Event struct {
	Send    *Sent
	Wants   *Completing // what would go on here: the program may answer with Suggest
	Palette bool        // "/" or Ctrl-K in an empty input: show everything that can be done
	Edit    bool        // Ctrl-G, or Ctrl-X Ctrl-E: let the person write in their editor
	Taken   bool        // the input had a use for the key
}

// Sent is a text that is finished.
type Sent struct {
	Text   string   // as it was shown, with labels in place of pastes
	Pastes []string // what the labels stand for, in their order
	Shell  bool     // it began with "!": Text is what follows, with pastes in their places
}

// New returns an empty input. The history begins with the oldest text.
func New(t look.Theme, history []string) *Input {
	i := &Input{theme: t, past: past{kept: map[int][]glyph{}}}
	i.page.width = 80
	for _, text := range history {
		i.past.add(entry{text: text})
	}
	i.past.at = len(i.past.entries)
	return i
}

// Plain makes "/", "!" and "@" characters like any other, for a question that wants just a text.
func (i *Input) Plain() {
	i.plain = true
	i.same = 0
	i.track()
}

// Placeholder sets what an empty input shows.
func (i *Input) Placeholder(text string) { i.placeholder = look.SafeLine(text) }

// IsEmpty reports whether there is nothing in the input.
func (i *Input) IsEmpty() bool { return len(i.glyphs) == 0 }

// Set replaces the text, as after it was written in an editor. A label of a paste stands for the paste again.
func (i *Input) Set(text string) {
	i.last, i.group = anything, i.group+1
	i.replace(0, len(i.glyphs), i.linked(clean(text)))
	i.past.leave()
	i.track()
}

// isShell reports whether the text is a line of shell.
func (i *Input) isShell() bool { return !i.plain && len(i.glyphs) > 0 && i.glyphs[0].text == "!" }
