package vault

import (
	"errors"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// maxReaders bounds how many read notes for one search.
const maxReaders = 4

// addSnippets reads what hits say from the notes as they are now. A note that is gone is no hit.
func (v *Vault) addSnippets(s *search) {
	wanted := wantedWords(s.weights)
	begin := beginnings(wanted)
	hits := s.results.Hits
	gone := make([]bool, len(hits))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(maxReaders, runtime.GOMAXPROCS(0), len(hits)) {
		wait.Go(func() {
			show := &shower{wanted: wanted, begin: begin, known: map[string]float64{}}
			for i := int(next.Add(1)) - 1; i < len(hits); i = int(next.Add(1)) - 1 {
				gone[i] = !v.addSnippet(show, &hits[i])
			}
		})
	}
	wait.Wait()
	kept := hits[:0]
	for i, h := range hits {
		if !gone[i] {
			kept = append(kept, h)
		}
	}
	s.results.Hits = kept
}

// addSnippet reads what one hit says, and reports whether its note is there.
func (v *Vault) addSnippet(show *shower, h *Hit) bool {
	text, err := v.folder.readSpan(h.Path, h.byte0, h.end)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	whole := len(text)
	if h.byte0 == 0 {
		text = skipFront(text)
	}
	said, at := show.snippet(text)
	h.Snippet, h.Block = said, parse.BlockAt(text, at)
	for _, a := range h.anchors {
		if a.At <= whole-len(text)+at {
			h.Section = a.Name
		}
	}
	return true
}

// wantedWords adds to the words of the queries their stems, which count half: a language's letter, then
// the stem.
func wantedWords(weights map[string]float64) map[string]float64 {
	wanted := map[string]float64{}
	for w, weight := range weights {
		for _, l := range words.Languages {
			stem := string(l) + l.Stem(w)
			wanted[stem] = max(wanted[stem], weight/2)
		}
		wanted[w] = max(wanted[w], weight)
	}
	return wanted
}

// beginnings are how wanted words begin, to stem only what may fit.
func beginnings(wanted map[string]float64) map[string]bool {
	begin := map[string]bool{}
	for w := range wanted {
		begin[w[:min(3, len(w))]] = true
	}
	return begin
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

// A shower finds what of texts to show. It is for one goroutine.
type shower struct {
	wanted map[string]float64 // by word, and by stem
	begin  map[string]bool
	known  map[string]float64 // words that were looked up: texts repeat them
	all    []shown
	last   []int // of each different word: the window it was counted in last
}

// A shown is a wanted word in a text.
type shown struct {
	at     int
	word   int // the same for the same word
	weight float64
}

// weight is how much a word of a text is wanted.
func (s *shower) weight(word string) float64 {
	weight, ok := s.known[word]
	if ok {
		return weight
	}
	weight = s.wanted[word]
	for _, l := range words.Languages {
		if weight == 0 && s.begin[string(l)+word[:min(2, len(word))]] {
			weight = s.wanted[string(l)+l.Stem(word)]
		}
	}
	s.known[word] = weight
	return weight
}

// snippet returns the part of a text, on one line, that holds most of the wanted words by weight, and
// where the first of them stands.
func (s *shower) snippet(text string) (said string, at int) {
	const ahead = 60 // characters kept before the first word
	s.find(text)
	start := s.best(maxSnippet - ahead - 40)
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

// find lists the wanted words of a text.
func (s *shower) find(text string) {
	numbers := map[string]int{}
	s.all = s.all[:0]
	words.Each(text, func(w words.Word) {
		weight := s.weight(w.Text)
		if weight <= 0 {
			return
		}
		n, ok := numbers[w.Text]
		if !ok {
			n = len(numbers)
			numbers[w.Text] = n
		}
		s.all = append(s.all, shown{w.Start, n, weight})
	})
	s.last = slices.Grow(s.last[:0], len(numbers))[:len(numbers)]
}

// best returns where the part of so many bytes begins whose different words weigh most.
func (s *shower) best(width int) (start int) {
	most := 0.0
	clear(s.last)
	for i := range s.all {
		sum := 0.0
		for j := i; j < len(s.all) && s.all[j].at-s.all[i].at < width; j++ {
			if w := s.all[j]; s.last[w.word] != i+1 {
				s.last[w.word] = i + 1
				sum += w.weight
			}
		}
		if sum > most {
			start, most = s.all[i].at, sum
		}
	}
	return start
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
