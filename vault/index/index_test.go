package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/vault/chunk"
	"rein/vault/words"
)

func open(t testing.TB, o Options) *Index {
	t.Helper()
	x, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func commit(t testing.TB, x *Index, notes map[string]string, remove ...string) {
	t.Helper()
	var docs []Doc
	for name, text := range notes {
		docs = append(docs, Read(name, []byte(text), chunk.Options{}))
	}
	slices.SortFunc(docs, func(a, b Doc) int { return cmp.Compare(a.Path, b.Path) })
	if err := x.Commit(docs, remove); err != nil {
		t.Fatal(err)
	}
}

func look(t testing.TB, x *Index, fn func(v *View)) {
	t.Helper()
	if err := x.Look(func(v *View) error { fn(v); return nil }); err != nil {
		t.Fatal(err)
	}
}

// scores returns what the words of a query are worth, by path.
func scores(t testing.TB, x *Index, query string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	look(t, x, func(v *View) {
		m := v.Words(query)
		for p, s := range m.Score {
			if s > 0 {
				path := v.Piece(p).Note.Path
				got[path] = max(got[path], float64(s))
			}
		}
	})
	return got
}

// The scores are those of the formula, worked out here from the words themselves.
func TestBM25(t *testing.T) {
	texts := map[string]string{
		"a.md": "red red green",
		"b.md": "red blue blue blue blue",
		"c.md": "yellow green",
		"d.md": "black and white",
	}
	x := open(t, Options{Dir: t.TempDir()})
	commit(t, x, texts)
	length, total := map[string]float64{}, 0.0
	for name := range texts { // a title that is not in the text counts half a word
		length[name] = float64(len(strings.Fields(texts[name]))) + 0.5
		total += length[name]
	}
	average := total / 4
	term := func(df, tf float64, name string) (idf, score float64) {
		idf = math.Log(1 + (4-df+0.5)/(df+0.5))
		return idf, idf * tf / (tf + 1.2*(1-0.75+0.75*length[name]/average))
	}
	idfRed, redA := term(2, 2, "a.md")
	_, redB := term(2, 1, "b.md")
	idfBlue, blueB := term(1, 4, "b.md")
	ideal := idfRed + idfBlue
	want := map[string]float64{"a.md": redA / ideal, "b.md": (redB + blueB) / ideal}
	got := scores(t, x, "red blue")
	for name, w := range want {
		if math.Abs(got[name]-w) > 1e-6 {
			t.Errorf("%s scores %v, want %v", name, got[name], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("scores %v", got)
	}
}

// Stems follow the language of the note.
func TestStemsByLanguage(t *testing.T) {
	x := open(t, Options{Dir: t.TempDir()})
	commit(t, x, map[string]string{
		"en.md":    "The houses that we were building are not what they have been, and you know it.",
		"nl.md":    "De huizen die wij aan het bouwen waren zijn niet wat het was, en dat weet je ook.",
		"short.md": "boeken",
		"loan.md":  "It is what they would call fietsen, and you have to do it with them or not at all.",
	})
	if got := scores(t, x, "fiets"); len(got) != 0 {
		t.Errorf("a Dutch stem is found in English: %v", got)
	}
	for query, want := range map[string]string{
		"house": "en.md", "building": "en.md", "build": "en.md", "builds": "en.md", "bouwen": "nl.md", "bouw": "nl.md", "boek": "short.md", "huizen": "nl.md",
	} {
		if got := scores(t, x, query); len(got) != 1 || got[want] == 0 {
			t.Errorf("%q finds %v, want %s", query, got, want)
		}
	}
}

// However commits, removals and merges fell, the index finds what one made at once would find.
func TestMergedIsTheSameAsMadeAtOnce(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		vocabulary := strings.Fields("walk walked walking tree trees house houses boek boeken fiets river rivers stone light the and een de het of")
		notes := map[string]string{}
		dir := t.TempDir()
		x := open(t, Options{Dir: dir})
		for range 60 {
			change := map[string]string{}
			for range 1 + r.IntN(4) {
				var text []string
				for range 3 + r.IntN(60) {
					text = append(text, vocabulary[r.IntN(len(vocabulary))])
				}
				name := fmt.Sprintf("n%d.md", r.IntN(40))
				change[name] = "# " + text[0] + "\n" + strings.Join(text, " ") + " #t/" + text[1]
				notes[name] = change[name]
			}
			gone := fmt.Sprintf("n%d.md", r.IntN(40))
			if _, ok := change[gone]; ok {
				gone = "none.md"
			}
			delete(notes, gone)
			commit(t, x, change, gone)
			if r.IntN(3) == 0 {
				if _, err := x.Merge(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for more := true; more; {
			var err error
			if more, err = x.Merge(); err != nil {
				t.Fatal(err)
			}
		}
		if len(x.segs) > 3*mergeFan {
			t.Errorf("%d segments are left", len(x.segs))
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		x = open(t, Options{Dir: dir})
		once := open(t, Options{Dir: t.TempDir()})
		commit(t, once, notes)
		for _, w := range vocabulary {
			a, b := scores(t, x, w+" river"), scores(t, once, w+" river")
			if len(a) != len(b) {
				t.Fatalf("%q finds %v, at once %v", w, a, b)
			}
			for name := range a {
				if math.Abs(a[name]-b[name]) > 1e-5 {
					t.Fatalf("%q: %s scores %v, at once %v", w, name, a[name], b[name])
				}
			}
			var tagged [2]int
			for i, x := range []*Index{x, once} {
				look(t, x, func(v *View) {
					for _, ok := range v.Allowed(Filter{Tag: "t/" + w}) {
						if ok {
							tagged[i]++
						}
					}
				})
			}
			if tagged[0] != tagged[1] {
				t.Fatalf("tag %q has %d pieces, at once %d", w, tagged[0], tagged[1])
			}
		}
		if x.Count() != len(notes) {
			t.Errorf("%d notes, want %d", x.Count(), len(notes))
		}
	}
}

// What is edited or removed while segments are merged stays so.
func TestChangesDuringAMerge(t *testing.T) {
	dir := t.TempDir()
	x := open(t, Options{Dir: dir})
	for i := range mergeFan {
		commit(t, x, map[string]string{fmt.Sprintf("n%d.md", i): fmt.Sprintf("first%dx shared", i)})
	}
	old, dead, name := x.beginMerge()
	if len(old) != mergeFan {
		t.Fatalf("%d segments are to be merged", len(old))
	}
	table, moved := mergeTable(old, dead)
	commit(t, x, map[string]string{"n1.md": "second1x shared"}, "n2.md")
	added, err := x.writeSegment(name, table)
	if err := x.finishMerge(old, dead, moved, added, err); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for query, want := range map[string]int{"shared": mergeFan - 1, "first1x": 0, "second1x": 1, "first2x": 0, "first3x": 1} {
			if got := scores(t, x, query); len(got) != want {
				t.Errorf("%q finds %v", query, got)
			}
		}
		x.Close()
		x = open(t, Options{Dir: dir})
	}
}

func TestAnotherWayOfCuttingMakesAllAnew(t *testing.T) {
	dir := t.TempDir()
	x := open(t, Options{Dir: dir})
	commit(t, x, map[string]string{"a.md": "x"})
	x.Close()
	if x = open(t, Options{Dir: dir}); x.Count() != 1 {
		t.Errorf("%d notes after opening again", x.Count())
	}
	x.Close()
	if x = open(t, Options{Dir: dir, Chunking: chunk.Options{Size: 500}}); x.Count() != 0 {
		t.Errorf("%d notes that were cut in another way", x.Count())
	}
}

// synthetic vectors come in clusters, as those of texts do.
func synthetic(r *rand.Rand, n, dim int) [][]float32 {
	centres := make([][]float32, 50)
	for i := range centres {
		centres[i] = make([]float32, dim)
		for j := range centres[i] {
			centres[i][j] = float32(r.NormFloat64())
		}
	}
	all := make([][]float32, n)
	for i := range all {
		w := make([]float32, dim)
		centre := centres[r.IntN(len(centres))]
		for j := range w {
			w[j] = centre[j] + 1.2*float32(r.NormFloat64())
		}
		all[i] = normal(w)
	}
	return all
}

// fill puts n notes of one piece with vectors into an index.
func fill(t testing.TB, x *Index, n int, made [][]float32, text func(i int) string) {
	t.Helper()
	var docs []Doc
	keys := map[chunk.Hash][][]float32{}
	for i := range n {
		d := Read(fmt.Sprintf("f%d/n%d.md", i%50, i), []byte(text(i)), chunk.Options{})
		docs = append(docs, d)
		keys[d.Pieces[0].Key] = [][]float32{made[i]}
		if len(docs) == 2000 || i == n-1 {
			if err := x.Commit(docs, nil); err != nil {
				t.Fatal(err)
			}
			if err := x.AddVectors(keys); err != nil {
				t.Fatal(err)
			}
			docs, keys = nil, map[chunk.Hash][][]float32{}
		}
	}
}

func TestVectorsAreFoundAsExactlyAsByFloats(t *testing.T) {
	const n, dim, queries, k = 5000, 384, 100, 20
	r := rand.New(rand.NewPCG(3, 4))
	made := synthetic(r, n+queries, dim)
	x := open(t, Options{Dir: t.TempDir(), Embedder: "synthetic", Dim: dim})
	fill(t, x, n, made, func(i int) string { return fmt.Sprintf("text %d", i) })
	hits := 0
	look(t, x, func(v *View) {
		for _, query := range made[n:] {
			near, err := v.Near(query)
			if err != nil {
				t.Fatal(err)
			}
			got := topBy(v.Pieces(), 60, func(p int) float32 { return near.Cosine[p] })
			exact := map[int]float32{}
			for i, c := range exactly(t, near, got...) {
				exact[got[i]] = c
			}
			slices.SortFunc(got, func(a, b int) int { return cmp.Compare(exact[b], exact[a]) })
			want := topBy(v.Pieces(), k, func(p int) float32 {
				var i int
				_, _ = fmt.Sscanf(v.Piece(p).Note.Title, "n%d", &i)
				return dot(query, made[i])
			})
			for _, p := range got[:k] {
				if slices.Contains(want, p) {
					hits++
				}
			}
		}
	})
	if hits != queries*k {
		t.Errorf("recall %.4f", float64(hits)/(queries*k))
	}
}

func exactly(t *testing.T, near *Near, pieces ...int) []float32 {
	t.Helper()
	cosines, err := near.Exact(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return cosines
}

func topBy(n, k int, score func(int) float32) []int {
	all, value := make([]int, n), make([]float32, n)
	for i := range all {
		all[i], value[i] = i, score(i)
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	return all[:k]
}

func TestTheBestWindowCounts(t *testing.T) {
	x := open(t, Options{Dir: t.TempDir(), Embedder: "e", Dim: 3})
	commit(t, x, map[string]string{"a.md": "alpha", "b.md": "beta", "c.md": "no vector"})
	key := func(name, text string) chunk.Hash { return Read(name, []byte(text), chunk.Options{}).Pieces[0].Key }
	err := x.AddVectors(map[chunk.Hash][][]float32{
		key("a.md", "alpha"): {{0, 5, 0}, {1, 0, 0}},
		key("b.md", "beta"):  {{1, 0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	look(t, x, func(v *View) {
		near, err := v.Near([]float32{0, 2, 0})
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range []float32{1, 0, None} {
			if got := exactly(t, near, p)[0]; got != want {
				t.Errorf("piece %d is %v near, want %v", p, got, want)
			}
			if got := near.Cosine[p]; math.Abs(float64(got-want)) > 0.02 {
				t.Errorf("piece %d is about %v near, want %v", p, got, want)
			}
		}
	})
	for name, bad := range map[string][]float32{"short": {1}, "no number": {1, 2, float32(math.NaN())}} {
		if err := x.AddVectors(map[chunk.Hash][][]float32{{1}: {bad}}); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestVectorsOfTextsThatAreGoneAreDropped(t *testing.T) {
	const n, dim = 4*blockRows + 100, 8
	dir := t.TempDir()
	o := Options{Dir: dir, Embedder: "e", Dim: dim}
	x := open(t, o)
	made := synthetic(rand.New(rand.NewPCG(1, 1)), n, dim)
	fill(t, x, n, made, func(i int) string { return fmt.Sprintf("text %d", i) })
	var gone []string
	for i := 100; i < n; i++ {
		gone = append(gone, fmt.Sprintf("f%d/n%d.md", i%50, i))
	}
	if err := x.Commit(nil, gone); err != nil {
		t.Fatal(err)
	}
	x.Close()
	x = open(t, o)
	if x.vec.rows != 100 {
		t.Errorf("%d vectors are left", x.vec.rows)
	}
	if missing := x.Waiting(); missing != 0 {
		t.Errorf("%d are missing", missing)
	}
	look(t, x, func(v *View) {
		near, err := v.Near(made[42])
		if err != nil {
			t.Fatal(err)
		}
		best := topBy(v.Pieces(), 1, func(p int) float32 { return near.Cosine[p] })[0]
		if got := v.Piece(best).Note.Title; got != "n42" {
			t.Errorf("the nearest to its own vector is %s", got)
		}
	})
}

func TestFingerprints(t *testing.T) {
	print := func(text string) []byte {
		set := map[string]uint32{}
		words.Each(text, func(w words.Word) { set[w.Text]++ })
		p := fingerprint(set)
		return p[:]
	}
	a := print("the quick brown fox jumps over the lazy dog near the river bank at dawn while birds sing")
	b := print("the quick brown fox jumps over the lazy cat near the river bank at dusk while birds sing")
	c := print("completely different content about databases indexes segments postings and vectors")
	if same, near, far := Alike(a, a), Alike(a, b), Alike(a, c); same != 1 || near < 0.5 || near >= 1 || far > 0.2 {
		t.Errorf("same %v, near %v, far %v", same, near, far)
	}
	if got := Alike(print(""), print("")); got != 0 {
		t.Errorf("nothing is like nothing: %v", got)
	}
}

// A segment with bytes that are wrong is refused or read as something else, but never harms.
func TestDamagedSegments(t *testing.T) {
	x := open(t, Options{Dir: t.TempDir()})
	commit(t, x, map[string]string{"a.md": "# A\nhello world #tag", "b.md": "more words here"})
	whole := x.segs[0].data
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		data := slices.Clone(whole)
		for range 1 + r.IntN(4) {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 {
			data = data[:headerBytes+r.IntN(len(data)-headerBytes)]
		}
		binary.LittleEndian.PutUint32(data[headerBytes-4:], crc32.ChecksumIEEE(data[:headerBytes-4]))
		s := &segment{name: "damaged", data: data}
		if s.unpack() != nil {
			continue
		}
		v := &View{segs: []*segment{s}, base: []int{0}, pieces: s.pieces(), live: s.live, volume: s.volume}
		v.Words("hello words")
		v.Names("a")
		v.Allowed(Filter{Tag: "tag"})
		for p := range s.pieces() {
			v.Piece(p)
		}
		mergeInto(s)
	}
}

func mergeInto(s *segment) {
	t, _ := mergeTable([]*segment{s}, [][]bool{s.dead})
	_ = t.writeTo(io.Discard)
}
