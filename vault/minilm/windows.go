package minilm

// A Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// minWindow has room for the longest word and the two tokens that enclose a window.
const minWindow = longestWord + 4

// Windows cuts a text between words into as few parts as the model can read, about equally long, of at
// most limit tokens with the two that enclose each, if possible at white space. A limit that is zero or cannot be kept is taken as
// MaxTokens or as the nearest that can. White space between parts belongs to none of them; a text
// without tokens has no windows.
func (m *Model) Windows(text string, limit int) []Span {
	if limit == 0 || limit > MaxTokens {
		limit = MaxTokens
	}
	room := max(limit, minWindow) - 2
	return m.words().windows(text, room)
}

// Parts returns the windows of a text as texts.
func (m *Model) Parts(text string) []string {
	var parts []string
	for _, s := range m.Windows(text, 0) {
		parts = append(parts, text[s.Start:s.End])
	}
	return parts
}

// Brief returns what to read of a text in one go: all of it if it fits, else its beginning and its end,
// each at most half of what the model reads. A question may stand before or after what it is about.
func (m *Model) Brief(text string) string {
	v := m.words()
	if len(v.windows(text, MaxTokens-2)) <= 1 {
		return text
	}
	halves := v.windows(text, (MaxTokens-2)/2)
	first, last := halves[0], halves[len(halves)-1]
	return text[first.Start:first.End] + " " + text[last.Start:last.End]
}

func (v *vocabulary) windows(text string, room int) []Span {
	total := 0
	for range v.tokens(text) {
		total++
	}
	if total == 0 {
		return nil
	}
	windows := (total + room - 1) / room
	c := cutter{room: room, fair: (total + windows - 1) / windows}
	for token := range v.tokens(text) {
		c.take(token)
	}
	c.closeWord()
	return append(c.windows, c.window)
}

// A cutter collects words into windows.
type cutter struct {
	room    int // tokens that fit into a window
	fair    int // tokens a window should have, so that all are filled alike
	windows []Span
	window  Span // the open one
	size    int  // its tokens

	word     Span // not in a window yet
	wordSize int
}

func (c *cutter) take(t Token) {
	if t.Word {
		c.closeWord()
		c.word = Span{t.Start, t.End}
	}
	c.word.End = max(c.word.End, t.End)
	c.wordSize++
}

// patience is how many tokens more than is fair a window takes to end at white space, so that a mark is
// not cut off from its sentence.
const patience = 16

func (c *cutter) full() bool {
	spaced := c.word.Start > c.window.End
	return c.size+c.wordSize > c.room || c.size >= c.fair && spaced || c.size >= c.fair+patience
}

// closeWord puts the word into the open window or, if that is full, into a new one.
func (c *cutter) closeWord() {
	if c.size > 0 && c.full() {
		c.windows = append(c.windows, c.window)
		c.size = 0
	}
	if c.size == 0 {
		c.window = c.word
	}
	c.window.End = max(c.window.End, c.word.End)
	c.size += c.wordSize
	c.wordSize = 0
}
