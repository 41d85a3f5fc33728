package quote

import "strings"

// Found is a block in a text.
type Found struct {
	Attrs      [][2]string
	Content    string // unescaped
	Start, End int    // of the whole block in the text
	Cut        bool   // the text ends before the block does
}

// Attr returns an attribute, or "" if there is none of this name.
func (f Found) Attr(name string) string {
	for _, a := range f.Attrs {
		if a[0] == name {
			return a[1]
		}
	}
	return ""
}

// Blocks finds the blocks with a tag, in the order of the text and in linear time. It is lenient:
// attributes may be in any order and quoted in any way or not at all, the tag in any case, and the
// last block may be cut off. Tags in fenced code, or right behind a backtick, are examples and not
// blocks; so is all that a block contains.
func Blocks(text, tag string) []Found { return blocks(text, tag, false) }

// JSONBlocks is Blocks for content that is JSON: a closing tag inside a JSON string belongs to the
// string. A model that copies somebody's text into an argument does not thereby write a block.
func JSONBlocks(text, tag string) []Found { return blocks(text, tag, true) }

func blocks(text, tag string, isJSON bool) []Found {
	var found []Found
	lines := fences{}
	for at := 0; at < len(text); {
		if (at == 0 || text[at-1] == '\n') && lines.inside(line(text[at:])) {
			at += len(line(text[at:]))
			continue
		}
		next := strings.IndexAny(text[at:], "<\n")
		if next < 0 {
			break
		}
		at += next
		open, ok := openTag(text[at:], tag)
		if !ok || (at > 0 && text[at-1] == '`') {
			at++
			continue
		}
		f := Found{Attrs: open.attrs, Start: at, End: at + open.size, Cut: open.cut}
		if !open.empty && !open.cut {
			body := text[f.End:]
			size, end := closeTag(body, tag, &isJSON)
			f.Content = shift(inner(body[:size]), fold(tag), -1)
			f.End += end
			f.Cut = size == end
		}
		found = append(found, f)
		at = f.End
	}
	return found
}

// line returns the first line of a text, with its end.
func line(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// inner takes away the line ends that Block puts around the content.
func inner(body string) string {
	body = strings.TrimPrefix(body, "\n")
	return strings.TrimSuffix(body, "\n")
}

// closeTag returns where the content ends and where the block does: the same if nothing closes it.
// If the content was to be JSON and all closing tags are in a string that never ends, then it is not
// JSON; nor is what follows, lest looking takes more than linear time.
func closeTag(body, tag string, isJSON *bool) (content, end int) {
	if *isJSON && strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "{") {
		if content, end, ok := closing(body, tag, true); ok {
			return content, end
		}
		*isJSON = false
	}
	if content, end, ok := closing(body, tag, false); ok {
		return content, end
	}
	return len(body), len(body)
}

func closing(body, tag string, skipStrings bool) (content, end int, ok bool) {
	inString := false
	for at := 0; at < len(body); at++ {
		switch c := body[at]; {
		case skipStrings && inString && c == '\\':
			at++
		case skipStrings && c == '"':
			inString = !inString
		case c == '<' && !inString:
			if size, ok := closer(body[at:], tag); ok {
				return at, at + size, true
			}
		}
	}
	return 0, 0, false
}

// closer reads "</tag>".
func closer(text, tag string) (size int, ok bool) {
	rest := trimSpace(text[1:])
	if !strings.HasPrefix(rest, "/") {
		return 0, false
	}
	rest = trimSpace(rest[1:])
	if !hasTag(rest, tag) {
		return 0, false
	}
	rest = trimSpace(rest[len(tag):])
	if !strings.HasPrefix(rest, ">") {
		return 0, false
	}
	return len(text) - len(rest) + 1, true
}

func hasTag(text, tag string) bool {
	return len(text) >= len(tag) && strings.EqualFold(text[:len(tag)], tag)
}

func trimSpace(text string) string { return strings.TrimLeft(text, " \t\r\n") }
