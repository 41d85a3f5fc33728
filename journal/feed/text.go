package feed

import (
	"maps"
	"slices"
	"unicode/utf8"

	"rein"
)

// maxText is how much of a step's text is kept for those who come late. A longer one is shown no
// further; the whole of it is in the log when the step is done.
const maxText = 4 << 20

// A text is what a model, or a tool, has written so far in a step under way. Bytes are only added to it, so a
// part of it can be read without the lock.
type text struct {
	attempt int
	output  bool // of a tool
	said    []byte
}

// add takes the next piece; it reports whether there is something to show. A higher attempt begins
// the text again, also with no text yet: then what was shown is withdrawn. A piece that does not fit the end of the text, of which an earlier one was missed,
// is left out.
func (t *text) add(d rein.Delta) bool {
	withdrawn := d.Attempt > t.attempt && len(t.said) > 0
	if d.Attempt > t.attempt {
		t.attempt, t.said, t.output = d.Attempt, nil, d.Output
	}
	if d.Attempt < t.attempt || d.Offset != len(t.said) || len(t.said)+len(d.Text) > maxText {
		return false
	}
	if len(d.Said) == d.Offset+len(d.Text) {
		t.said = d.Said // it need not be copied
	} else {
		t.said = append(t.said, d.Text...)
	}
	return d.Text != "" || withdrawn
}

// whole returns how much of the text ends with a whole character.
func (t *text) whole() int {
	n := len(t.said)
	for back := 1; back <= min(utf8.UTFMax-1, n); back++ {
		if start := n - back; utf8.RuneStart(t.said[start]) {
			if !utf8.FullRune(t.said[start:]) {
				return start
			}
			return n
		}
	}
	return n
}

// reached is how much of a step's text a follower has been given.
type reached struct {
	attempt, bytes int
}

// A piece is a delta before its text is copied.
type piece struct {
	rein.Delta
	said []byte
}

// pieces returns what models have written since the follower last asked: what came in between is one
// piece. A run with events that the follower has not read must wait: a text may be of a step whose
// beginning is among them. And so must one of which the follower has read more than the feed has
// heard: a text may be of a step that is done by now.
func (f *Feed) pieces(l *follower) []piece {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgetDone(l)
	var out []piece
	for _, run := range l.runsWith(f.texts) {
		if l.grown[run] != nil || l.at[run] > f.heard[run] {
			continue
		}
		steps := f.texts[run]
		for _, step := range slices.Sorted(maps.Keys(steps)) {
			key := stepOf{run, step}
			t, has := steps[step], l.texts[key]
			again := t.attempt != has.attempt && has.bytes > 0
			if t.attempt != has.attempt {
				has = reached{attempt: t.attempt}
			}
			if end := t.whole(); end > has.bytes || again {
				out = append(out, piece{rein.Delta{Run: run, Step: step, Attempt: t.attempt, Offset: has.bytes, Output: t.output}, t.said[has.bytes:end]})
				has.bytes = end
			}
			l.texts[key] = has
		}
	}
	return out
}

// forgetDone lets go of what the follower remembers of texts that are gone.
func (f *Feed) forgetDone(l *follower) {
	for key := range l.texts {
		if f.texts[key.run][key.step] == nil {
			delete(l.texts, key)
		}
	}
}
