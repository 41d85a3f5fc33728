package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	tests := []struct {
		query string
		want  []string
	}{
		{"", nil},
		{" .,; ", nil},
		{"Hello, WORLD hello", []string{"hello", "world"}},
		{"Café naïve Ångström", []string{"cafe", "naive", "angstrom"}},
		{"cafe\u0301", []string{"cafe"}},
		{"don't the dog's dogs’", []string{"dont", "the", "dog", "dogs"}},
		{"'quoted' o'clock", []string{"quoted", "oclock"}},
		{"snake_case v1.2 ABC-12", []string{"snake", "case", "v1", "2", "abc", "12"}},
		{"東京都", []string{"東京", "京都"}},
		{"駅", []string{"駅"}},
		{"東京 駅", []string{"東京", "駅"}},
		{"ｶﾀｶﾅ", []string{"カタ", "タカ", "カナ"}},
		{"서울시", []string{"서울", "울시"}},
		{"Москва ЙОГА", []string{"москва", "йога"}},
		{"हिन्दी", []string{"हिन्दी"}},
		{"ﬁne ²", []string{"fine", "2"}},
		{"🎉party", []string{"🎉", "party"}},
		{"mixed日本text", []string{"mixed", "日本", "text"}},
		{strings.Repeat("a", 100), []string{strings.Repeat("a", 64)}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Of(tt.query)); diff != "" {
			t.Errorf("%q: %s", tt.query, diff)
		}
	}
}

func TestStem(t *testing.T) {
	for _, tt := range []struct {
		lang     Lang
		one, two string
		same     bool
	}{
		{English, "running", "runs", true},
		{English, "houses", "house", true},
		{English, "university", "universe", true}, // its known flaw: why literal words count too
		{English, "cat", "dog", false},
		{Dutch, "fietsen", "fiets", true},
		{Dutch, "boeken", "boek", true},
		{Dutch, "lopende", "lopend", true},
		{Unknown, "runs", "run", false},
		{English, "x1s", "x1", false},
	} {
		if got := tt.lang.Stem(tt.one) == tt.lang.Stem(tt.two); got != tt.same {
			t.Errorf("%s: %q is %q and %q is %q", tt.lang, tt.one, tt.lang.Stem(tt.one), tt.two, tt.lang.Stem(tt.two))
		}
	}
}

func TestKey(t *testing.T) {
	for name, want := range map[string]string{"My  Note!": "my note", "2024-01-02": "2024 01 02", "東京": "東京", "---": "---"} {
		if got := Key(name); got != want {
			t.Errorf("Key(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"", "a'b 東京 x\xff", "e\u0301 ’s ﬁ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		Each(text, func(w Word) {
			if w.Start < 0 || w.End <= w.Start || w.End > len(text) {
				t.Fatalf("%q at %d–%d of %d", w.Text, w.Start, w.End, len(text))
			}
			if !utf8.ValidString(w.Text) {
				t.Fatalf("%q is not UTF-8", w.Text)
			}
			for _, l := range Languages {
				l.Stem(w.Text)
			}
			if again := Of(w.Text); !w.Part && len(again) == 0 && w.Text != "" {
				t.Fatalf("%q is no word of itself", w.Text)
			}
		})
		Guess(text)
		Key(text)
	})
}
