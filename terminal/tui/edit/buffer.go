package edit

import "slices"

// A buffer is a text with a position in it. It is always taken apart as if all of it had been at once.
type buffer struct {
	glyphs []glyph
	pos    int
	same   int // how many glyphs are as they were when rows were made of them

	changes []change
	weight  int // the glyphs that are kept in changes
	group   int // changes of one group are undone together
}

// A change is what it takes to undo a replacement.
type change struct {
	at, pos  int
	old, new []glyph
	group    int
}

// mostUndo is how many glyphs are kept to undo changes.
const mostUndo = 1 << 18

// Text is what was written, with labels in place of pastes.
func (b *buffer) Text() string { return textOf(b.glyphs) }

// replace puts glyphs in the place of others, and the position behind them.
func (b *buffer) replace(from, to int, with []glyph) {
	if from == to && len(with) == 0 {
		return
	}
	left := max(0, from-1)
	now := slices.Clone(b.glyphs[left:from])
	behind := size(now) + size(with)
	now, used := weld(now, with)
	now = append(now, with[used:]...)
	now, used = weld(now, b.glyphs[to:])
	pos := left
	for _, g := range now {
		if behind <= 0 {
			break
		}
		behind -= len(g.text)
		pos++
	}
	if left < from && now[0] == b.glyphs[left] {
		left, now = left+1, now[1:]
	}
	b.record(change{at: left, pos: b.pos, old: slices.Clone(b.glyphs[left : to+used]), new: now, group: b.group})
	b.glyphs = slices.Replace(b.glyphs, left, to+used, now...)
	b.pos, b.same = pos, min(b.same, left)
}

// weld joins the last of some glyphs with those that come next, and returns how many of these changed by that.
func weld(glyphs, next []glyph) (welded []glyph, used int) {
	for used < len(next) && len(glyphs) > 0 {
		last := len(glyphs) - 1
		joined, changed := join(glyphs[last], next[used])
		if !changed {
			break
		}
		glyphs = append(glyphs[:last], joined...)
		used++
	}
	return glyphs, used
}

// record keeps a change. Letters that are typed one after the other are one.
func (b *buffer) record(c change) {
	b.weight += len(c.old) + len(c.new)
	if n := len(b.changes) - 1; n >= 0 && b.changes[n].group == c.group && len(c.old) == 0 && b.changes[n].at+len(b.changes[n].new) == c.at {
		b.changes[n].new = append(b.changes[n].new, c.new...)
		return
	}
	c.new = slices.Clone(c.new)
	b.changes = append(b.changes, c)
	for b.weight > mostUndo && len(b.changes) > 0 {
		b.forgetOldest()
	}
}

func (b *buffer) forgetOldest() {
	group, n := b.changes[0].group, 0
	for n < len(b.changes) && b.changes[n].group == group {
		b.weight -= len(b.changes[n].old) + len(b.changes[n].new)
		n++
	}
	b.changes = slices.Delete(b.changes, 0, n)
}

// undo takes the changes of the newest group back.
func (b *buffer) undo() {
	if len(b.changes) == 0 {
		return
	}
	for group := b.changes[len(b.changes)-1].group; len(b.changes) > 0; {
		n := len(b.changes) - 1
		c := b.changes[n]
		if c.group != group {
			return
		}
		b.glyphs = slices.Replace(b.glyphs, c.at, c.at+len(c.new), c.old...)
		b.pos, b.same = c.pos, min(b.same, c.at)
		b.weight -= len(c.old) + len(c.new)
		b.changes = slices.Delete(b.changes, n, n+1)
	}
}

// load begins with another text, in which there is nothing to undo.
func (b *buffer) load(glyphs []glyph) {
	b.glyphs, b.pos, b.same, b.changes, b.weight = glyphs, len(glyphs), 0, nil, 0
}
