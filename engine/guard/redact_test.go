package guard_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/engine/guard"
	"rein/internal/linear"
)

// made makes a token that no scanner takes for somebody's: its parts are only put together here.
func made(prefix string, n int) string {
	return prefix + strings.Repeat("aB3dE6gH9jK2", 20)[:n]
}

var (
	github = made("gh"+"p_", 36)
	pem    = "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + strings.Repeat(made("", 64)+"\n", 8) + "-----END RSA PRIV" + "ATE KEY-----"
)

// Covers: HUM-42 LAW-9 TAB-B9
func TestWellKnownShapes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{github, "[redacted: github token]"},
		{"x " + made("github"+"_pat_", 60) + "\n", "x [redacted: github token]\n"},
		{"key=" + made("sk-"+"proj-", 60) + ".", "key=[redacted: openai key]."},
		{made("sk-", 48), "[redacted: openai key]"},
		{made("sk-"+"ant-api03-", 80), "[redacted: anthropic key]"},
		{made("gl"+"pat-", 20), "[redacted: gitlab token]"},
		{made("xox"+"b-123-", 20), "[redacted: slack token]"},
		{"https://hooks.slack.com/services/" + made("T1/B2/", 24), "https://[redacted: slack webhook]"},
		{"AKIA" + "ABCDEFGHIJKLMNOP", "[redacted: aws access key id]"},
		{"aws_secret_access_key = " + made("", 40), "aws_secret_access_key = [redacted: aws secret key]"},
		{`"SecretAccessKey": "` + made("", 40) + `"`, `"SecretAccessKey": "[redacted: aws secret key]"`},
		{made("AI"+"za", 35), "[redacted: google api key]"},
		{made("sk"+"_live_", 24), "[redacted: stripe key]"},
		{made("npm"+"_", 36), "[redacted: npm token]"},
		{made("py"+"pi-AgE", 60), "[redacted: pypi token]"},
		{made("ey"+"J", 20) + "." + made("ey"+"J", 30) + "." + made("", 20), "[redacted: json web token]"},
		{"a\n" + pem + "\nb", "a\n[redacted: private key]\nb"},
		{strings.ReplaceAll(pem, "\n", `\n`), "[redacted: private key]"},
		{pem[:400], "[redacted: private key]"},
		{"Authorization: Bearer " + made("", 20) + "\r\nHost: x", "Authorization: Bearer [redacted: credentials]\r\nHost: x"},
		{`-H "authorization: Basic dXNlcjpwYXNz"`, `-H "authorization: Basic [redacted: credentials]"`},
		{"x-api-key: " + made("", 30), "x-api-key: [redacted: credentials]"},
		{"postgres://ann:hunter2@db:5432/x", "postgres://ann:[redacted: password]@db:5432/x"},
		{"https://ann:p@ss@host/", "https://ann:[redacted: password]@host/"},
		{"A=1\nexport DB_PASSWORD=hunter2hunter2\nB=2", "A=1\nexport DB_PASSWORD=[redacted: secret value]\nB=2"},
		{`api_key: "` + made("", 12) + `"`, `api_key: "[redacted: secret value]"`},
		{`{\"clientSecret\": \"` + made("", 12) + `\"}`, `{\"clientSecret\": \"[redacted: secret value]\"}`},
		{github + github, "[redacted: github token]"},
		{github + "," + github, "[redacted: github token],[redacted: github token]"},
		{`\n` + github + `\n`, `\n[redacted: github token]\n`},
		{"a " + made("ey"+"J", 20) + "." + strings.Repeat(made("ey"+"J", 200), 50) + "." + made("", 20) + " b", "a [redacted: json web token] b"},
		{"a " + made("sk-"+"ant-", 0) + strings.Repeat(made("", 200), 50) + " b", "a [redacted: anthropic key] b"},
		{"q%3D" + made("sk-", 48), "q%3D[redacted: openai key]"},
		{"[redacted: " + github + "]", "[redacted: [redacted: github token]]"},
	} {
		var none *guard.Redactor
		got, found, block := none.Text(c.text)
		if got != c.want || len(found) != 1 || block {
			t.Errorf("%q\n became %q %q,\n want %q", c.text, got, found, c.want)
		}
		if again, _, _ := none.Text(got); again != got {
			t.Errorf("twice: %q became %q", got, again)
		}
	}
}

func TestOrdinaryTextIsLeftAlone(t *testing.T) {
	image := make([]byte, 300_000)
	r := rand.New(rand.NewPCG(15, 16))
	for i := range image {
		image[i] = byte(r.Uint32())
	}
	for _, text := range []string{
		"commit 8d0787b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7\nMerge: bf7d05e 132583d",
		"id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(image),
		base64.URLEncoding.EncodeToString(image),
		`password := getPassword(user); token: string; const apiKey = process.env.API_KEY`,
		`"password": "Enter your password", api_key: "YOUR_API_KEY", secret: "changeme"`,
		"postgres://user:${DB_PASSWORD}@host http://host:8080/a@b mailto:ann@example.com ssh://git@host:22/x",
		"http://host:8080?mail=ann@example.com",
		"Authorization: Bearer $TOKEN\nAuthorization: Bearer <token>",
		"TOKEN=${SECRET}\nSECRET_KEY=/run/secrets/key1\nMAX_TOKEN=4096\nKEY=value",
		"sk-circle-fade-dot-animation-delay-long a-task-management-system-of-old disk-1234567890",
		"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
		`begin := "-----BEGIN PRIV` + `ATE KEY-----" // (a marker)`,
		"eyJhbGciOiJIUzI1NiJ9 alone", "AKIA", "ghp_short", "xoxb", "AIzaShort",
		"max_tokens: 4096, total_tokens: 12345678, keyboard: \"qwerty123\"",
	} {
		if got, found, _ := (*guard.Redactor)(nil).Text(text); got != text {
			t.Errorf("%.100q: found %q: %.300q", text, found, got)
		}
	}
}

func redactor(t *testing.T, patterns []guard.Pattern, secrets map[string]string) *guard.Redactor {
	t.Helper()
	r, err := guard.NewRedactor(patterns, secrets)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Covers: HUM-42 TAB-B9
func TestConfiguredPatterns(t *testing.T) {
	r := redactor(t, []guard.Pattern{
		{Name: "staff number", Regexp: `\bS-\d{4}\b`},
		{Name: "project", Regexp: `(?i)project (\w+)`},
		{Name: "top secret", Regexp: `TOP SECRET`, Block: true},
		{Name: "token", Regexp: `token|redacted`},
		{Name: "left", Regexp: `foobar`},
		{Name: "right", Regexp: `barbaz`},
	}, nil)
	got, found, block := r.Text("S-1234 of Project Apollo, " + github)
	if want := "[redacted: staff number] of Project [redacted: project], [redacted: github token]"; got != want || block {
		t.Errorf("got %q %v", got, block)
	}
	if want := []string{"github token", "project", "staff number"}; !cmp.Equal(found, want) {
		t.Errorf("found %q", found)
	}
	if got, _, _ := r.Text("a foobarbaz b"); got != "a [redacted: left] b" {
		t.Errorf("what overlaps becomes %q", got)
	}
	if _, found, block := r.Text("This is TOP SECRET."); !block || !cmp.Equal(found, []string{"top secret"}) {
		t.Errorf("%q %v", found, block)
	}
}

// Covers: HUM-42
func TestExactSecrets(t *testing.T) {
	const secret = `pa"ss w<o>rd/é+1`
	r := redactor(t, nil, map[string]string{"DB_PASS": secret, "PREFIX": secret[:9]})
	quoted, _ := json.Marshal(secret)
	for name, text := range map[string]string{
		"plain":       secret,
		"json":        string(quoted[1 : len(quoted)-1]),
		"query":       url.QueryEscape(secret),
		"path":        url.PathEscape(secret),
		"hex":         fmt.Sprintf("%x", secret),
		"base64":      base64.RawStdEncoding.EncodeToString([]byte(secret + "..")),
		"base64 at 1": base64.StdEncoding.EncodeToString([]byte("x" + secret)),
		"base64 at 2": base64.URLEncoding.EncodeToString([]byte("ab:c:" + secret + "tail")),
	} {
		got, found, _ := r.Text("<" + text + "\n" + text + ">")
		if strings.Count(got, "[redacted: DB_PASS]") != 2 || !cmp.Equal(found[0], "DB_PASS") || strings.Contains(got, secret[:4]) {
			t.Errorf("%s: %q gives %q %q", name, text, got, found)
		}
		if again, _, _ := r.Text(got); again != got {
			t.Errorf("%s: twice: %q", name, again)
		}
	}
	if got, _, _ := r.Text(secret + made("sk-", 48)); got != "[redacted: DB_PASS][redacted: openai key]" {
		t.Errorf("what looks like a key only when its neighbour is gone: %q", got)
	}
	if got, _, _ := r.Text(secret[:9] + " " + secret + secret); got != "[redacted: PREFIX] [redacted: DB_PASS][redacted: DB_PASS]" {
		t.Errorf("got %q", got)
	}
}

func TestNewRedactorNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		patterns []guard.Pattern
		secrets  map[string]string
		want     string
	}{
		{[]guard.Pattern{{Name: "bad", Regexp: "("}}, nil, `redaction pattern "bad"`},
		{[]guard.Pattern{{Name: "all", Regexp: "x*"}}, nil, "matches the empty text"},
		{[]guard.Pattern{{Name: "a]b", Regexp: "x"}}, nil, "needs a name"},
		{[]guard.Pattern{{Regexp: "x"}}, nil, "needs a name"},
		{nil, map[string]string{"PIN": "1234567"}, `secret "PIN" is too short`},
		{nil, map[string]string{"my-secret-1": "my-secret-1"}, "give it away"},
	} {
		_, err := guard.NewRedactor(c.patterns, c.secrets)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v %+v: %v", c.patterns, c.secrets, err)
		}
		for _, secret := range c.secrets {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("the error shows the secret: %v", err)
			}
		}
	}
}

// Covers: HUM-42 TAB-B9
func TestRedactJSON(t *testing.T) {
	r := redactor(t, nil, map[string]string{"PIN": "31415926", "MULTI": "line one\nline two"})
	for _, c := range []struct{ raw, want string }{
		{`{ "a" : 1.50, "b": ["x", 31415926] }`, `{ "a" : 1.50, "b": ["x", 31415926] }`},
		{`{"a":"31415926"}`, `{"a":"[redacted: PIN]"}`},
		{`{"` + github + `": "` + github + `"}`, `{"[redacted: github token]": "[redacted: github token]"}`},
		{`["` + `\u0067` + github[1:] + `"]`, `["[redacted: github token]"]`},
		{`"a \"line one\nline two\" <b>"`, `"a \"[redacted: MULTI]\" <b>"`},
		{`{"password": "hunter2hunter2", "note": "hunter2hunter2"}`, `{"password": "[redacted: secret value]", "note": "hunter2hunter2"}`},
		{`{"headers": {"Authorization": "Bearer abcdefgh"}}`, `{"headers": {"Authorization": "[redacted: credentials]"}}`},
		{`[{"password": 1}, "hunter2hunter2"]`, `[{"password": 1}, "hunter2hunter2"]`},
		{`{"password": "the password of 2 users"}`, `{"password": "the password of 2 users"}`},
		{`{"a": "31415926`, `{"a": "[redacted: PIN]`},
		{``, ``},
	} {
		got, _, _ := r.JSON(json.RawMessage(c.raw))
		if string(got) != c.want {
			t.Errorf("%s\n became %s,\n want %s", c.raw, got, c.want)
		}
		if again, found, _ := r.JSON(got); string(again) != string(got) || len(found) > 0 {
			t.Errorf("twice: %s became %s %q", got, again, found)
		}
	}
}

// Whatever surrounds them: secrets go, the rest stays JSON, and twice is once.
//
// Plain: one goroutine reads texts.
//
// Covers: HUM-42
func TestRedactAnything(t *testing.T) {
	const secret = "s3cr3t/v@lue"
	r := redactor(t, []guard.Pattern{{Name: "word", Regexp: `redacted|word|kind\]`}}, map[string]string{"S": secret})
	pieces := []string{
		secret, github, pem, made("sk-", 48), "AKIA" + "ABCDEFGHIJKLMNOP", "[redacted: S]", "[redacted: ", "]", "word", "://", "a", ":", "@", "password=", "\"", "\n", " ", "\\", "é", "\xff",
		"Authorization: Bearer ", "TOKEN=", "eyJ", ".", "-----END RSA PRIV" + "ATE KEY-----", "[redacted: kind]",
	}
	rnd := rand.New(rand.NewPCG(17, 18))
	for range 2000 {
		var b strings.Builder
		for range rnd.IntN(9) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		text := b.String()
		got, _, _ := r.Text(text)
		if again, _, _ := r.Text(got); again != got || strings.Contains(got, secret) || strings.Contains(got, github) {
			t.Fatalf("%q\n became %q\n and then %q", text, got, again)
		}
		raw, _ := json.Marshal(map[string]any{text: text, "n": 1})
		clean, _, _ := r.JSON(raw)
		if again, _, _ := r.JSON(clean); !json.Valid(clean) || string(again) != string(clean) || strings.Contains(string(clean), github) {
			t.Fatalf("%s\n became %s\n and then %s", raw, clean, again)
		}
	}
}

// speech is 2 MB in which all hints occur and no secret does.
func speech() string {
	return strings.Repeat("The token of a task-force is the key to its password, see https://example.com/a?b=c and func (t *T) Key() string { return t.key }\n", 2<<20/130)
}

// Whatever a text is made of, reading it takes time that grows with its length alone.
//
// Plain: one goroutine reads texts.
//
// Attack: 71
func TestRedactTakesLinearTime(t *testing.T) {
	r := redactor(t, nil, map[string]string{"A": "correct horse", "B": "battery staple"})
	const size = 128 << 10
	for _, unit := range []string{speech()[:1000], "x", "eyJ", "-----BEGIN PRIV" + "ATE KEY-----", "a://b:", "password=", "sk-", "[redacted: ", "KEY=", "AKIA"} {
		linear.Check(t, unit, size, func(size int) { r.Text(strings.Repeat(unit, size/len(unit)+1)) })
	}
}

func BenchmarkRedact(b *testing.B) {
	text := speech()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		(*guard.Redactor)(nil).Text(text)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add(github + "\n" + pem + " a://b:c@d")
	f.Add(`{"password":"hunter2hunter2","x":"Authorization: Bearer abcdefgh"}`)
	r, err := guard.NewRedactor([]guard.Pattern{{Name: "n", Regexp: `\d{4}`}}, map[string]string{"S": "s3cr3t/v@lue"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _, _ := r.Text(text)
		if again, _, _ := r.Text(got); again != got {
			t.Fatalf("%q became %q and then %q", text, got, again)
		}
		clean, _, _ := r.JSON(json.RawMessage(text))
		if json.Valid([]byte(text)) && !json.Valid(clean) {
			t.Fatalf("%s became %s", text, clean)
		}
		if again, _, _ := r.JSON(clean); string(again) != string(clean) {
			t.Fatalf("%s became %s and then %s", text, clean, again)
		}
	})
}
