package sent_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rein/model/sent"
)

// TestText writes several texts and shows some of their pieces: whoever keeps what is shown, they are the same.
func TestText(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var shown strings.Builder
		want := make([]strings.Builder, 3)
		texts := []sent.Text{{Said: shown.String}, {Said: shown.String}, {}}
		for range r.IntN(12) {
			n, piece := r.IntN(len(texts)), strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(4))
			texts[n].Add(piece, shown.Len())
			want[n].WriteString(piece)
			shown.WriteString(piece)
			if r.IntN(4) == 0 {
				shown.WriteString("what belongs to none")
			}
		}
		for n := range texts {
			if got := texts[n].String(); got != want[n].String() || texts[n].Len() != len(got) {
				t.Fatalf("seed %d: text %d of %q is %q, want %q", seed, n, shown.String(), got, want[n].String())
			}
		}
	}
}

// TestTextOfACallThatIsOver has nothing, and does not fail.
func TestTextOfACallThatIsOver(t *testing.T) {
	text := sent.Text{Said: func() string { return "" }}
	text.Add("gone", 0)
	if got := text.String(); got != "" {
		t.Errorf("it is %q", got)
	}
}
