package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A prose writes English-like text that says nothing, the same for the same seed: words of the embedder's
// vocabulary, which has the frequent ones first, drawn as often as such words are used.
type prose struct {
	words []string
	draw  *rand.Zipf
	r     *rand.Rand
}

// vocabularyFile is where the words are, from the root of the module.
const vocabularyFile = "vault/minilm/data/vocab.txt"

func newProse(seed uint64) (*prose, error) {
	home, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(home, vocabularyFile))
	if err != nil {
		return nil, err
	}
	p := &prose{r: rand.New(rand.NewPCG(seed, seed+1))}
	for w := range strings.FieldsSeq(string(text)) {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" || len(w) < 2 {
			continue
		}
		if n := len(p.words); n%10 == 9 { // a word of several tokens, as there are in any text
			w = p.words[n-5] + w
		}
		p.words = append(p.words, w)
	}
	p.draw = rand.NewZipf(p.r, 1.1, 3, uint64(len(p.words)-1))
	return p, nil
}

// text returns n words, with a full stop now and then.
func (p *prose) text(n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i > 0 && i%12 == 0:
			b.WriteString(".\n")
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(p.words[p.draw.Uint64()])
	}
	return b.String()
}

// characters returns a question of so many characters.
func (p *prose) characters(n int) string {
	return p.text(n)[:n] // a word has at least one
}

const (
	sectionsOfNote = 5
	wordsOfSection = 100
)

// writeNotes makes a vault of notes with that many passages in all.
func (p *prose) writeNotes(dir string, passages int) error {
	for i := range passages / sectionsOfNote {
		var text strings.Builder
		for range sectionsOfNote {
			fmt.Fprintf(&text, "# %s\n%s\n\n", p.text(3), p.text(wordsOfSection))
		}
		folder := filepath.Join(dir, fmt.Sprintf("f%02d", i%100))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("n%d.md", i)), []byte(text.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}
