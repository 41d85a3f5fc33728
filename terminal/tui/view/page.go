// Package view draws the timeline of a session as rows: what was asked, said and done, in order. It keeps what it drew,
// so that a frame costs what has changed since the last one and not what there is. It takes no keys and reads no clock.
package view

import (
	"slices"
	"strings"
	"time"

	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
	"rein/terminal/tui/markdown"
)

// A Page is the rows of a session. It is for one goroutine.
type Page struct {
	theme  look.Theme
	width  int
	blocks []*block
	open   map[string]bool // what somebody opened or closed
	all    bool            // calls and thoughts are open if nobody said otherwise
	chosen string          // the item under the cursor; empty: none
	found  search

	turned   int   // how often something was opened or closed
	drawn    state // what all blocks were drawn for
	synced   bool  // and that they were
	second   int64 // when
	counting bool  // some of them show how long something has taken so far
}

// A state is what the rows of all blocks depend on.
type state struct {
	width, turned int
	all           bool
	chosen, query string
}

func (p *Page) state() state { return state{p.width, p.turned, p.all, p.chosen, p.found.query} }

// A block is an item with its rows.
type block struct {
	id    string
	item  timeline.Item  // nil: it opens a run
	base  *timeline.Base // of the item
	run   *timeline.Timeline
	drawn stamp
	rows  []string
	first int // the row of the page that it begins at
	text  *markdown.Text
}

// A stamp is all that the rows of a block depend on beside its item: if it is the same, so are the rows.
type stamp struct {
	version, width int
	open, chosen   bool
	second         int64 // of an item that counts time
	query          string
}

// New returns an empty page.
func New(t look.Theme) *Page {
	return &Page{theme: t, open: map[string]bool{}}
}

// Clear forgets everything, for another session.
func (p *Page) Clear() {
	p.blocks, p.chosen, p.found, p.synced = nil, "", search{}, false
	clear(p.open)
}

// Redraw has everything drawn again, because the theme has changed. What is open and chosen stays so.
func (p *Page) Redraw() { p.blocks, p.synced = nil, false }

// SetCurrency has amounts of money drawn again with a currency.
func (p *Page) SetCurrency(c units.Currency) {
	if p.theme.Currency != c {
		p.theme.Currency = c
		p.Redraw()
	}
}

// Sync draws what has changed in the runs of the session, at a width.
func (p *Page) Sync(runs []*timeline.Timeline, width int, now time.Time) {
	p.width = width
	same := p.synced && p.drawn == p.state()
	p.synced, p.drawn, p.second = true, p.state(), now.Unix()
	n, row := 0, 0
	p.counting = false
	for i, run := range runs {
		if i > 0 {
			n, row = p.sync(n, row, "gap/"+string(run.Run), nil, run, now)
		}
		for _, item := range run.Items {
			if same && n < len(p.blocks) && p.blocks[n].stays(item) {
				b := p.blocks[n]
				b.first = row
				n, row = n+1, row+len(b.rows)
				continue
			}
			n, row = p.sync(n, row, item.Common().ID, item, run, now)
		}
	}
	p.blocks = p.blocks[:n]
}

// Stays reports whether Sync would change nothing, if nothing has happened in the runs.
func (p *Page) Stays(width int, now time.Time) bool {
	p.width = width
	return p.synced && p.drawn == p.state() && (!p.counting || p.second == now.Unix())
}

// stays reports whether a block is drawn as its item is now. Most are, and it is asked of each of them for each frame.
func (b *block) stays(item timeline.Item) bool {
	return b.item == item && b.base.Version == b.drawn.version && b.drawn.second == 0
}

// sync brings the nth block up to date, and returns where the next one begins.
func (p *Page) sync(n, row int, id string, item timeline.Item, run *timeline.Timeline, now time.Time) (int, int) {
	if n == len(p.blocks) || p.blocks[n].id != id {
		p.place(n, id)
	}
	b := p.blocks[n]
	b.item, b.run, b.first = item, run, row
	if item != nil {
		b.base = item.Common()
	}
	if s := p.stamp(b, now); s != b.drawn || b.rows == nil {
		b.rows, b.drawn = p.draw(b, now), s
	}
	p.counting = p.counting || b.drawn.second != 0
	return n + 1, row + len(b.rows)
}

// place makes the nth block the one with the ID. What stood there was dropped, or something came before it.
func (p *Page) place(n int, id string) {
	for i := n + 1; i < len(p.blocks) && i < n+4; i++ {
		if p.blocks[i].id == id {
			p.blocks = slices.Delete(p.blocks, n, i)
			return
		}
	}
	p.blocks = slices.Insert(p.blocks, n, &block{id: id})
}

func (p *Page) stamp(b *block, now time.Time) stamp {
	s := stamp{width: p.width, open: p.isOpen(b), chosen: b.id == p.chosen, query: p.found.query}
	if b.item == nil {
		return s
	}
	s.version = b.base.Version
	if counts(b.item) {
		s.second = now.Unix() + 1 // never that of one that does not count
	}
	return s
}

// counts reports whether an item shows how long something has taken so far.
func counts(item timeline.Item) bool {
	switch it := item.(type) {
	case *timeline.Tool:
		return !it.State.Over()
	case *timeline.Wait:
		return it.Live
	}
	return false
}

// Height is how many rows there are.
func (p *Page) Height() int {
	if len(p.blocks) == 0 {
		return 0
	}
	last := p.blocks[len(p.blocks)-1]
	return last.first + len(last.rows)
}

// Rows returns a part of the rows.
func (p *Page) Rows(from, most int) []string {
	rows := make([]string, 0, most)
	for i := p.blockAt(from); i < len(p.blocks) && len(rows) < most; i++ {
		b := p.blocks[i]
		for _, row := range b.rows[min(max(0, from-b.first), len(b.rows)):] {
			if len(rows) == most {
				break
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// blockAt returns which block has the row.
func (p *Page) blockAt(row int) int {
	i, found := slices.BinarySearchFunc(p.blocks, row, func(b *block, row int) int { return b.first - row })
	if found {
		for i+1 < len(p.blocks) && p.blocks[i+1].first == row { // those before it have no rows
			i++
		}
		return i
	}
	return max(0, i-1)
}

// ItemAt returns the item that a row belongs to, or nil.
func (p *Page) ItemAt(row int) timeline.Item {
	if row < 0 || row >= p.Height() {
		return nil
	}
	return p.blocks[p.blockAt(row)].item
}

// Chosen returns the item under the cursor, or nil.
func (p *Page) Chosen() timeline.Item {
	if b := p.block(p.chosen); b != nil {
		return b.item
	}
	return nil
}

// Choose puts the cursor on an item; nil takes it away.
func (p *Page) Choose(item timeline.Item) {
	p.chosen = ""
	if item != nil {
		p.chosen = item.Common().ID
	}
}

// Step moves the cursor by a number of items, and returns the rows of the one that it is on then. Without a cursor it
// begins at the given row.
func (p *Page) Step(by, row int) (first, rows int) {
	at := slices.IndexFunc(p.blocks, func(b *block) bool { return b.id == p.chosen && b.item != nil })
	if at < 0 {
		at = p.blockAt(row)
		by = 0
	}
	direction := 1
	if by < 0 {
		direction = -1
	}
	for by != 0 || at < len(p.blocks) && !p.blocks[at].canBeChosen() {
		next := at + direction
		if next < 0 || next >= len(p.blocks) {
			break
		}
		if at = next; p.blocks[at].canBeChosen() && by != 0 {
			by -= direction
		}
	}
	if at >= len(p.blocks) || !p.blocks[at].canBeChosen() {
		return 0, 0
	}
	p.chosen = p.blocks[at].id
	return p.blocks[at].first, len(p.blocks[at].rows)
}

func (b *block) canBeChosen() bool { return b.item != nil && len(b.rows) > 0 }

func (p *Page) block(id string) *block {
	if id == "" {
		return nil
	}
	for _, b := range slices.Backward(p.blocks) {
		if b.id == id {
			return b
		}
	}
	return nil
}

// Toggle opens an item, or closes it.
func (p *Page) Toggle(item timeline.Item) {
	if item == nil {
		return
	}
	if b := p.block(item.Common().ID); b != nil {
		p.open[b.id] = !p.isOpen(b)
		p.turned++
	}
}

// ToggleAll opens all calls and thoughts, or closes them.
func (p *Page) ToggleAll() {
	p.all = !p.all
	p.turned++
	clear(p.open)
}

// isOpen reports whether all of an item is shown. A thought is open while the model is at it.
func (p *Page) isOpen(b *block) bool {
	if open, ok := p.open[b.id]; ok {
		return open
	}
	switch it := b.item.(type) {
	case *timeline.Phase:
		return p.all || it.Live
	case *timeline.Tool, *timeline.End:
		return p.all
	}
	return false
}

// Text is what an item says, to be copied: without colours and as it was written, but with what cannot be seen spelled
// out.
func Text(item timeline.Item) string {
	switch it := item.(type) {
	case *timeline.Person:
		return it.Text
	case *timeline.Plan:
		return it.Text
	case *timeline.Model:
		return it.Text
	case *timeline.Phase:
		return it.Text
	case *timeline.Tool:
		return toolText(it)
	case *timeline.Ask:
		return it.Ask.Text
	case *timeline.Child:
		return it.Question
	case *timeline.Rein:
		return strings.TrimSpace(it.Text + " " + it.Why)
	case *timeline.End:
		return it.Text
	}
	return ""
}
