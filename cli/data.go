package cli

import (
	"errors"
	"strings"
	"unicode"

	"rein/app"
)

// tip is a command to try, about the same data.
func (c *call) tip(command string) string {
	if c.configFile != "" {
		command += " --config " + shellWord(c.configFile)
	}
	if c.data != "" && !strings.HasPrefix(command, "config ") { // which has no data
		command += " --data " + shellWord(c.data)
	}
	if c.vault != "" && (strings.HasPrefix(command, "resume ") || strings.HasPrefix(command, "notes")) {
		command += " --vault " + shellWord(c.vault)
	}
	return "`rein " + command + "`"
}

// isPlain reports whether a shell takes a word as it stands. It is not a regular expression, because
// compiling one with all letters would delay the start of every command.
func isPlain(word string) bool {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_@%+=:,./-", r)
	}
	return word != "" && !strings.ContainsFunc(word, special)
}

// shellWord writes a word so that a shell takes it for one.
func shellWord(word string) string {
	if isPlain(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// nothing answers a question about a place without data, and passes other errors on.
func (c *call) nothing(err error) error {
	none, ok := errors.AsType[*app.NoDataError](err)
	switch {
	case !ok:
		return err
	case c.json:
		c.note("%s", safe(none.Says()))
	default:
		c.print("%s\n", safe(none.Says()))
	}
	return nil
}
