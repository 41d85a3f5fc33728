package guard_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rein/engine/guard"
)

// pieces cuts a text at random.
func pieces(r *rand.Rand, text string) []string {
	var out []string
	for text != "" {
		n := 1 + r.IntN(min(len(text), 12))
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

func streamed(r *guard.Redactor, parts []string) string {
	s := r.Stream()
	var out strings.Builder
	var heard []byte
	for _, p := range parts {
		out.WriteString(s.Write(p))
		heard = s.Heard()
	}
	out.WriteString(s.Close())
	if whole := strings.Join(parts, ""); string(heard) != whole || string(s.Heard()) != whole {
		panic("the stream has heard " + string(heard) + " and then " + string(s.Heard()) + ", not " + whole)
	}
	return out.String()
}

// cores are secrets of several shapes, by what of them must never be seen.
var cores = map[string]string{
	github:                             github[6:],
	pem:                                pem[40:90],
	made("sk-", 48):                    made("", 40),
	"AKIA" + "ABCDEFGHIJKLMNOP":        "DEFGHIJKLMNOP",
	"postgres://ann:pw-3Xample@db/x":   "pw-3Xample",
	`password = "hunter2hunter2"`:      "hunter2hunter2",
	"password: correct7horse\n":        "correct7horse",
	"export TOKEN=abc123def456\n":      "abc123def456",
	"12345678:" + made("AA", 33):       made("AA", 33),
	"Authorization: Bearer opensesame": "opensesame",
}

// wordsAround are texts that secrets stand beside, among them what could begin or end one.
var wordsAround = []string{
	" ", "\n", "words of a plain text", ".", "s", "sk-", "é", "\"", "password: ", "-----BEGIN ", "https://", "deep", "again", "herein", "task-", "\\n", "%3D", "%", "\\",
	"[redacted: password]", "[redacted: ", "]", "@", ":", "ghp_", "_", "reinlink", "-----END RSA PRIV" + "ATE KEY-----", "S-12", "34", "case of ", "\xff", "😀",
}

// What was written is there to its end, also when people are shown nothing after a pattern that blocks.
func TestStreamHearsWhatItBlocks(t *testing.T) {
	red := redactor(t, []guard.Pattern{{Name: "case", Regexp: `(?i)case of (\w+)`, Block: true}}, nil)
	for _, parts := range [][]string{{"In the case of Ann", " we say ", "nothing."}, {"In the case of Ann we say nothing."}, {"case ", "of ", strings.Repeat("Ann and ", 2000)}} {
		if out := streamed(red, parts); !strings.Contains(out, "withheld") {
			t.Errorf("%.80q comes out as %.80q", parts, out)
		}
	}
}

// However a text is cut, the same comes out, and no secret that is found in the whole is in it.
//
// Plain: one goroutine reads texts.
//
// Covers: HUM-42 LAW-9
func TestStreamIsTheWhole(t *testing.T) {
	const secret = "s3cr3t/v@lue-1"
	redactors := map[string]*guard.Redactor{
		"well-known": nil,
		"configured": redactor(t, []guard.Pattern{{Name: "staff number", Regexp: `\bS-\d{4}\b`}, {Name: "case", Regexp: `(?i)case of (\w+)`}}, map[string]string{"S": secret}),
	}
	bits := slices.Concat(slices.Sorted(maps.Keys(cores)), wordsAround, []string{secret, "S-1234", "case of Ann"})
	r := rand.New(rand.NewPCG(7, 12))
	for name, red := range redactors {
		for range 400 {
			var text string
			for range 1 + r.IntN(8) {
				text += bits[r.IntN(len(bits))]
			}
			whole, _ := replied(red, text)
			for range 5 {
				parts := pieces(r, text)
				if got := streamed(red, parts); got != whole {
					t.Fatalf("%s: %q cut as %q\n gives %q,\n want  %q", name, text, parts, got, whole)
				}
			}
			if left := leftIn(red, text, whole); left != "" {
				t.Errorf("%s: %q still holds %q:\n%q", name, text, left, whole)
			}
		}
	}
}

// leftIn returns the secret that is still in what came out of a text, although the redactor of whole
// texts finds it: what stands beside it may make it something else.
func leftIn(r *guard.Redactor, text, out string) string {
	whole, _, _ := r.Text(text)
	for _, core := range cores {
		if strings.Contains(text, core) && !strings.Contains(whole, core) && strings.Contains(out, core) {
			return core
		}
	}
	return ""
}

// Secrets among words: every cut in two and the cut into single bytes give what taking out the
// secrets of the whole text gives.
//
// Plain: one goroutine reads texts.
//
// Covers: HUM-42 LAW-9
func TestStreamCutAnywhere(t *testing.T) {
	for _, secret := range slices.Sorted(maps.Keys(cores)) {
		for _, text := range []string{secret, "deep " + secret + " again", "it says (" + secret + "), then\n" + secret + "\nherein"} {
			var none *guard.Redactor
			want, _, _ := none.Text(text)
			for at := range len(text) {
				if got := streamed(none, []string{text[:at], text[at:]}); got != want {
					t.Fatalf("%q cut at %d gives %q, want %q", text, at, got, want)
				}
			}
			if got := streamed(none, strings.Split(text, "")); got != want {
				t.Errorf("%q in single characters gives %q, want %q", text, got, want)
			}
		}
	}
}

// A token that is glued to a word loses all but its prefix, however it is cut.
func TestStreamGlued(t *testing.T) {
	for text, want := range map[string]string{
		"my" + github:              "myghp[redacted: github token]",
		"a%2f" + github:            "a%2f[redacted: github token]",
		"my_" + github:             "my_ghp[redacted: github token]",
		"é" + github:               "é[redacted: github token]",
		`a\n` + github:             `a\n[redacted: github token]`,
		`a\n` + made("sk-", 48):    `a\n[redacted: openai key]`,
		`a%3D` + made("sk-", 48):   `a%3D[redacted: openai key]`,
		"k" + made("sk-", 48):      "k" + made("sk-", 48),
		"herein_" + made("", 12):   "herein_" + made("", 12),
		"ta" + made("sk-ant-", 30): "task-ant-[redacted: anthropic key]",
		"xghp_" + github:           "xghp[redacted: github token]",
		"Key" + pem + "end":        "Key-----BEGIN [redacted: private key]end",
	} {
		for at := range len(text) {
			if got := streamed(nil, []string{text[:at], text[at:]}); got != want {
				t.Fatalf("%q cut at %d gives %q, want %q", text, at, got, want)
			}
		}
		if got, _, _ := (*guard.Redactor)(nil).Text(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// While one secret waits for its end, the next may have begun: it is not cut off where the text is at
// that moment. A label that replaces one secret is no part and no end of another.
//
// Plain: one goroutine reads texts.
func TestStreamBesideALabel(t *testing.T) {
	for text, want := range map[string]string{
		pem + "-----BEGIN password:  S-1234" + github + "\n": "[redacted: private key]-----BEGIN password:  [redacted: secret value]\n",
		pem + "password: postgres://ann:hunter2@db/x ":       "[redacted: private key]password: [redacted: secret value] ",
		github + "postgres://ann:hunter2@db/x":               "[redacted: github token]://ann:[redacted: password]@db/x",
	} {
		for at := range len(text) {
			if got := streamed(nil, []string{text[:at], text[at:]}); got != want {
				t.Fatalf("%q cut at %d gives %q,\n want %q", text, at, got, want)
			}
		}
	}
	text := `password:  S-1234postgres://ann:hunter2@db/x"`
	if got, _, _ := (*guard.Redactor)(nil).Text(text); got != `password:  [redacted: secret value][redacted: password]@db/x"` {
		t.Errorf("%q gives %q", text, got)
	}
	if got := streamed(nil, []string{text}); got != `password:  S-1234postgres://ann:[redacted: password]@db/x"` {
		t.Errorf("%q gives %q", text, got)
	}
}

// beginnings are the beginnings of tokens: a word that is one of them, or of which one begins, waits.
var beginnings = strings.Fields(`
	AGE AKIA ABIA ACCA ASIA AIza SK SG GOCSPX Mz Nz Oz MT NT OT MD ND OD Mj Nj Oj dckr discord dop doo dor eyJ
	ghp gho ghu ghs ghr github glpat gldt glptt glrt glcbt gloas glsoat glft glimt glagent glsa glc gsk hf hooks hvs hvb hvr key lin npm ntn pypi rk rein secret shp sk tskey
	whsec xapp xox ya29`)

// Words end anywhere in a dictionary's, and nothing of them waits, unless a token begins so.
func TestStreamLetsWordsOut(t *testing.T) {
	vocabulary, err := os.ReadFile("../../vault/minilm/data/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`(?m)^[a-z]{2,}$`).FindAllString(string(vocabulary), -1)
	if len(words) < 20000 {
		t.Fatalf("there are only %d words", len(words))
	}
	held := map[string]bool{}
	for _, word := range words {
		for _, text := range []string{word, "And " + word, "and (" + strings.ToUpper(word[:1]) + word[1:], "und über" + word, "now-" + word} {
			if got := (*guard.Redactor)(nil).Stream().Write(text); got != text {
				rest := text[len(got):]
				if !strings.EqualFold(rest, word) || !beginsToken(rest) {
					t.Errorf("%q: %q is held back", text, rest)
				}
				held[strings.ToLower(rest)] = true
			}
		}
		for at := 1; at < len(word); at++ { // a delta may end inside a word
			if got := (*guard.Redactor)(nil).Stream().Write(word[:at]); got != word[:at] && (got != "" || !beginsToken(word[:at])) {
				t.Errorf("%q: %q is shown at once", word[:at], got)
			}
		}
	}
	want := "dc di disc disco do doo gi gs ho hook hooks ke key li lin nj np nt nz oz re rei rein se sec secret sh sk ts ya"
	if got := strings.Join(slices.Sorted(maps.Keys(held)), " "); got != want {
		t.Errorf("the words that wait are %s,\n want %s", got, want)
	}
}

func beginsToken(word string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(b, word) })
}

// Plain words leave at once; only an end that may become a secret waits.
func TestStreamHoldsLittleBack(t *testing.T) {
	for _, c := range []struct{ piece, now string }{
		{"hello", "hello"},
		{"Read the file README.md, then ", "Read the file README.md, then "},
		{"The answer is 42.\n", "The answer is 42.\n"},
		{"http://example.com/a?b=c, ", "http://example.com/a?b=c, "},
		{"your password: ", "your password: "},
		{"deep", "deep"},
		{"again", "again"},
		{"In 2026", "In 2026"},
		{"Monday", "Monday"},
		{"well-", "well-"},
		{"100 %", "100 %"},
		{`C: \`, `C: \`},
		{"task-", "task-"},
		{`a\ns`, `a\n`},
		{"a%3Ds", "a%3D"},
		{"a key g", "a key "},
		{"akey g", "akey "},
		{"a keyg", "a keyg"},
		{"a keyghp_", "a keyghp"},
		{"a key ghp_", "a key "},
		{"a key ghp_ is short.", "a key ghp_ is short."},
		{"a key " + github, "a key "},
		{"a key " + github + " ", "a key [redacted: github token] "},
		{`password = "hunter2hunter`, `password = "`},
		{"caf\xc3", "caf"},
		{"-----BEGIN RSA PRIV" + "ATE KEY-----\n" + made("", 64), ""},
	} {
		s := (*guard.Redactor)(nil).Stream()
		if got := s.Write(c.piece); got != c.now {
			t.Errorf("%q: %q is shown at once, want %q", c.piece, got, c.now)
		}
	}
}

func TestStreamKnowsWhatItTook(t *testing.T) {
	s := redactor(t, []guard.Pattern{{Name: "top secret", Regexp: `TOP SECRET`, Block: true}}, nil).Stream()
	got := s.Write("a "+github+" b ") + s.Write("TOP SEC") + s.Write("RET plan ") + s.Write("more") + s.Close()
	if want := "a [redacted: github token] b [redacted: top secret] [the rest was withheld]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if kinds := strings.Join(s.Kinds(), ", "); kinds != "github token, top secret" {
		t.Errorf("kinds %s", kinds)
	}
}

// A text that is cut off in the middle of a secret does not show the part of it that there is.
func TestStreamCut(t *testing.T) {
	for text, want := range map[string]string{
		"a plain end, with words":          "a plain end, with words",
		"a key " + github[:20]:             "a key ",
		"a key " + github:                  "a key ",
		"a key ghp_":                       "a key ghp_",
		"postgres://ann:hunter2":           "postgres://ann:",
		"password: hunter2":                "password: ",
		`api_key = "abc12`:                 `api_key = "`,
		"my" + github[:20]:                 "myghp",
		"the secret":                       "the secret",
		"a key " + github + " and a thing": "a key [redacted: github token] and a thing",
	} {
		s := (*guard.Redactor)(nil).Stream()
		if got := s.Write(text) + s.Cut(); got != want {
			t.Errorf("%q cut gives %q, want %q", text, got, want)
		}
	}
}

// FuzzStream: nothing is lost of what is no secret, and cutting changes nothing.
func FuzzStream(f *testing.F) {
	for _, text := range []string{"", "plain", github, pem, "password: \"" + made("", 12) + "\"", "\xff\xc3", "a://b:c@d"} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		var none *guard.Redactor
		whole, kinds := replied(none, text)
		if got := streamed(none, pieces(rand.New(rand.NewPCG(seed, 1)), text)); got != whole {
			t.Fatalf("%q cut gives %q, want %q", text, got, whole)
		}
		if left := leftIn(none, text, whole); left != "" {
			t.Fatalf("%q still holds %q: %q", text, left, whole)
		}
		if len(kinds) == 0 && whole != text {
			t.Fatalf("nothing was found in %q, but it became %q", text, whole)
		}
		if utf8.ValidString(text) && !utf8.ValidString(whole) {
			t.Fatalf("%q became invalid: %q", text, whole)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	text := strings.Repeat("Runs form a tree, and a run that waits for a person is only rows. See https://example.com/docs for more.\n", 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := (*guard.Redactor)(nil).Stream()
		for at := 0; at < len(text); at += 4 {
			s.Write(text[at:min(at+4, len(text))])
		}
		s.Close()
	}
}

// replied is a text that came whole, without its secrets.
func replied(r *guard.Redactor, text string) (string, []string) {
	s := r.Stream()
	out := s.Write(text)
	return out + s.Close(), s.Kinds()
}
