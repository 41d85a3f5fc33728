package vault

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/vault/index"
	"rein/vault/rank"
)

var garden = map[string]string{
	"Projects/garden.md":    "---\ntags: [home/outdoor]\naliases: [Green plan]\n---\n# Garden\nThe garden needs watering in summer. Tomatoes and beans grow along the wall, and the compost heap is turned in spring before anything is planted out.\n",
	"Projects/bikes.md":     "# Bikes\nThe bicycle chain must be oiled. #repair/bike The brakes were replaced last year, and the lamp at the front still flickers when the road is wet and bumpy.\n",
	"Proj/secret.md":        "# Other\nThe garden of another project, which is only here so that a folder with a shorter name exists, and it mentions watering too.\n",
	"Journal/2024.md":       "# Day\nWe planted tomatoes. It rained, and the beans had drowned by the end of the week, which was a pity after all the work that went into them.\n",
	"Dagboek/fietsen.md":    "# Fietsen\nWe hebben de fietsen gerepareerd en daarna een lange tocht gemaakt langs het kanaal, met de wind in de rug en de zon in het gezicht.\n",
	"Journal/wifi.md":       "wifi zebra",
	"Scripts/日本.md":         "# 東京\n東京都に住んでいます。新宿駅の近くです。\n",
	"Scripts/Ελληνικά.md":   "# Αθήνα\nΗ Αθήνα είναι η πρωτεύουσα της Ελλάδας και έχει πολλούς κατοίκους.\n",
	"Scripts/العربية.md":    "القاهرة عاصمة مصر\n",
	"Scripts/emoji 🎉.md":    "party 🎉 time\n",
	"Scripts/with space.md": "nothing much\n",
}

// Covers: HUM-20 HUM-24
func TestSearchShape(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	found := r.find(Query{Texts: []string{"watering the garden"}, Explain: true})
	if len(found.Hits) == 0 || found.Hits[0].Path != "Projects/garden.md" || found.Hits[0].Section != "Garden" {
		t.Fatalf("hits %v", paths(found))
	}
	if found.Took < 0 || len(found.Notices) > 0 {
		t.Errorf("took %v, notices %q", found.Took, found.Notices)
	}
	for _, h := range found.Hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score <= 0 || len([]rune(h.Snippet)) > maxSnippet || h.Snippet == "" {
			t.Errorf("hit %+v", h)
		}
		if math.Abs(h.Why.Score()-h.Score) > 1e-9 {
			t.Errorf("%s scores %v and is explained as %v", h.Path, h.Score, h.Why.Score())
		}
	}
	raw, _ := json.Marshal(found.Hits[0])
	for _, field := range []string{`"path":`, `"section":`, `"score":`, `"snippet":`} {
		if !strings.Contains(string(raw), field) {
			t.Errorf("a hit has no %s: %s", field, raw)
		}
	}
	if strings.Contains(found.Hits[0].Snippet, "aliases") {
		t.Errorf("front matter in the snippet %q", found.Hits[0].Snippet)
	}
}

// Covers: HUM-21 HUM-22 TAB-B10
func TestWrongAndLargeQueries(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	for name, q := range map[string]Query{
		"none":            {},
		"blank":           {Texts: []string{"", " \n\t"}},
		"k zero":          {Texts: []string{"a"}, K: ptr(0)},
		"k negative":      {Texts: []string{"a"}, K: ptr(-3)},
		"lambda too high": {Texts: []string{"a"}, Lambda: ptr(1.5)},
		"lambda none":     {Texts: []string{"a"}, Lambda: ptr(math.NaN())},
	} {
		if _, err := r.Search(t.Context(), q); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	found := r.find(Query{Texts: []string{"garden"}, K: ptr(1000)})
	if len(found.Notices) != 1 || !strings.Contains(found.Notices[0], "100 was used") {
		t.Errorf("notices %q", found.Notices)
	}
	if got := len(r.find(Query{Texts: []string{"garden tomatoes chain"}, K: ptr(2)}).Hits); got != 2 {
		t.Errorf("k 2 gave %d", got)
	}
	found = r.find(Query{Texts: []string{strings.Repeat("garden ", 10000)}})
	if len(found.Hits) == 0 || len(found.Notices) != 1 {
		t.Errorf("a very long query: %d hits, notices %q", len(found.Hits), found.Notices)
	}
}

// Covers: HUM-21 TAB-B10
func TestSeveralQueriesMergeByBestScore(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	texts := []string{"garden", "watering in summer", "tomatoes"}
	best := map[string]float64{}
	for _, text := range texts {
		for _, h := range r.find(Query{Texts: []string{text}, Lambda: ptr(1.0)}).Hits {
			best[h.Path] = max(best[h.Path], h.Score)
		}
	}
	got := map[string]float64{}
	for _, h := range r.find(Query{Texts: append(texts, " garden ", "tomatoes"), Lambda: ptr(1.0)}).Hits {
		if _, twice := got[h.Path]; twice {
			t.Errorf("%s stands there twice", h.Path)
		}
		got[h.Path] = h.Score
	}
	if diff := cmp.Diff(best, got); diff != "" {
		t.Error(diff)
	}
}

// Covers: HUM-23 TAB-B10
func TestFilters(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	tests := []struct {
		filter index.Filter
		want   []string
	}{
		{index.Filter{Folder: "Proj"}, []string{"Proj/secret.md"}},
		{index.Filter{Folder: "/Projects/"}, []string{"Projects/bikes.md", "Projects/garden.md"}},
		{index.Filter{Folder: "./Projects//"}, []string{"Projects/bikes.md", "Projects/garden.md"}},
		{index.Filter{Folder: "Nowhere"}, []string{}},
		{index.Filter{Tag: "home"}, []string{"Projects/garden.md"}},
		{index.Filter{Tag: "#home/outdoor"}, []string{"Projects/garden.md"}},
		{index.Filter{Tag: "Repair"}, []string{"Projects/bikes.md"}},
		{index.Filter{Tag: "hom"}, []string{}},
		{index.Filter{Tag: "outdoor"}, []string{}},
		{index.Filter{Tag: "repair/bike", Folder: "Projects"}, []string{"Projects/bikes.md"}},
		{index.Filter{Tag: "repair/bike", Folder: "Journal"}, []string{}},
	}
	for _, tt := range tests {
		got := paths(r.find(Query{Texts: []string{"the garden and the bicycle chain"}, Filter: tt.filter}))
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v: %s", tt.filter, diff)
		}
	}
	all := len(r.find(Query{Texts: []string{"the garden and the bicycle chain"}}).Hits)
	for _, none := range []string{"", "/", ".", "./"} {
		if got := len(r.find(Query{Texts: []string{"the garden and the bicycle chain"}, Filter: index.Filter{Folder: none}}).Hits); got != all || all < 4 {
			t.Errorf("folder %q gave %d of %d", none, got, all)
		}
	}
}

// Covers: HUM-25
func TestNothingFoundAndNothingThere(t *testing.T) {
	empty := newRig(t, nil, Options{Embedder: newBag()})
	if found := empty.find(Query{Texts: []string{"anything"}}); len(found.Hits) != 0 {
		t.Errorf("found %v in an empty vault", paths(found))
	}
	r := newRig(t, garden, Options{Embedder: newBag()})
	if found := r.find(Query{Texts: []string{"xylophone quux"}}); len(found.Hits) != 0 {
		t.Errorf("found %v", paths(found))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Search(t.Context(), Query{Texts: []string{"garden"}}); rein.CodeOf(err) != rein.CodeUnavailable {
		t.Errorf("search without an index: %v", err)
	}
}

// Covers: HUM-25
func TestWithoutVectorsWordsAreSearchedAndItIsSaid(t *testing.T) {
	down := newBag()
	r := newRig(t, garden, Options{Embedder: down})
	down.fail(errDown)
	for name, r := range map[string]*rig{"down": r, "none": newRig(t, garden, Options{})} {
		found := r.find(Query{Texts: []string{"oiled chain"}})
		if len(found.Hits) == 0 || found.Hits[0].Path != "Projects/bikes.md" || len(found.Notices) != 1 || !strings.Contains(found.Notices[0], "words only") {
			t.Errorf("%s: %v, notices %q", name, paths(found), found.Notices)
		}
	}
	r = newRig(t, garden, Options{Embedder: down})
	if s := r.Status(); s.Missing == 0 || len(s.Notices) != 1 {
		t.Errorf("status %+v", s)
	}
	missing := r.Status().Missing
	r.write("Journal/wifi.md", "another text, which waits in place of the first")
	r.sync()
	if got := r.Status().Missing; got != missing {
		t.Errorf("%d passages wait after an edit, %d before", got, missing)
	}
	down.fail(nil)
	r.wakeEmbedder()
	<-quietOf(r)
	r.sync()
	if s := r.Status(); s.Missing != 0 || len(s.Notices) != 0 {
		t.Errorf("status when it works again %+v", s)
	}
}

func quietOf(r *rig) chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.embedErr == nil {
		done := make(chan struct{})
		close(done)
		return done
	}
	return r.quiet
}

func TestWordsOfAllKinds(t *testing.T) {
	r := newRig(t, garden, Options{})
	for query, want := range map[string]string{
		"bicycles":                              "Projects/bikes.md", // English stem
		"fiets":                                 "Dagboek/fietsen.md",
		"repareren":                             "",
		"東京都":                                   "Scripts/日本.md",
		"新宿":                                    "Scripts/日本.md",
		"駅":                                     "Scripts/日本.md",
		"αθηνα":                                 "",
		"ΑΘΉΝΑ":                                 "Scripts/Ελληνικά.md",
		"القاهرة":                               "Scripts/العربية.md",
		"🎉":                                     "Scripts/emoji 🎉.md",
		"green plan":                            "Projects/garden.md",
		"#repair":                               "Projects/bikes.md",
		"home/outdoor":                          "Projects/garden.md",
		"with space":                            "Scripts/with space.md",
		"garden's":                              "Projects/garden.md",
		"what about the green plan for spring?": "Projects/garden.md",
	} {
		found := r.find(Query{Texts: []string{query}})
		got := ""
		if len(found.Hits) > 0 {
			got = found.Hits[0].Path
		}
		if got != want {
			t.Errorf("%q found %q first of %v, want %q", query, got, paths(found), want)
		}
	}
}

// Covers: HUM-54/notes TAB-B10
func TestShortPiecesRankLowerAndStay(t *testing.T) {
	notes := map[string]string{
		"long.md":  "zebra " + strings.Repeat("plain words follow here ", 10),
		"short.md": "zebra plain words",
	}
	r := newRig(t, notes, Options{})
	with := paths(r.find(Query{Texts: []string{"zebra"}}))
	without := paths(r.find(Query{Texts: []string{"zebra"}, Short: ptr(0)}))
	if diff := cmp.Diff([]string{"short.md", "long.md"}, without); diff != "" {
		t.Errorf("without a penalty: %s", diff)
	}
	if diff := cmp.Diff([]string{"long.md", "short.md"}, with); diff != "" {
		t.Errorf("with one: %s", diff)
	}
	all := newRig(t, map[string]string{"a.md": "zebra", "b.md": "zebra zoo", "c.md": "zebra x y"}, Options{})
	if got := len(all.find(Query{Texts: []string{"zebra"}, K: ptr(99)}).Hits); got != 3 {
		t.Errorf("of three short ones %d were found", got)
	}
}

// Covers: HUM-53/notes TAB-B10
func TestLambda(t *testing.T) {
	notes := map[string]string{}
	for i := range 4 {
		notes[fmt.Sprintf("same%d.md", i)] = "The heron fishes at the pond every morning, and the heron waits for a long time without moving at all, which is why people think of it as patient and a little bit dull as well.\n"
	}
	notes["other1.md"] = "A heron was seen near the bridge, which the workers had just painted green, and it flew away over the roofs when the first lorry came around the corner with its load of timber.\n"
	notes["other2.md"] = "Birds of the town: sparrow, crow, pigeon, gull and now and then a heron. They like the market, where bread is dropped, and the harbour with its fish crates and its idle nets.\n"
	r := newRig(t, notes, Options{Embedder: newBag()})
	order := func(lambda float64) []string {
		return paths(r.find(Query{Texts: []string{"heron at the pond"}, Lambda: &lambda}))
	}
	scored := r.find(Query{Texts: []string{"heron at the pond"}, Lambda: ptr(1.0)})
	if !slices.IsSortedFunc(scored.Hits, func(a, b Hit) int { return int(math.Copysign(1, b.Score-a.Score)) * boolInt(a.Score != b.Score) }) {
		t.Errorf("lambda 1 is not the order of scores: %v", scored.Hits)
	}
	for _, lambda := range []float64{0, 0.5} {
		if got := order(lambda)[:3]; !slices.Contains(got, "other1.md") || !slices.Contains(got, "other2.md") {
			t.Errorf("lambda %v repeats a text before others: %v", lambda, order(lambda))
		}
	}
	if len(order(0)) != 6 {
		t.Errorf("lambda 0 lost something: %v", order(0))
	}
}

// Texts that differ by a word repeat each other too.
func TestNearlyTheSameTextIsARepetition(t *testing.T) {
	notes := map[string]string{"other.md": "A heron was seen near the bridge, which the workers had just painted green, and it flew away over the roofs when the first lorry came around the corner with its load of timber.\n"}
	for i := range 3 {
		notes[fmt.Sprintf("same%d.md", i)] = fmt.Sprintf("The heron fishes at the pond every morning, and the heron waits for a long time without moving at all, which is why people think of it as patient and a little bit dull as well, on day %d.\n", i)
	}
	for name, o := range map[string]Options{"vectors": {Embedder: newBag()}, "words": {}} {
		r := newRig(t, notes, o)
		if got := paths(r.find(Query{Texts: []string{"heron at the pond"}, Lambda: ptr(0.0)})); got[1] != "other.md" {
			t.Errorf("by %s: %v", name, got)
		}
	}
}

// A paragraph is a normal question: a word that it says again counts again, words at its end count as
// those at its beginning, and so does what its end means.
func TestAParagraphIsANormalQuestion(t *testing.T) {
	filler := func(of string) string {
		return strings.Repeat("Here follows a sentence about "+of+" and nothing else. ", 6)
	}
	notes := map[string]string{
		"heron.md": "# Birds\n" + filler("the heron"), "otter.md": "# Mammals\n" + filler("the otter"),
		"pike.md": "# Fish\n" + filler("the pike"), "newt.md": "# Newts\n" + filler("the newt"),
	}
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("plain%d", i))
		notes[fmt.Sprintf("plain%d.md", i)] = filler(fmt.Sprintf("plain%d", i))
	}
	embedder := newBag()
	for name, o := range map[string]Options{"words": {}, "both": {Embedder: embedder}} {
		r := newRig(t, notes, o)
		again := "I saw the otter once. Then the heron came, and the pike and the newt. The heron stood there, and how does a heron fish?"
		if got := paths(r.find(Query{Texts: []string{again}})); got[0] != "heron.md" {
			t.Errorf("%s: what is said three times comes after %v", name, got[:2])
		}
		end := strings.Join(many, " ") + " pike pike pike"
		if got := paths(r.find(Query{Texts: []string{end}})); got[0] != "pike.md" {
			t.Errorf("%s: the end of a long question does not count: %v", name, got[:2])
		}
	}
	r := newRig(t, notes, Options{Embedder: embedder})
	before := embedder.count()
	r.find(Query{Texts: []string{strings.Repeat("the heron at the pond ", 80)}})
	if got := embedder.count() - before; got != 2 {
		t.Errorf("a question of 1,760 characters was embedded in %d parts, want 2", got)
	}
	r = newRig(t, notes, Options{Embedder: embedder, Brief: func(text string) string { return text[:20] + " " + text[len(text)-20:] }})
	before = embedder.count()
	r.find(Query{Texts: []string{strings.Repeat("the heron at the pond ", 80)}})
	if got := embedder.count() - before; got != 1 {
		t.Errorf("a question that is made brief was embedded in %d parts, want 1", got)
	}
}

// The quick sum that picks candidates is the one that is explained.
func TestQuickScoresAreTheExplainedOnes(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag()})
	vectors, err := r.embedder.Embed(t.Context(), []string{"the garden of bikes"})
	if err != nil {
		t.Fatal(err)
	}
	err = r.index.Look(func(view *index.View) error {
		allowed := view.Allowed(index.Filter{})
		for _, vector := range [][]float32{vectors[0], nil} {
			o, err := newOne(view, "the garden of bikes zebra", vector)
			if err != nil {
				return err
			}
			for piece, got := range o.scores(view, allowed, DefaultShort) {
				p, ok := o.parts(piece)
				p.Short = rank.Shortness(view.Size(piece), DefaultShort)
				want := p.Score()
				if !ok {
					want = none
				}
				if math.Abs(want-float64(got)) > 1e-6 {
					t.Errorf("%s scores %v, explained as %v", view.Piece(piece).Note.Path, got, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestExplain(t *testing.T) {
	r := newRig(t, garden, Options{Embedder: newBag(), Exclude: []string{"Journal"}})
	r.write("pic.png", "x")
	r.write("bad.md", "a\x00b")
	r.sync()
	found := r.find(Query{
		Texts: []string{"garden watering"}, K: ptr(1), Filter: index.Filter{Folder: "/"},
		About: []string{"Projects/garden.md", "Proj/secret.md", "Journal/2024.md", "pic.png", "bad.md", "nope.md", "Scripts/日本.md"},
	})
	for i, want := range []string{"hit 1 of 1", "number 2 by score", "in an excluded folder", "not Markdown", "binary", "no such note", "no word of the query"} {
		if a := found.About[i]; !strings.Contains(a.Says, want) {
			t.Errorf("about %s: %q, want %q", a.Path, a.Says, want)
		}
	}
	filtered := r.find(Query{Texts: []string{"garden"}, Filter: index.Filter{Tag: "repair"}, About: []string{"Projects/garden.md", "Projects/bikes.md"}})
	for i, want := range []string{"does not pass the filter", "no word of the query"} {
		if got := filtered.About[i].Says; !strings.Contains(got, want) {
			t.Errorf("with a filter: %q, want %q", got, want)
		}
	}
	if a := found.About[1]; a.Rank != 2 || a.Why == nil || a.Why.Words <= 0 {
		t.Errorf("about the second: %+v", a)
	}
	if len(found.Terms) != 2 {
		t.Errorf("terms %+v", found.Terms)
	}
}

// What an earlier vault indexed is not found once its folder is excluded, not even before the first
// look through the folder.
//
// Covers: HUM-41/notes
func TestFoldersExcludedLaterAreGoneAtOnce(t *testing.T) {
	r := newRig(t, garden, Options{})
	r.Close()
	x, err := index.Open(index.Options{Dir: r.idx})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	f, err := newFolder(r.folder.root, nil, []string{"projects"})
	if err != nil {
		t.Fatal(err)
	}
	v := &Vault{folder: f, index: x}
	if err := v.dropRefused(); err != nil {
		t.Fatal(err)
	}
	if left := x.Below("Projects"); len(left) > 0 || x.Count() != len(garden)-2 {
		t.Errorf("left are %v, %d in all", left, x.Count())
	}
}

// Searches share the memory that they work in, one after the other: what one left there is nothing to
// the next, and no two have the same.
func TestSearchesAtOnceFindTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	notes := map[string]string{}
	for i := range 300 {
		notes[fmt.Sprintf("f%d/n%d.md", i%7, i)] = planted(r, i)
	}
	v := newRig(t, notes, Options{Embedder: newBag()})
	queries := []Query{
		{Texts: []string{"quixo3tic"}},
		{Texts: []string{"w1 w2 w3", "w4"}},
		{Texts: []string{"note about w5"}, Filter: index.Filter{Folder: "f3"}},
		{Texts: []string{prose(r, 150)}, K: ptr(50)},
		{Texts: []string{"nothing of the kind"}},
	}
	want := make([]Results, len(queries))
	for i, q := range queries {
		want[i] = v.find(q)
		want[i].Took = 0
	}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range queries {
				i = (i + n) % len(queries)
				got, err := v.Search(t.Context(), queries[i])
				got.Took = 0
				if diff := cmp.Diff(want[i], got, cmpopts.IgnoreUnexported(Hit{})); err != nil || diff != "" {
					t.Errorf("%.30q finds something else beside others: %v\n%s", queries[i].Texts, err, diff)
				}
			}
		})
	}
	all.Wait()
}
