package vault

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rein/internal/labs"
)

// prose writes text out of a vocabulary in which few words are frequent and many are not.
func prose(r *rand.Rand, n int) string {
	z := rand.NewZipf(r, 1.1, 3, 20_000)
	var b strings.Builder
	for i := range n {
		if i > 0 && i%12 == 0 {
			b.WriteString(".\n")
		}
		fmt.Fprintf(&b, "w%d ", z.Uint64())
	}
	return b.String()
}

// planted is a note with a word of its own in the middle of others.
func planted(r *rand.Rand, i int) string {
	return fmt.Sprintf("# Note about w%d\n%s\nHere stands quixo%dtic alone.\n%s", i%50, prose(r, 40+r.IntN(200)), i, prose(r, 30))
}

// No note that holds a rare word of the query is missed, whatever else the query says: it is among the
// hits, not only among the candidates.
//
// Plain: it counts hits of many searches; the other tests search under the race detector.
func TestARareWordIsNeverMissed(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	notes := map[string]string{}
	const n = 2000
	for i := range n {
		notes[fmt.Sprintf("f%d/n%d.md", i%20, i)] = planted(r, i)
	}
	v := newRig(t, notes, Options{Embedder: &bag{id: "bag", dim: 512}})
	for i := range n {
		if !labs.Cell(i, 5) {
			continue
		}
		want := fmt.Sprintf("f%d/n%d.md", i%20, i)
		word := fmt.Sprintf("quixo%dtic", i)
		query := Query{Texts: []string{"the note about w1 w2 w3 w5 w8 w13 and " + word}}
		if i%2 == 0 {
			query = Query{Texts: []string{word}}
		}
		found := v.find(query)
		if got := paths(found); !slices.Contains(got, want) {
			t.Fatalf("%q does not find %s but %v", query.Texts[0], want, got)
		}
		if i%2 == 0 && found.Hits[0].Path != want {
			t.Fatalf("%q finds %s first", word, found.Hits[0].Path)
		}
		if !strings.Contains(found.Hits[slices.Index(paths(found), want)].Snippet, word) {
			t.Fatalf("the snippet for %s does not show it", word)
		}
	}
}

// A note with a rare word takes a place from those that fit the rest of the query better, and several
// such notes share up to half of the places after the tenth. The first ten are the best, for every k.
func TestRareWordsAreGivenPlaces(t *testing.T) {
	const topic = "apple pie recipe with butter crust cinnamon sugar oven"
	notes := map[string]string{}
	for i := range 200 {
		notes[fmt.Sprintf("other%d.md", i)] = fmt.Sprintf("number %d: ", i) + strings.Repeat("and so on it goes for a while ", 8)
	}
	for i := range 60 {
		notes[fmt.Sprintf("topic%d.md", i)] = fmt.Sprintf("%s, version %d. ", topic, i) + strings.Repeat(fmt.Sprintf("%s, mixed with thing%d and thing%d. ", topic, i, i+100), 2+i%5)
	}
	for i := range 9 {
		notes[fmt.Sprintf("rare%d.md", i)] = strings.Repeat("much other text ", 60) + fmt.Sprintf("zyx%dwv", i) + strings.Repeat(" and more of it", 60)
	}
	r := newRig(t, notes, Options{Embedder: newBag()})
	all := topic
	for i := range 9 {
		all += fmt.Sprintf(" zyx%dwv", i)
	}
	for _, tt := range []struct {
		query   string
		k, rare int
	}{{topic + " zyx0wv", 10, 0}, {topic + " zyx0wv", 12, 1}, {all, 10, 0}, {all, 12, 1}, {all, 20, 5}, {all, 100, 9}} {
		for _, lambda := range []float64{0.5, 1} {
			found := r.find(Query{Texts: []string{tt.query}, K: &tt.k, Lambda: &lambda, Explain: true})
			got := paths(found)
			if n := len(slices.DeleteFunc(slices.Clone(got), func(p string) bool { return !strings.HasPrefix(p, "rare") })); n != tt.rare || slices.ContainsFunc(got[:10], func(p string) bool { return strings.HasPrefix(p, "rare") }) {
				t.Errorf("%.50q, k %d, lambda %v: %d rare ones in %v", tt.query, tt.k, lambda, n, got)
			}
			if last := found.Hits[len(found.Hits)-1]; tt.k < 100 && tt.rare > 0 && !last.Why.Rescue {
				t.Errorf("%s is not said to be there for its rare word", last.Path)
			}
		}
	}
}

// Plain: it counts hits of many searches; the other tests search under the race detector.
func TestTheFirstTenHitsDoNotDependOnK(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	notes := map[string]string{}
	vocabulary := strings.Fields("garden tomato bean compost water spring wall summer rain frost seed bed path shed tool spade rake hose moss fern")
	for i := range 300 {
		var text []string
		for range 30 + r.IntN(40) {
			text = append(text, vocabulary[r.IntN(len(vocabulary))])
		}
		if i%7 == 0 { // some that repeat each other
			text = strings.Fields(strings.Repeat("garden tomato bean compost water ", 8))
		}
		notes[fmt.Sprintf("n%d.md", i)] = strings.Join(text, " ") + fmt.Sprintf(" only%d\n", i)
	}
	v := newRig(t, notes, Options{Embedder: newBag()})
	for _, query := range []string{"garden tomato bean", "moss and fern by the shed only3 only9 only17", strings.Repeat("rake the path in spring, then the bed; ", 20) + "only5"} {
		for _, lambda := range []float64{0, 0.3, 0.5, 1} {
			want := paths(v.find(Query{Texts: []string{query}, K: ptr(100), Lambda: &lambda}))
			for _, k := range []int{1, 3, 10, 11, 20, 50} {
				got := paths(v.find(Query{Texts: []string{query}, K: &k, Lambda: &lambda}))
				if n := min(k, 10); len(got) != k || !slices.Equal(got[:n], want[:n]) {
					t.Errorf("%.30q, lambda %v: with k %d the first are %v, with k 100 %v", query, lambda, k, got[:n], want[:n])
				}
			}
		}
	}
}

// Plain: it is about sizes; the other tests index notes under the race detector.
func TestVaultsOfAllSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	v := newRig(t, nil, Options{})
	made := 0
	for _, size := range []int{0, 1, 10, 100, 1000, 2000} {
		for ; made < size; made++ {
			v.write(fmt.Sprintf("n%d.md", made), planted(r, made))
		}
		v.sync()
		if got := v.Status().Notes; got != size {
			t.Fatalf("%d notes, want %d", got, size)
		}
		for _, i := range []int{0, size / 2, size - 1} {
			if size == 0 {
				continue
			}
			if got := paths(v.find(Query{Texts: []string{fmt.Sprintf("quixo%dtic", max(i, 0))}})); got[0] != fmt.Sprintf("n%d.md", max(i, 0)) {
				t.Errorf("of %d notes, number %d is found as %v", size, i, got)
			}
		}
	}
}

func TestNotesThatNobodyWrites(t *testing.T) {
	deep := strings.Repeat("d/", 60) + "note.md"
	notes := map[string]string{
		"ten megabytes.md": "# Big\n" + strings.Repeat("plain words in a long line ", (maxNote-100)/27) + "\n# End\nlastword\n",
		"one line.md":      strings.Repeat("x", 1<<20) + " afterx",
		"nested.md":        strings.Repeat("> ", 10_000) + "quotedword",
		"lists.md":         strings.Repeat("- ", 5_000) + "listword",
		"brackets.md":      strings.Repeat("[", 100_000) + " bracketword",
		"headings.md":      strings.Repeat("# same\n\nbody sameword\n\n", 3_000),
		"front.md":         "---\n" + strings.Repeat("a: [", 5_000) + "\n---\nfrontword\n",
		"unclosed.md":      "---\ntitle: never closed\nunclosedword\n",
		"crlf.md":          "---\r\ntitle: T\r\n---\r\n# H\r\ncrlfword\r\n",
		"bom.md":           "\xef\xbb\xbf---\ntitle: B\n---\nbomword\n",
		deep:               "deepword",
		"empty title.md":   "",
		"ñandú 日本 العربية 🎉 o'x \"q\" [b] (c) #d %20.md": "scriptword",
		"-rf.md":                         "dashword",
		strings.Repeat("n", 250) + ".md": "longnameword",
	}
	v := newRig(t, notes, Options{})
	for _, word := range []string{"lastword", "afterx", "quotedword", "listword", "bracketword", "sameword", "frontword", "unclosedword", "crlfword", "bomword", "deepword", "scriptword", "dashword", "longnameword"} {
		found := v.find(Query{Texts: []string{word}})
		if len(found.Hits) == 0 || !strings.Contains(notes[found.Hits[0].Path], word) {
			t.Errorf("%s finds %v", word, paths(found))
			continue
		}
		h := found.Hits[0]
		if got, err := v.Read(Reading{Path: h.Path, Start: &h.Start, End: &h.End}); err != nil || !strings.Contains(got.Text, word) {
			t.Errorf("reading %s at its span: %.50q, %v", word, got.Text, err)
		}
		if h.Section != "" {
			if _, err := v.Read(Reading{Path: h.Path, Section: h.Section}); err != nil {
				t.Errorf("reading the section %q of a hit: %v", h.Section, err)
			}
		}
	}
	if got := paths(v.find(Query{Texts: []string{"empty title"}})); len(got) == 0 || got[0] != "empty title.md" {
		t.Errorf("an empty note is not found by its name: %v", got)
	}
	for _, e := range v.List() {
		if !e.Indexed && e.Why != "" && isNote(e.Path) {
			t.Errorf("%.40s is not indexed: %s", e.Path, e.Why)
		}
	}
}
