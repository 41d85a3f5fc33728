package telegram

import (
	"strings"
	"unicode/utf8"
)

// maxText is how long a message may be, in UTF-16 code units, as Telegram counts.
const maxText = 4096

// units is the length of a text as Telegram counts it.
func units(text string) (n int) {
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// split cuts a text into messages: between paragraphs if it can, else between lines, words or characters.
func split(text string) (parts []string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	for units(text) > maxText {
		end := fitting(text)
		for _, between := range []string{"\n\n", "\n", " "} {
			if at := strings.LastIndex(text[:end], between); at > end/2 {
				end = at
				break
			}
		}
		if part := strings.TrimSpace(text[:end]); part != "" {
			parts = append(parts, part)
		}
		text = strings.TrimSpace(text[end:])
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}

// fitting returns how many bytes of a text fit into one message.
func fitting(text string) int {
	n := 0
	for i, r := range text {
		if n++; r > 0xFFFF {
			n++
		}
		if n > maxText {
			return i
		}
	}
	return len(text)
}

// clip is the beginning of a text for a button or a note.
func clip(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}
