package terminal

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// A Screen is what the outputs can show.
type Screen struct {
	Text    bool // standard output is a terminal: a person reads along
	colours bool // on standard error
	live    bool // standard error is a terminal on which a row can be written again
	draws   bool // standard output is one that can be drawn on
	told    bool // standard error is a terminal
	lines   bool // only whole lines are written
	signs   signs
	at      *os.File // the terminal; nil: neither output is one
}

// signs are the marks before lines about tools and asks, and before the lines and rows of others' texts.
type signs struct{ begin, ok, fail, unsure, note, ask, bar, fold, more string }

var (
	plainSigns = signs{begin: "*", ok: "ok", fail: "!", unsure: "?", note: "-", ask: "?", bar: "|", fold: ":", more: "..."}
	niceSigns  = signs{begin: "⏺", ok: "✓", fail: "✗", unsure: "?", note: "·", ask: "?", bar: "│", fold: "┊", more: "…"}
)

// newScreen finds out what two outputs can show. It looks at NO_COLOR, TERM and the locale.
func newScreen(stdout, stderr io.Writer, env func(string) string) Screen {
	s := Screen{Text: Is(stdout), signs: plainSigns}
	plain := env("NO_COLOR") != "" || env("TERM") == "dumb"
	s.colours, s.lines = Is(stderr) && !plain, env("TERM") == "dumb"
	s.told = Is(stderr)
	s.live = s.told && env("TERM") != "dumb"
	s.draws = s.Text && env("TERM") != "dumb"
	if utf8Locale(env) && !plain {
		s.signs = niceSigns
	}
	for _, out := range []io.Writer{stdout, stderr} {
		if Is(out) {
			s.at = out.(*os.File)
		}
	}
	return s
}

// plain is the screen for people who have it read aloud, and for terminals that only write lines: no colours, ASCII of rein's
// own, and nothing is written over.
func (s Screen) plain() Screen {
	s.colours, s.live, s.draws, s.lines, s.signs = false, false, false, true, plainSigns
	return s
}

// Nice reports whether the screen shows more than ASCII.
func (s Screen) Nice() bool { return s.signs == niceSigns }

// Draws reports whether something can be drawn on the whole screen.
func (s Screen) Draws() bool { return s.draws }

// Columns is how wide the terminal is, or 0 if there is none. One that does not say is as wide as most.
func (s Screen) Columns() int {
	if s.at == nil {
		return 0
	}
	const usual, least = 80, 20
	columns, _, err := term.GetSize(int(s.at.Fd()))
	if err != nil || columns <= 0 {
		return usual
	}
	return max(columns, least)
}

// Is reports whether an input or output is a terminal.
func Is(f any) bool {
	if shared, ok := f.(*above); ok {
		f = shared.Writer
	}
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// utf8Locale looks at the variables in the order in which a C library does.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := env(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return false
}

// A Colour is named after what it says.
type Colour string

// Colours. The zero value is the terminal's own.
const (
	Good  Colour = "32"
	Bad   Colour = "31"
	Ask   Colour = "33" // someone waits, or should look
	Quiet Colour = "2"
)

// Paint returns the text in a colour, if the screen has any.
func (s Screen) Paint(colour Colour, text string) string {
	if !s.colours || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + string(colour) + "m" + text + "\x1b[0m"
}
