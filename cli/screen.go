package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"rein/app/config"
)

// A screen is what the outputs can show.
type screen struct {
	text    bool // standard output is a terminal: a person reads along
	colours bool // on standard error
	live    bool // standard error is a terminal on which a row can be written again
	signs   signs
	at      *os.File // the terminal; nil: neither output is one
}

// signs are the marks before lines about tools and asks, and before the lines and rows of others' texts.
type signs struct{ begin, ok, fail, unsure, note, ask, bar, fold, more string }

var (
	plainSigns = signs{begin: "*", ok: "ok", fail: "!", unsure: "?", note: "-", ask: "?", bar: "|", fold: ":", more: "..."}
	niceSigns  = signs{begin: "⏺", ok: "✓", fail: "✗", unsure: "?", note: "·", ask: "?", bar: "│", fold: "┊", more: "…"}
)

func newScreen(stdout, stderr io.Writer, env config.Environment) screen {
	s := screen{text: terminal(stdout), signs: plainSigns}
	plain := env.Get("NO_COLOR") != "" || env.Get("TERM") == "dumb"
	s.colours = terminal(stderr) && !plain
	s.live = terminal(stderr) && env.Get("TERM") != "dumb"
	if utf8Locale(env) && !plain {
		s.signs = niceSigns
	}
	for _, out := range []io.Writer{stdout, stderr} {
		if terminal(out) {
			s.at = out.(*os.File)
		}
	}
	return s
}

// columns is how wide the terminal is, or 0 if there is none. One that does not say is as wide as most.
func (s screen) columns() int {
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

// terminal reports whether an input or output is one.
func terminal(f any) bool {
	if shared, ok := f.(*above); ok {
		f = shared.Writer
	}
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// utf8Locale looks at the variables in the order in which a C library does.
func utf8Locale(env config.Environment) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := env.Get(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return false
}

// Colours, by what they say.
const (
	colourGood  = "32"
	colourBad   = "31"
	colourAsk   = "33"
	colourQuiet = "2"
)

func (s screen) paint(colour, text string) string {
	if !s.colours || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
