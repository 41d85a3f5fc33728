package edit

import "slices"

func (i *Input) insert(glyphs []glyph) { i.replace(i.pos, i.pos, glyphs) }

// erase removes what is between two positions.
func (i *Input) erase(from, to int) {
	if from < to {
		i.replace(from, to, nil)
	}
}

// kill removes what is between two positions and keeps it for Ctrl-Y, together with what the keys right before killed.
func (i *Input) kill(from, to int) {
	if from == to {
		return
	}
	own := slices.Clone(i.glyphs[from:to])
	switch {
	case i.last != killed:
		i.killed = own
	case to == i.pos && from < i.pos: // to the left, so it stood before
		i.killed = append(own, i.killed...)
	default:
		i.killed = append(i.killed, own...)
	}
	i.erase(from, to)
}

// remove does what a key that deletes says.
func (i *Input) remove(key string) bool {
	switch key {
	case "backspace", "shift+backspace", "ctrl+h":
		i.erase(max(0, i.pos-1), i.pos)
	case "delete":
		i.erase(i.pos, min(len(i.glyphs), i.pos+1))
	case "ctrl+d":
		if i.IsEmpty() {
			return false
		}
		i.erase(i.pos, min(len(i.glyphs), i.pos+1))
	default:
		return false
	}
	return true
}

// cut does what a key that kills says.
func (i *Input) cut(key string) bool {
	from, to := i.pos, i.pos
	switch key {
	case "ctrl+k":
		if to = i.end(i.pos); to == i.pos {
			to = min(len(i.glyphs), to+1) // the end of the line itself
		}
	case "ctrl+u":
		if from = i.start(i.pos); from == i.pos {
			from = max(0, from-1)
		}
	case "ctrl+w":
		from = i.spaceLeft(i.pos)
	case "alt+backspace", "ctrl+backspace":
		from = i.wordLeft(i.pos)
	case "alt+d", "alt+delete", "ctrl+delete":
		to = i.wordRight(i.pos)
	default:
		return false
	}
	i.kill(from, to)
	return true
}
