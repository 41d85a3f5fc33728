package edit_test

import (
	"runtime"
	"strings"
	"testing"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

// 100,000 characters, as one line, in pieces that are too short for a label.
func filled() *edit.Input {
	i := edit.New(look.New(true), nil)
	for range 200 {
		i.Paste(strings.Repeat("words and wörter ", 30)[:500])
	}
	return i
}

// BenchmarkKey is a key and what is drawn after it, in a text of 100,000 characters and in a short one.
func BenchmarkKey(b *testing.B) {
	for name, make := range map[string]func() *edit.Input{"long": filled, "short": func() *edit.Input { return newInput() }} {
		for _, where := range []string{"end", "ctrl+home"} {
			b.Run(name+"/"+where, func(b *testing.B) {
				i := make()
				i.Key(press(where))
				b.ReportAllocs()
				for b.Loop() {
					i.Key(press("a"))
					i.Rows(80, 8)
					i.Key(press("backspace"))
				}
			})
		}
	}
}

// Plain: it counts allocated bytes.
//
// A key in a long text costs what it changes: neither the text nor its rows are made again.
func TestKeysInALongText(t *testing.T) {
	i := filled()
	i.Rows(80, 8)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const keys = 200
	for range keys {
		i.Key(press("a"))
		i.Rows(80, 8)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / keys; each > 100_000 {
		t.Errorf("a key in a text of 100,000 characters allocates %d bytes", each)
	}
}

// BenchmarkPieces is how long it takes until 100,000 characters are in the input.
func BenchmarkPieces(b *testing.B) {
	for b.Loop() {
		filled().Rows(80, 8)
	}
}

// BenchmarkLetters is the same from a terminal that sends a paste as keys.
func BenchmarkLetters(b *testing.B) {
	for b.Loop() {
		i := edit.New(look.New(true), nil)
		for range 100_000 {
			i.Key(press("a"))
		}
		i.Rows(80, 8)
	}
}
