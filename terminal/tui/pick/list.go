// Package pick is a list with a search, drawn over the rest of the screen: sessions, commands, models, notes, files.
// What is chosen in it, and what that means, is up to its owner.
package pick

import (
	"slices"
	"strings"

	"rein/internal/visible"
	"rein/terminal/tui/look"
)

// An Item is one line of a list. Only Title has to be there.
type Item struct {
	Key   string // names it to the owner; two items of a list have two keys
	Title string
	About string // dim, after the title; it is searched too
	Right string // dim, at the right edge: a time, money, a state
	Group string // a heading while nothing is searched; items of a group follow each other
	Live  bool   // something goes on in it
	Now   bool   // it is what is set now, where the list begins
}

// A List is what somebody chooses from.
type List struct {
	theme   look.Theme
	title   string
	empty   string // what it says if there is nothing to choose from
	typed   string
	items   []Item
	shown   []shown
	actions []action

	hits   []hit  // what was found, the best first
	lines  []line // and how it is drawn, with headings
	chosen int    // one of the hits
	top    int    // the first line in view
	page   int    // how many lines were in view,
	above  int    // and how many rows stood above them
	desk   desk
}

// shown is what of an item is drawn and searched: nothing in it steers a terminal.
type shown struct{ title, about, right, group string }

// A hit is an item that was found.
type hit struct{ n, score int32 }

// A line is a hit, or the heading of the group that begins with it.
type line struct {
	hit     int32
	heading bool
}

// An action is a key that does something else with the chosen item.
type action struct {
	key, word string
	rune      rune
}

// New returns a list with a title, on which the item that is set now is chosen, or the first.
func New(t look.Theme, title string, items []Item) *List {
	l := &List{theme: t, title: visible.Short(title, 80), empty: "There is nothing to choose from.", page: 10}
	l.fill(items)
	l.search()
	return l
}

// Empty says what stands there if there is nothing to choose from, in one sentence.
func (l *List) Empty(sentence string) { l.empty = sentence }

// Offer gives a key such as "ctrl+r" a meaning of the owner's, named by a word such as "rename". Its Act has the rune.
func (l *List) Offer(key string, r rune, word string) {
	l.actions = append(l.actions, action{key, word, r})
}

// SetItems replaces the items. What was typed stays, and so does the chosen item if it is still there.
func (l *List) SetItems(items []Item) {
	key, had, place := "", false, l.chosen
	if item := l.Current(); item != nil {
		key, had = item.Key, true
	}
	l.fill(items)
	l.search()
	for i, h := range l.hits {
		if had && l.items[h.n].Key == key {
			l.chosen = i
			return
		}
	}
	if had {
		l.chosen = max(0, min(place, len(l.hits)-1))
	}
}

func (l *List) fill(items []Item) {
	l.items = slices.Clone(items)
	l.shown = make([]shown, len(items))
	for i, item := range items {
		l.shown[i] = shown{safe(item.Title), safe(item.About), safe(item.Right), safe(item.Group)}
	}
}

// safe returns the part of a text that a row may have, spelled so that all of it can be seen.
func safe(s string) string {
	if len(s) <= mostText && isPlain(s) {
		return s
	}
	return visible.Short(s, mostText)
}

func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// Current is the chosen item, or nil where nothing was found.
func (l *List) Current() *Item {
	if l.chosen >= len(l.hits) {
		return nil
	}
	return &l.items[l.hits[l.chosen].n]
}
