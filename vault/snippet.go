package vault

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"rein/vault/index"
	"rein/vault/parse"
	"rein/vault/words"
)

// maxSnippet bounds a snippet, in characters.
const maxSnippet = 300

// snippetWeight is how much a snippet should show a word: a rare one in any case.
func snippetWeight(t index.Term) float64 {
	switch {
	case t.Small:
		return 0
	case t.Rare:
		return 100
	}
	return t.IDF
}

// addSnippets reads what hits say from the notes as they are now. A note that is gone is no hit.
func (v *Vault) addSnippets(s *search) {
	wanted := map[string]float64{}
	for w, weight := range s.weights {
		for _, l := range words.Languages {
			stem := string(l) + l.Stem(w)
			wanted[stem] = max(wanted[stem], weight/2)
		}
		wanted[w] = max(wanted[w], weight)
	}
	kept := s.results.Hits[:0]
	for _, h := range s.results.Hits {
		text, err := v.folder.readSpan(h.Path, h.byte0, h.end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		whole := len(text)
		if h.byte0 == 0 {
			text = skipFront(text)
		}
		said, at := snippet(text, wanted)
		h.Snippet, h.Block = said, parse.BlockAt(text, at)
		for _, a := range h.anchors {
			if a.At <= whole-len(text)+at {
				h.Section = a.Name
			}
		}
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

// snippet returns the part of a text, on one line, that holds most of the wanted words by weight, and
// where the first of them stands.
func snippet(text string, wanted map[string]float64) (said string, at int) {
	const ahead = 60 // characters kept before the first word
	type match struct {
		at     int
		word   string
		weight float64
	}
	var all []match
	begin := map[string]bool{} // to stem only what may fit
	for w := range wanted {
		begin[w[:min(3, len(w))]] = true
	}
	words.Each(text, func(w words.Word) {
		weight := wanted[w.Text]
		for _, l := range words.Languages {
			if weight == 0 && begin[string(l)+w.Text[:min(2, len(w.Text))]] {
				weight = wanted[string(l)+l.Stem(w.Text)]
			}
		}
		if weight > 0 {
			all = append(all, match{w.Start, w.Text, weight})
		}
	})
	start, most := 0, 0.0
	for i := range all {
		seen, sum := map[string]bool{}, 0.0
		for j := i; j < len(all) && all[j].at-all[i].at < maxSnippet-ahead-40; j++ {
			if !seen[all[j].word] {
				seen[all[j].word] = true
				sum += all[j].weight
			}
		}
		if sum > most {
			start, most = all[i].at, sum
		}
	}
	from := start
	for n := 0; from > 0 && n < ahead; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if line := strings.LastIndexByte(text[:start], '\n') + 1; line >= from-ahead {
		from = line // a row of a table, or a point of a list, is shown whole
	} else if blank := strings.IndexAny(text[from:start], " \n"); blank >= 0 {
		from += blank + 1
	}
	return clip(text[from:], from > 0), start
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
