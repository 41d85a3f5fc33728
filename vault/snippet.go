package vault

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"rein/vault/words"
)

// maxSnippet bounds a snippet, in characters.
const maxSnippet = 300

// addSnippets reads what hits say from the notes as they are now. A note that is gone is no hit.
func (v *Vault) addSnippets(s *search) {
	wanted := map[string]bool{}
	for _, text := range s.Texts {
		for _, w := range words.Of(text) {
			if !words.IsSmall(w) {
				wanted[w] = true
				for _, l := range words.Languages {
					wanted[string(l)+l.Stem(w)] = true
				}
			}
		}
	}
	kept := s.results.Hits[:0]
	for _, h := range s.results.Hits {
		text, err := v.folder.readSpan(h.Path, h.byte0, h.end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if h.byte0 == 0 {
			text = skipFront(text)
		}
		h.Snippet = snippet(text, wanted)
		kept = append(kept, h)
	}
	s.results.Hits = kept
}

// readSpan reads a part of a note.
func (f *folder) readSpan(name string, start, end int) (string, error) {
	file, _, err := f.open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	part := make([]byte, max(0, end-start))
	n, err := file.ReadAt(part, int64(start))
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.ToValidUTF8(string(part[:n]), "\uFFFD"), nil
}

func skipFront(text string) string {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return text
	}
	if _, body, ok := strings.Cut(rest, "\n---\n"); ok && strings.TrimSpace(body) != "" {
		return body
	}
	return text
}

// snippet returns the part of a text, on one line, that holds most of the wanted words.
func snippet(text string, wanted map[string]bool) string {
	const ahead = 60 // characters kept before the first word
	var at []int
	var what []string
	words.Each(text, func(w words.Word) {
		for _, form := range []string{w.Text, "e" + words.English.Stem(w.Text), "n" + words.Dutch.Stem(w.Text)} {
			if wanted[form] && !w.Part {
				at, what = append(at, w.Start), append(what, w.Text)
				return
			}
		}
	})
	start, most := 0, 0
	for i := range at {
		seen := map[string]bool{}
		for j := i; j < len(at) && at[j]-at[i] < maxSnippet-ahead; j++ {
			seen[what[j]] = true
		}
		if len(seen) > most {
			start, most = at[i], len(seen)
		}
	}
	from := start
	for n := 0; from > 0 && n < ahead; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if from > 0 {
		if blank := strings.IndexAny(text[from:start], " \n"); blank >= 0 {
			from += blank + 1
		}
	}
	return clip(text[from:], from > 0)
}

// clip puts a text on one line and shortens it.
func clip(text string, cut bool) string {
	line := strings.Join(strings.Fields(text), " ")
	if cut {
		line = "…" + line
	}
	if utf8.RuneCountInString(line) <= maxSnippet {
		return line
	}
	return string([]rune(line)[:maxSnippet-1]) + "…"
}
