package edit

import "slices"

// What is kept of what was sent before.
const (
	mostEntries = 500
	mostBytes   = 1 << 20
)

// past is what was sent before, and where in it the person is. What they changed in it stays until they send something.
type past struct {
	entries []entry // the newest is the last
	bytes   int
	at      int             // len(entries): a text that was not sent yet
	kept    map[int][]glyph // what stood where they were
}

// An entry is a text that was sent.
type entry struct {
	text string
	own  bool // by this input, so that labels in it stand for pastes
}

// History returns what Up finds, the oldest first.
func (i *Input) History() (all []string) {
	for _, e := range i.past.entries {
		all = append(all, e.text)
	}
	return all
}

// Remember adds a text to what Up finds, unless it is the newest there. A text that was sent is there already.
func (i *Input) Remember(text string) { i.remember(clean(text), true) }

func (i *Input) remember(text string, own bool) {
	i.past.add(entry{text, own})
	i.past.leave()
}

func (p *past) add(e entry) {
	if n := len(p.entries); e.text == "" || n > 0 && p.entries[n-1].text == e.text {
		return
	}
	p.entries = append(p.entries, e)
	p.bytes += len(e.text)
	for len(p.entries) > 1 && (len(p.entries) > mostEntries || p.bytes > mostBytes) {
		p.bytes -= len(p.entries[0].text)
		p.entries = slices.Delete(p.entries, 0, 1)
	}
}

// leave returns to the text that was not sent yet.
func (p *past) leave() {
	p.at = len(p.entries)
	clear(p.kept)
}

// recall shows an older text, or a newer one, and reports whether there is one.
func (i *Input) recall(older bool) bool {
	to := i.past.at + 1
	if older {
		to = i.past.at - 1
	}
	if to < 0 || to > len(i.past.entries) {
		return false
	}
	i.past.kept[i.past.at] = i.glyphs
	i.past.at = to
	i.load(slices.Clone(i.recalled(to)))
	if older { // the next Up shows the one before
		i.pos = i.rowEnd(0)
	}
	return true
}

func (i *Input) recalled(at int) []glyph {
	if kept, ok := i.past.kept[at]; ok {
		return kept
	}
	if e := i.past.entries[at]; e.own {
		return i.linked(e.text)
	}
	return segment(clean(i.past.entries[at].text))
}
