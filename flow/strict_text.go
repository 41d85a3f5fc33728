package flow

import (
	"fmt"
	"strings"
	"unicode"

	"rein"
	"rein/internal/quote"
)

// How much of a text is repeated in a prompt; the whole stands in the conversation anyway. In bytes.
const (
	strictMostAsked    = 8000
	strictMostSeen     = 4000
	strictMostResult   = 1000
	strictMostResults  = 12_000
	strictMostName     = 120
	strictMostCollapse = 160
)

// strictShort cuts a text to at most so many bytes, at a whole character.
func strictShort(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// strictLine makes one short line of a text.
func strictLine(text string, most int) string {
	return strictShort(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " "), most)
}

// strictBaseName reduces a file's name to what is safe to show, to say and to look up: no folders, no
// hidden names, nothing that is not a letter, a digit or a plain sign.
func strictBaseName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsMark(c), unicode.IsDigit(c), strings.ContainsRune(" ._-()+,=@", c):
			return c
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c):
			return -1
		}
		return '_'
	}, strings.ToValidUTF8(name, "_"))
	if len(name) > strictMostName {
		name = strings.ToValidUTF8(name[:strictMostName], "")
	}
	if name = strings.TrimSpace(strings.TrimLeft(name, ". ")); name == "" {
		return "file"
	}
	return name
}

// strictFileType keeps what a media type can hold.
func strictFileType(kind string) string {
	kind = strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("/+.-", c)) {
			return c
		}
		return -1
	}, kind)
	return kind[:min(len(kind), strictMostName)]
}

// manifest lists the files, a line each.
func manifest(files []StrictFile) string {
	var lines []string
	for _, f := range files {
		about := fmt.Sprintf("%d bytes", f.Size)
		if f.Type != "" {
			about = f.Type + ", " + about
		}
		lines = append(lines, fmt.Sprintf("- %s (%s)", f.Name, about))
	}
	return quote.Untrusted("files", strings.Join(lines, "\n"))
}

// fileNames lists the files in one line.
func fileNames(files []StrictFile) string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if names == nil {
		return "none"
	}
	return quote.Escape(strictShort(strings.Join(names, "; "), strictMostResult))
}

// strictSummaries says what came of each call, as data: briefly, without what could pass for markup.
func strictSummaries(calls []rein.ToolCall, results []rein.Message) string {
	if len(calls) == 0 {
		return "No tool was called in this step."
	}
	var lines []string
	for i, call := range calls {
		what := results[i].Text
		if results[i].FromPerson {
			what = "the person answered: " + what
		}
		lines = append(lines, fmt.Sprintf("- %s: %s. %s", strictLine(call.Name, strictMostName), results[i].Status, strictLine(what, strictMostResult)))
	}
	return quote.Untrusted("results of this step", strictShort(strings.Join(lines, "\n"), strictMostResults))
}

// strictCollapsed is what stays of an old observation.
func strictCollapsed(text string) string { return strictLine(text, strictMostCollapse) }
