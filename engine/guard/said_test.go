package guard_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rein/engine/guard"
)

// TestSaidIsNotChanged keeps what a stream has said at each step, without copying it: it is what came out, and stays so
// whatever the stream takes out of the text behind it.
//
// Plain: one goroutine reads texts.
func TestSaidIsNotChanged(t *testing.T) {
	parts := []string{"plain words ", "sk-" + strings.Repeat("aB3", 16) + " ", "password: hunter2hunter2 ", "é😀", "AKIAIOSFODNN7EXAMPLE ", strings.Repeat("long ", 400), "-----BEGIN RSA PRIVATE KEY-----\n"}
	hidden := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		stream := (*guard.Redactor)(nil).Stream()
		var out strings.Builder
		type kept struct {
			said []byte
			was  string
		}
		var all []kept
		see := func(text string) {
			out.WriteString(text)
			said := stream.Said()
			if string(said) != out.String() {
				t.Fatalf("seed %d: said is %.200q, and %.200q came out", seed, said, out.String())
			}
			all = append(all, kept{said, string(said)})
		}
		for range 20 {
			text := parts[r.IntN(len(parts))]
			for text != "" {
				n := 1 + r.IntN(len(text))
				see(stream.Write(text[:n]))
				text = text[n:]
			}
		}
		if r.IntN(2) == 0 {
			see(stream.Close())
		} else {
			see(stream.Cut())
		}
		hidden += len(stream.Kinds())
		for i, k := range all {
			if string(k.said) != k.was {
				t.Fatalf("seed %d: what was said at step %d has changed", seed, i)
			}
		}
	}
	if hidden == 0 {
		t.Error("no secret was taken out: this shows nothing")
	}
}
