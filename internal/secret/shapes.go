package secret

import (
	"regexp"
	"strings"
	"unicode"
)

// A Shape is a kind of secret that can be told by how it looks. If the expression has a group, the
// group is the secret and the rest its surroundings.
type Shape struct {
	kind string
	re   *regexp.Regexp
	// hints are what to look for first, as that is cheap: one of them is in every match, and if near
	// is not nil, it is true for what comes after. Without hints, the whole text is matched.
	hints []string
	// framed says that every match has the group, so that its surroundings are known not to be secret.
	framed bool
	// watch, if not empty, is what a Watcher looks for instead: cheaper, and true for every match.
	watch string
	near  func(after string) bool
	// likely, if not nil, has the last word: it is false for what only stands for a secret.
	likely func(secret string) bool
}

// wellKnown are the shapes that are always looked for. Each has a prefix, a frame or a name beside it
// that hardly anything else has: a bare hash, a UUID or base64 could be a secret but mostly is not.
var wellKnown = []Shape{
	{kind: "private key", re: regexp.MustCompile(
		`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,."'-]{64,}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{64,})`)},
	token("anthropic key", `sk-ant-[A-Za-z0-9_-]{20,}`, "sk-ant-"),
	word("openai key", `sk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`, "sk-").after(solid),
	token("github token", `gh[pousr]_[A-Za-z0-9_]{30,}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	token("github token", `github_pat_[A-Za-z0-9_]{22,}`, "github_pat_"),
	token("gitlab token", `gl(?:pat|dt|ptt|rt|cbt|oas|soat|ft|imt|agent)-[A-Za-z0-9_-]{20,}`,
		"glpat-", "gldt-", "glptt-", "glrt-", "glcbt-", "gloas-", "glsoat-", "glft-", "glimt-", "glagent-"),
	token("slack token", `(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{20,})`, "xox", "xapp-"),
	token("slack webhook", `hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}`, "hooks.slack.com/"),
	token("aws access key id", `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`, "AKIA", "ASIA", "ABIA", "ACCA"),
	beside("aws secret key", `(?i)secret_?(?:access_?)?key\\?["']?\s*[:=]\s*\\?["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)`, random, "ecret", "ECRET").after(assigned),
	word("google api key", `AIza[A-Za-z0-9_-]{35,}`, "AIza"),
	word("google secret", `(?:GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})`, "GOCSPX-", "ya29."),
	token("stripe key", `(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`, "k_live_", "k_test_", "whsec_"),
	token("npm token", `npm_[A-Za-z0-9]{36,}`, "npm_"),
	token("pypi token", `pypi-AgE[A-Za-z0-9_-]{16,}`, "pypi-AgE"),
	word("hugging face token", `hf_[A-Za-z]{34,}`, "hf_"),
	word("sendgrid key", `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, "SG."),
	token("digitalocean token", `do[opr]_v1_[a-f0-9]{64}`, "dop_v1_", "doo_v1_", "dor_v1_"),
	token("rein token", `rein(?:link|web)?_[a-z2-7]{12}_[a-z2-7]{26}`, "rein_", "reinlink_", "reinweb_"),
	token("json web token", `eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{8,}`, "eyJ"),
	beside("credentials", `(?i)authorization\\?["']?\s*[:=,]\s*\\?["']?(?:bearer|basic|token)\s+([A-Za-z0-9._~+/=-]{8,})`, genuine, "uthorization", "UTHORIZATION").after(given),
	beside("credentials", `(?i)x-api-key\\?["']?\s*[:=,]\s*\\?["']?([A-Za-z0-9._~+/=-]{16,})`, random, "-key", "-Key", "-KEY"),
	beside("password", `[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/?#"'<>\\:@`+"`"+`]*:([^\s/?#"'<>\\`+"`"+`]+)@`, genuine, "://").after(signedIn).watchedAs(`://[^\s/?#"'<>\\:@` + "`" + `]*:([^\s/?#"'<>\\` + "`" + `]+)@`),
	beside("secret value", `(?m)^[ \t]*(?:export[ \t]+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|API_?KEY|TOKEN|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY)=["']?([^\s"']{8,})["']?[ \t\r]*$`, random, "PASSWORD=", "PASSWD=", "SECRET=", "KEY=", "TOKEN="),
	beside("secret value", `(?i)(?:`+telling+`)\\?["']?\s*(?:=>|:=|=|:)\s*\\?["']([^\s"'\\<>{}$()]{8,})\\?["']`, random, telltale...).after(assigned),
}

// telling are names of values that are secret, and telltale what all of them have in common, as it is
// written in practice.
const telling = `password|passwd|client_?secret|api_?key|access_?token|auth_?token|refresh_?token|secret_?key|private_?key`

var telltale = []string{"assw", "ASSW", "ecret", "ECRET", "key", "Key", "KEY", "token", "Token", "TOKEN"}

// token is a shape with a prefix so rare that it is known wherever it stands, even inside a word:
// what comes before it may be an escape such as "\n" or "%3D".
func token(kind, expr string, hints ...string) Shape {
	return Shape{kind: kind, hints: hints, re: regexp.MustCompile(expr)}
}

// word is a shape whose prefix may occur inside a word or in base64.
func word(kind, expr string, hints ...string) Shape {
	s := token(kind, `(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})(`+expr+`)`, hints...)
	s.framed = true
	return s
}

// beside is a shape that is known by what stands beside it.
func beside(kind, expr string, likely func(string) bool, hints ...string) Shape {
	return Shape{kind: kind, hints: hints, framed: true, re: regexp.MustCompile(expr), likely: likely}
}

// after returns the shape with a look at what comes after a hint.
func (p Shape) after(near func(string) bool) Shape {
	p.near = near
	return p
}

// watchedAs returns the shape with an expression of its own for a Watcher.
func (p Shape) watchedAs(expr string) Shape {
	p.watch = expr
	return p
}

// solid is true if there is no end of a word for a while.
func solid(after string) bool {
	return len(after) >= 20 && !strings.ContainsAny(after[:20], " \t\r\n\"'`.,;:()[]{}<>/")
}

// assigned is true if the name that the hint is part of is given a value.
func assigned(after string) bool { return hasSign(after, ":=") }

// given is assigned, or a value follows as in a list of arguments.
func given(after string) bool { return hasSign(after, ":=,") }

func hasSign(after, signs string) bool {
	after = strings.TrimLeft(after[:min(len(after), 80)], "_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	after = strings.TrimLeft(after, "\\\"' \t\r\n")
	return after != "" && strings.Contains(signs, after[:1])
}

// signedIn is true if the address that follows names a user.
func signedIn(after string) bool {
	end := strings.IndexAny(after, "@/ \t\r\n\"'<>?#")
	return end >= 0 && after[end] == '@'
}

// genuine is false for what stands for a secret in examples and templates.
func genuine(secret string) bool {
	for _, prefix := range []string{"$", "{", "<", "%(", "%s", "%v", Mask} {
		if strings.HasPrefix(secret, prefix) {
			return false
		}
	}
	return strings.Trim(secret, "*xX.-_") != ""
}

// random is true for values that are not words, names of other values, or paths.
func random(secret string) bool {
	return genuine(secret) && !strings.HasPrefix(secret, "/") &&
		strings.ContainsFunc(secret, unicode.IsDigit) && strings.ContainsFunc(secret, unicode.IsLetter)
}
