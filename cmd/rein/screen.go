package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"rein/cmd/rein/config"
)

// A screen is what the outputs can show.
type screen struct {
	text    bool // standard output is a terminal: a person reads along
	colours bool // on standard error
	signs   signs
}

// signs are the marks before lines about tools and asks.
type signs struct{ begin, ok, fail, unsure, note, ask string }

var (
	plainSigns = signs{begin: "*", ok: "ok", fail: "!", unsure: "?", note: "-", ask: "?"}
	niceSigns  = signs{begin: "⏺", ok: "✓", fail: "✗", unsure: "?", note: "·", ask: "?"}
)

func newScreen(stdout, stderr io.Writer, env config.Environment) screen {
	s := screen{text: terminal(stdout), signs: plainSigns}
	plain := env.Get("NO_COLOR") != "" || env.Get("TERM") == "dumb"
	s.colours = terminal(stderr) && !plain
	if utf8Locale(env) && !plain {
		s.signs = niceSigns
	}
	return s
}

// terminal reports whether an input or output is one.
func terminal(f any) bool {
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
