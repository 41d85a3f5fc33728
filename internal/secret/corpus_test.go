package secret

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var filler = regexp.MustCompile(`\{([ahudtwqi])(\d+)\}`)

// fill writes out what stands for many characters.
func fill(text string) string {
	alphabets := map[string]string{
		"a": "aB3dE6gH9jK2", "h": "0a1b2c3d4e5f", "u": "ABC2DEF3GH4", "d": "1234567890", "t": "abcdefg234567", "w": "abcDEFghi",
		"i": "MTIzNDU2Nzg5MDEyMzQ1Njc4", "q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	}
	text = filler.ReplaceAllStringFunc(text, func(m string) string {
		parts := filler.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2])
		return strings.Repeat(alphabets[parts[1]], n)[:n]
	})
	return strings.ReplaceAll(text, `\n`, "\n")
}

// Every shape has a true case in the corpus and finds exactly what is marked; nothing is found in the
// false ones.
//
// Covers: HUM-42 TAB-B9
// Attack: 66
func TestCorpus(t *testing.T) {
	text, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"private key": true} // many lines: see the tests of package guard
	for line := range strings.Lines(string(text)) {
		kind, sample, ok := strings.Cut(strings.TrimRight(line, "\n"), " | ")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		sample = fill(sample)
		if kind == "-" {
			if found := Kinds(sample); len(found) > 0 {
				t.Errorf("%q holds no secret, but %q was found", sample, found)
			}
			continue
		}
		kind = strings.TrimPrefix(kind, "+ ")
		seen[kind] = true
		before, rest, _ := strings.Cut(sample, "«")
		want, after, _ := strings.Cut(rest, "»")
		if err := finds(before+want+after, kind, len(before), len(before)+len(strings.TrimRight(want, "\n"))); err != nil {
			t.Error(err)
		}
	}
	for _, shape := range wellKnown() {
		if !seen[shape.kind] {
			t.Errorf("the corpus has no %s", shape.kind)
		}
	}
}

// finds checks that one secret, or several of one place, are found and nothing else.
func finds(text, kind string, from, to int) error {
	spans := Find(text)
	for _, s := range spans {
		if s.Kind == kind && s.From == from && s.To == to {
			return nil
		}
	}
	return fmt.Errorf("%q: want a %s from %d to %d, found %v", text, kind, from, to, spans)
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"kind: x\n":                        "needs a kind and one of",
		"kind: x\ntoken: (\n":              "x: error parsing regexp",
		"kind: x\ntoken: a\nnear: far\n":   "near: far is not known",
		"kind: x\ntoken: a\ncolour: red\n": "colour: red is not known",
		"kind x\n":                         "want \"key: value\"",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
