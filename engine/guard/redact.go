package guard

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/secret"
)

// A Pattern is a kind of secret that somebody has configured. If the expression has a group, only
// what the group matches is taken out.
type Pattern struct {
	Name   string `json:"name" toml:"name"`
	Regexp string `json:"regexp" toml:"regexp"`
	Block  bool   `json:"block,omitempty" toml:"block"` // the whole text is not to be passed on
}

// A Redactor takes secrets out of texts. The nil Redactor knows the well-known shapes only.
type Redactor struct {
	shapes []shape
	exact  []exact
	look   *secret.Lookout
}

// A shape is a kind of secret that somebody has configured.
type shape struct {
	secret.Shape
	block bool // the whole text is not to be passed on
}

// exact is a way to write a secret that is known.
type exact struct{ kind, text string }

// minSecret is the shortest secret that can be looked for without hitting ordinary words.
const minSecret = 8

// NewRedactor returns a Redactor for the well-known shapes, the patterns, and secrets given by name
// and value. It returns an invalid error that names the pattern or secret it cannot use, and never
// shows a value.
func NewRedactor(patterns []Pattern, secrets map[string]string) (*Redactor, error) {
	r := &Redactor{}
	for _, p := range patterns {
		re, err := regexp.Compile(p.Regexp)
		switch {
		case err != nil:
			return nil, rein.Errorf(rein.CodeInvalid, "redaction pattern %q: %v", p.Name, err)
		case !nameable(p.Name):
			return nil, rein.Errorf(rein.CodeInvalid, "redaction pattern %q needs a name of 1 to 60 characters without brackets and line ends", p.Name)
		case re.MatchString(""):
			return nil, rein.Errorf(rein.CodeInvalid, "redaction pattern %q matches the empty text; make it match a whole secret", p.Name)
		}
		r.shapes = append(r.shapes, shape{secret.Matching(p.Name, re), p.Block})
	}
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		value := secrets[name]
		switch {
		case !nameable(name) || strings.Contains(name, value):
			return nil, rein.Errorf(rein.CodeInvalid, "a secret needs a name of 1 to 60 characters without brackets and line ends that does not give it away")
		case len(value) < minSecret:
			return nil, rein.Errorf(rein.CodeInvalid, "secret %q is too short to be told from ordinary text: it needs %d bytes or more", name, minSecret)
		}
		for _, text := range spellings(value) {
			r.exact = append(r.exact, exact{name, text})
		}
	}
	r.look = r.watched()
	return r, nil
}

// With returns a Redactor that also takes these values out, under one name. Values that are too short to be
// told from ordinary text are left alone.
func (r *Redactor) With(name string, values []string) *Redactor {
	with := &Redactor{}
	if r != nil {
		with.shapes, with.exact = r.shapes, slices.Clone(r.exact)
	}
	has := len(with.exact)
	for _, value := range values {
		if len(value) < minSecret {
			continue
		}
		for _, text := range spellings(value) {
			with.exact = append(with.exact, exact{name, text})
		}
	}
	if len(with.exact) == has {
		return r
	}
	with.look = with.watched()
	return with
}

// watched is what a Stream looks out for.
func (r *Redactor) watched() *secret.Lookout {
	var shapes []secret.Shape
	for _, s := range r.shapes {
		shapes = append(shapes, s.Shape)
	}
	var texts []string
	for _, e := range r.exact {
		texts = append(texts, e.text)
	}
	return secret.Watch(shapes, texts)
}

func nameable(name string) bool {
	return name != "" && len(name) <= 60 && !strings.ContainsAny(name, "[]\r\n")
}

// spellings are the ways in which a secret is likely to be written: as it is, in JSON, in a URL, in
// hex, and in base64 wherever it stands in what was encoded.
func spellings(value string) []string {
	quoted, _ := json.Marshal(value) // a string always encodes
	plain := literally(value)
	all := []string{
		value, string(quoted[1 : len(quoted)-1]), string(plain[1 : len(plain)-1]), percent(value, ""), percent(value, "/"), percent(value, "$&+=:@"), percent(value, "!'()*"), strings.ReplaceAll(percent(value, ""), "%20", "+"),
		fmt.Sprintf("%x", value), fmt.Sprintf("%X", value),
	}
	for shift := range 3 {
		// The first and the last characters depend on the neighbours.
		from := []int{0, 2, 3}[shift]
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("-", shift) + value))
			to := (shift + len(value)) / 3 * 4
			all = append(all, text[from:to])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// percent writes a value as part of a URL.
func percent(value, safe string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~"+safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
