package minilm

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// pieces shows a text by its tokens: the bytes each stands for, with a bar before what begins a word.
func pieces(v *vocabulary, text string) string {
	var b strings.Builder
	for token := range v.tokens(text) {
		if token.Word {
			b.WriteString("|")
		} else {
			b.WriteString("-")
		}
		b.WriteString(text[token.Start:token.End])
		if token.ID == v.undivided {
			b.WriteString("?")
		}
	}
	return b.String()
}

func TestTokens(t *testing.T) {
	v := newVocabulary(vocabularyText)
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"space", " \t\r\n\u00a0\u2028 ", ""},
		{"words", "Hello,  World", "|Hello|,|World"},
		{"pieces", "embeddings", "|em-bed-ding-s"},
		{"accents", "Crème BRÛLÉE", "|Cr-ème|BR-ÛLÉ-E"},
		{"accents apart", "cafe\u0301 e\u0301", "|cafe\u0301|e\u0301"},
		{"symbols", "a+b=$5.00", "|a|+|b|=|$|5|.|00"},
		{"Chinese", "会议abc", "|会|议?|abc"},
		{"Korean letters share a syllable", "한국", "|한-한-한-국-국-국"},
		{"unknown", "☃☃ x", "|☃☃?|x"},
		{"control", "ab\x00c \u200bd", "|ab\x00c|d"},
		{"not UTF-8", "a\xff\xfeb", "|a\xff\xfeb"},
		{"special entries are no way in", "[CLS] [SEP][UNK]", "|[|CL-S|]|[|SEP|]|[|UN-K|]"},
		{"hashes", "##ing", "|#|#|ing"},
		{"long word", strings.Repeat("é", 101) + " b", "|" + strings.Repeat("é", 101) + "?|b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := pieces(v, test.text); got != test.want {
				t.Errorf("%q is %q; want %q", test.text, got, test.want)
			}
		})
	}
}

func TestWordsOfUpToHundredCharactersAreDivided(t *testing.T) {
	v := newVocabulary(vocabularyText)
	if got := len(slices.Collect(v.tokens(strings.Repeat("x", 100)))); got < 10 {
		t.Errorf("a word of 100 letters has %d tokens", got)
	}
}

func TestEndlessWordTakesNoMemory(t *testing.T) {
	v := newVocabulary(vocabularyText)
	var got []Token
	s := scanner{vocabulary: v, text: strings.Repeat("x", 1_000_000), yield: func(token Token) bool {
		got = append(got, token)
		return true
	}}
	s.scan()
	if diff := cmp.Diff([]Token{{ID: v.undivided, Start: 0, End: 1_000_000, Word: true}}, got); diff != "" {
		t.Error(diff)
	}
	if cap(s.word) > 1000 || cap(s.origin) > 1000 {
		t.Errorf("the scanner keeps %d bytes of a word", cap(s.word))
	}
}

func TestTokensCanBeLeftEarly(t *testing.T) {
	v := newVocabulary(vocabularyText)
	for _, text := range []string{"embeddings embeddings", "a b c", "☃ ☃", "한국"} {
		for range v.tokens(text) {
			break
		}
	}
}

func FuzzTokens(f *testing.F) {
	v := newVocabulary(vocabularyText)
	for _, seed := range []string{
		"", "Hello, World", "Crème brûlée", "会议记录", "한국어", "\xff\u0301", "a\u0301\u0301b", "ﷺ≠ǖ", "🎉\ufe0f",
		strings.Repeat("x", 300), strings.Repeat("ab ", 200), "\u1fee\u0344\U0002f801",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTokens(t, v, text)
		checkWindows(t, v, text, minWindow-2)
	})
}

// checkTokens: tokens stand for parts of the text, in order, and no part is within a character.
func checkTokens(t *testing.T, v *vocabulary, text string) {
	last := Token{}
	for token := range v.tokens(text) {
		if token.Start < last.Start || token.End < last.End || token.Start >= token.End || token.End > len(text) {
			t.Fatalf("%q: %+v after %+v", text, token, last)
		}
		if token.Word && token.Start < last.End {
			t.Fatalf("%q: word %+v begins within %+v", text, token, last)
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[token.Start:token.End]) {
			t.Fatalf("%q: %+v cuts a character", text, token)
		}
		if token.ID < 0 || token.ID >= words {
			t.Fatalf("%q: there is no token %d", text, token.ID)
		}
		last = token
	}
}
