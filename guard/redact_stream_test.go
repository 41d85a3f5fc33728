package guard_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"rein/guard"
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
	for _, p := range parts {
		out.WriteString(s.Write(p))
	}
	out.WriteString(s.Close())
	return out.String()
}

// However a text is cut, the same comes out, and it is what taking out the secrets of the whole gives.
//
// Covers: HUM-42 LAW-9
func TestStreamIsTheWhole(t *testing.T) {
	const secret = "s3cr3t/v@lue-1"
	redactors := map[string]*guard.Redactor{
		"well-known": nil,
		"configured": redactor(t, []guard.Pattern{{Name: "staff number", Regexp: `\bS-\d{4}\b`}, {Name: "case", Regexp: `(?i)case of (\w+)`}}, map[string]string{"S": secret}),
	}
	bits := []string{
		secret, github, pem, made("sk-", 48), "AKIA" + "ABCDEFGHIJKLMNOP", "postgres://ann:hunter2@db/x", `password = "hunter2hunter2"`,
		"S-1234", "case of Ann", " ", "\n", "words of a plain text", ".", "s", "sk-", "é", "\"", "password: ", "export TOKEN=abc123def456\n", "-----BEGIN ", "https://",
	}
	r := rand.New(rand.NewPCG(7, 12))
	for name, red := range redactors {
		for range 400 {
			var text string
			for range 1 + r.IntN(8) {
				text += bits[r.IntN(len(bits))]
			}
			whole, _ := red.Reply(text)
			for range 5 {
				parts := pieces(r, text)
				if got := streamed(red, parts); got != whole {
					t.Fatalf("%s: %q cut as %q\n gives %q,\n want  %q", name, text, parts, got, whole)
				}
			}
			for _, hidden := range []string{github, secret, made("sk-", 48), "hunter2hunter2", pem[40:90]} {
				if strings.Contains(whole, hidden) && !(hidden == secret && red == nil) && !plainly(red, text, hidden) {
					t.Errorf("%s: %q still holds %q:\n%q", name, text, hidden, whole)
				}
			}
		}
	}
}

// plainly reports whether the redactor of whole texts leaves it alone too: what stands beside it
// makes it something else.
func plainly(r *guard.Redactor, text, hidden string) bool {
	whole, _, _ := r.Text(text)
	return strings.Contains(whole, hidden)
}

// Plain words leave at once; only an end that may become a secret waits.
func TestStreamHoldsLittleBack(t *testing.T) {
	for _, c := range []struct{ piece, now string }{
		{"hello", "hello"},
		{"Read the file README.md, then ", "Read the file README.md, then "},
		{"The answer is 42.\n", "The answer is 42.\n"},
		{"http://example.com/a?b=c, ", "http://example.com/a?b=c, "},
		{"your password: ", "your password: "},
		{"a key g", "a key "},
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
		whole, kinds := none.Reply(text)
		if got := streamed(none, pieces(rand.New(rand.NewPCG(seed, 1)), text)); got != whole {
			t.Fatalf("%q cut gives %q, want %q", text, got, whole)
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
