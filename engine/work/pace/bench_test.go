package pace

import (
	"fmt"
	"testing"
)

// A queue of 10,000 calls that are away: how long one more asks.
func BenchmarkTakeBehindMany(b *testing.B) {
	l := New(Limits{}, nil)
	for i := range 10_000 {
		l.Take(acc, mod, one(fmt.Sprint(i), 100))
	}
	for b.Loop() {
		l.Take(acc, mod, one("9999", 100))
	}
}

func BenchmarkTakeAndDone(b *testing.B) {
	l := New(Limits{Requests: 1 << 40, Tokens: 1 << 40}, nil)
	for b.Loop() {
		ticket, _ := l.Take(acc, mod, one("a", 100))
		ticket.Done(90, nil)
	}
}
