package edit

// start is where the line of a position begins. The "!" of a line of shell is a line's beginning of its own.
func (i *Input) start(pos int) int {
	at := pos
	for at > 0 && !i.glyphs[at-1].isNewline() {
		at--
	}
	if at == 0 && pos > 1 && i.isShell() {
		return 1
	}
	return at
}

// end is where the line of a position ends.
func (i *Input) end(pos int) int {
	for pos < len(i.glyphs) && !i.glyphs[pos].isNewline() {
		pos++
	}
	return pos
}

// wordLeft is where the word before a position begins.
func (i *Input) wordLeft(pos int) int {
	for pos > 0 && !i.glyphs[pos-1].isWord() {
		pos--
	}
	for pos > 0 && i.glyphs[pos-1].isWord() {
		pos--
	}
	return pos
}

// wordRight is where the word after a position ends.
func (i *Input) wordRight(pos int) int {
	for pos < len(i.glyphs) && !i.glyphs[pos].isWord() {
		pos++
	}
	for pos < len(i.glyphs) && i.glyphs[pos].isWord() {
		pos++
	}
	return pos
}

// spaceLeft is where what stands before a position begins, up to a space.
func (i *Input) spaceLeft(pos int) int {
	for pos > 0 && i.glyphs[pos-1].isSpace() {
		pos--
	}
	for pos > 0 && !i.glyphs[pos-1].isSpace() {
		pos--
	}
	return pos
}

// move goes where a key says.
func (i *Input) move(key string) bool {
	switch key {
	case "left", "ctrl+b":
		i.pos = max(0, i.pos-1)
	case "right", "ctrl+f":
		i.pos = min(len(i.glyphs), i.pos+1)
	case "alt+b", "alt+left", "ctrl+left":
		i.pos = i.wordLeft(i.pos)
	case "alt+f", "alt+right", "ctrl+right":
		i.pos = i.wordRight(i.pos)
	case "home", "ctrl+a":
		i.pos = i.start(i.pos)
	case "end", "ctrl+e":
		i.pos = i.end(i.pos)
	case "ctrl+home", "alt+<":
		i.pos = 0
	case "ctrl+end", "alt+>":
		i.pos = len(i.glyphs)
	default:
		return false
	}
	return true
}
