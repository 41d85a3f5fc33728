package vault

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// noise is an embedder that costs nothing: vectors are drawn, around one of 100 centres.
type noise struct{ centres [][]float32 }

func newNoise() *noise {
	r := rand.New(rand.NewPCG(1, 2))
	n := &noise{}
	for range 100 {
		n.centres = append(n.centres, draw(r, make([]float32, 384), 1))
	}
	return n
}

func draw(r *rand.Rand, around []float32, spread float32) []float32 {
	w := make([]float32, len(around))
	for i := range w {
		w[i] = around[i] + spread*(r.Float32()+r.Float32()+r.Float32()-1.5)
	}
	return w
}

func (n *noise) ID() string { return "noise" }
func (n *noise) Dim() int   { return 384 }

func (n *noise) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var all [][]float32
	for _, text := range texts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), 3))
		all = append(all, draw(r, n.centres[r.IntN(len(n.centres))], 1.2))
	}
	return all, nil
}

// BenchmarkSearch measures the whole hybrid search over 100,000 pieces (REIN_BENCH_PIECES) of 100
// words, and says what making and opening the index took. The embedder costs nothing here.
func BenchmarkSearch(b *testing.B) {
	pieces := 100_000
	if n, err := strconv.Atoi(os.Getenv("REIN_BENCH_PIECES")); err == nil {
		pieces = n
	}
	const perNote = 5
	r := rand.New(rand.NewPCG(4, 5))
	v := &rig{t: b, dir: b.TempDir(), idx: b.TempDir()}
	for i := range pieces / perNote {
		var text strings.Builder
		for s := range perNote {
			fmt.Fprintf(&text, "# Part %d of w%d\n%s\n", s, r.IntN(20_000), prose(r, 100))
		}
		v.write(fmt.Sprintf("f%d/n%d.md", i%100, i), text.String())
	}
	base := rss()
	start := time.Now()
	v.open(Options{Still: true})
	b.Logf("indexed %d notes in %s, %.0f ms per 1,000 notes", pieces/perNote, time.Since(start).Round(time.Millisecond), time.Since(start).Seconds()*1e6/float64(pieces/perNote))
	v.open(Options{Embedder: newNoise(), Still: true, Windows: func(s string) []string { return []string{s} }})
	for more := true; more; {
		more, _ = v.index.Merge()
	}
	v.Close()
	v.Vault = nil
	runtime.GC()
	root, err := os.OpenRoot(v.dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	start = time.Now()
	warm, err := Open(b.Context(), Options{Root: root, Index: v.idx, Embedder: newNoise(), Still: true})
	if err != nil {
		b.Fatal(err)
	}
	defer warm.Close()
	opened := time.Since(start)
	v.Vault = warm
	v.find(Query{Texts: []string{"w17 w230"}})
	b.Logf("opened in %s, first search after %s", opened.Round(100*time.Microsecond), time.Since(start).Round(100*time.Microsecond))
	v.sync()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		query := fmt.Sprintf("what is w%d and w%d in part %d of w%d", r.IntN(20_000), r.IntN(200), i%5, r.IntN(2000))
		found := v.find(Query{Texts: []string{query}})
		if len(found.Hits) != DefaultK {
			b.Fatalf("%d hits", len(found.Hits))
		}
		took = append(took, found.Took)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(rss()-base)/1e6, "rss-MB-above-start")
	b.ReportMetric(0, "ns/op")
}

// rss returns the memory that the process has now, in bytes.
func rss() int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	n, _ := strconv.ParseInt(fields[1], 10, 64)
	return n * int64(os.Getpagesize())
}
