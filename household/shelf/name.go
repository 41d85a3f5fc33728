package shelf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds a file's name and its media type, in bytes.
const maxName = 120

// BaseName reduces a file's name to what is safe to show, to say and to look up, as the flow strict
// tells it to models: no folders, no hidden names, nothing that is not a letter, a digit or a plain
// sign. It is the same for what it returned.
func BaseName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.Map(plain, strings.ToValidUTF8(name, "_"))
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	if name = strings.TrimSpace(strings.TrimLeft(name, ". ")); name == "" {
		return "file"
	}
	return name
}

func plain(c rune) rune {
	switch {
	case unicode.IsLetter(c), unicode.IsMark(c), unicode.IsDigit(c), strings.ContainsRune(" ._-()+,=@", c):
		return c
	case unicode.IsControl(c), unicode.Is(unicode.Cf, c):
		return -1
	}
	return '_'
}

// mediaType keeps what a media type can hold; parameters, such as a charset, are left out. Where
// nothing is said it is told by the content, as far as it matters: text, or not.
func mediaType(said string, text bool) string {
	said, _, _ = strings.Cut(said, ";")
	said = strings.ToLower(strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("/+.-", c)) {
			return c
		}
		return -1
	}, said))
	if said = said[:min(len(said), maxName)]; strings.Count(said, "/") == 1 {
		return said
	}
	if text {
		return "text/plain"
	}
	return "application/octet-stream"
}

// isText reports whether the content can be shown to a model: UTF-8, and no control characters but
// those that lay out lines.
func isText(content []byte) bool {
	return utf8.Valid(content) && !strings.ContainsFunc(string(content), func(c rune) bool {
		return unicode.IsControl(c) && !strings.ContainsRune("\t\n\v\f\r\u0085", c)
	})
}
