package spec

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/secret"
)

// A Value is what a setting gives to a server: the value of a variable or of a header.
type Value struct {
	Name string
	// Text is the value itself, or a reference: "env:NAME" for a variable of rein, "secret:NAME" for a secret of the person
	// whose run makes the call.
	Text string
	// Passed says that the setting names a variable of rein and no value. It is left out where rein does not have it.
	Passed bool
}

// Variable reads an entry of Env.
func Variable(entry string) Value {
	name, text, valued := strings.Cut(entry, "=")
	if !valued {
		return Value{Name: name, Text: "env:" + name, Passed: true}
	}
	return Value{Name: name, Text: text}
}

// Values are those of the server: its variables, or its headers by name.
func (s Server) Values() (all []Value) {
	for _, entry := range s.Env {
		all = append(all, Variable(entry))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		all = append(all, Value{Name: name, Text: s.Headers[name]})
	}
	return all
}

// IsReference reports whether a value names a variable or a secret.
func IsReference(value string) bool {
	kind, name, ok := strings.Cut(value, ":")
	return ok && name != "" && (kind == "env" || kind == "secret")
}

// sealed is what the names of the values begin with that were typed for a server and are kept sealed. The character '/'
// keeps them apart from what people name themselves.
func sealed(server string) string { return "mcp/" + server + "/value." }

// SealedName is the name of the secret that holds a value which was typed for a server.
func SealedName(server, name string) string { return sealed(server) + name }

// IsSealed reports whether a reference names a value that was typed for the server. It belongs to the household, and so does
// the server.
func (s Server) IsSealed(text string) bool {
	return strings.HasPrefix(text, "secret:"+sealed(s.Name))
}

// isPersonal reports whether a reference names a secret of each person.
func (s Server) isPersonal(text string) bool {
	return strings.HasPrefix(text, "secret:") && IsReference(text) && !s.IsSealed(text)
}

var (
	// telling are words of names whose values are secrets: they must not be in a file.
	telling = regexp.MustCompile(`^(?:[a-z]*(?:token|secret|secrets|password|passwd|passphrase|passcode|authorization|cookie|cookies|credential|credentials)|auth|bearer|jwt|pass|pwd|pin|key|(?:api|auth|access|secret|private|signing)key)$`)
	// placing are last words of names whose values say where something is.
	placing = regexp.MustCompile(`^(?:file|path|dir|url|uri|host)$`)
	// harmless are values that are no secrets whatever their name: nothing, yes and no.
	harmless = regexp.MustCompile(`(?i)^(?:|[01]|true|false|yes|no|on|off)$`)
	// numeric are numbers, versions and dates.
	numeric = regexp.MustCompile(`^[0-9]{1,7}(?:[.:/-][0-9]{1,5})*$`)
	// wordy are words and names.
	wordy = regexp.MustCompile(`^(?:[A-Za-z][a-z]{0,15}|[A-Z]{1,16})(?:[ ,;:/._-]{1,2}(?:[A-Za-z][a-z]{0,15}|[A-Z]{1,16}))*$`)
	// isPath is an absolute path, or a list of them.
	isPath = regexp.MustCompile(`^~?/[^=+\s]*$`)
	// humps are where a word begins inside another one.
	humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)
)

// words are the words of a name, in lower case.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(humps.ReplaceAllString(name, "${1}_${2}")), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
}

// tells reports whether the name says that the value is a secret.
func (v Value) tells() bool {
	all := words(v.Name)
	if len(all) == 0 || !slices.ContainsFunc(all, telling.MatchString) {
		return false
	}
	last := all[len(all)-1]
	switch {
	case placing.MatchString(last):
		return !v.isPlace() && !wordy.MatchString(v.Text)
	case !telling.MatchString(last): // TOKEN_LIMIT=4096, AUTH_METHOD=none
		return !numeric.MatchString(v.Text) && !wordy.MatchString(v.Text)
	}
	return true
}

// LooksSecret reports whether a value that is written out looks like a secret: by its name, or by what it is.
func (v Value) LooksSecret() bool {
	if IsReference(v.Text) || harmless.MatchString(v.Text) {
		return false
	}
	if len(secret.Kinds(v.Text)) > 0 || len(secret.Kinds(v.Name+"="+v.Text)) > 0 {
		return true
	}
	return v.tells()
}

// IsPlain reports whether a value is plainly no secret: a path, an address, words or a number, under a name that says
// nothing else.
func (v Value) IsPlain() bool {
	return !v.LooksSecret() && (harmless.MatchString(v.Text) || numeric.MatchString(v.Text) || wordy.MatchString(v.Text) || v.isPlace())
}

func (v Value) isPlace() bool {
	if isPath.MatchString(v.Text) {
		return true
	}
	u, err := url.Parse(v.Text)
	return err == nil && u.Scheme != "" && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// inPublic reports whether a part of a command or of an address, which may be NAME=VALUE or follow the name of an option,
// looks like a secret. It goes by less than LooksSecret: an option such as --auth has words as its value.
func inPublic(option, text string) bool {
	name, value, valued := strings.Cut(strings.TrimLeft(text, "-"), "=")
	v := Value{Name: name, Text: value}
	switch {
	case !valued && strings.HasPrefix(option, "-"):
		v = Value{Name: strings.TrimLeft(option, "-"), Text: text}
	case !valued:
		v = Value{Text: text}
	}
	return v.LooksSecret() && !wordy.MatchString(v.Text) && !numeric.MatchString(v.Text) && !v.isPlace()
}

// checkValues refuses values that must not be in a file, and references that belong to others.
func (s Server) checkValues(wrong func(string, ...any) error) error {
	for _, v := range append(s.Values(), Value{Name: "client_secret", Text: s.ClientSecret}) {
		name, isSecret := strings.CutPrefix(v.Text, "secret:")
		switch {
		case v.LooksSecret():
			return wrong("the value of %q looks like a secret and must not be in a file, which is copied and shown: write \"env:NAME\" for a variable of rein or \"secret:NAME\" for a secret, or add the server with rein mcp add, which keeps the value sealed", v.Name)
		case isSecret && strings.Contains(name, "/") && !(s.From == FromAdded && name == SealedName(s.Name, v.Name)):
			return wrong("the secret of %q: names with '/' belong to parts of rein", v.Name)
		}
	}
	return nil
}

// Seal takes out what was typed and is not plainly harmless: the server gets references to it, and the values are to be kept
// sealed under the names that are returned. Whoever reads what a server is then reads none of them.
func (s *Server) Seal() (values map[string]string, err error) {
	values = map[string]string{}
	seal := func(v Value) (string, error) {
		if v.IsPlain() || IsReference(v.Text) {
			return v.Text, nil
		}
		if !sealable.MatchString(v.Name) {
			return "", rein.Errorf(rein.CodeInvalid, "MCP server %s: the value of %q cannot be kept sealed under this name: keep it with rein secrets set, and write secret:NAME", s.Name, v.Name)
		}
		values[SealedName(s.Name, v.Name)] = v.Text
		return "secret:" + SealedName(s.Name, v.Name), nil
	}
	s.Env, s.Headers = slices.Clone(s.Env), maps.Clone(s.Headers)
	for i, entry := range s.Env {
		v := Variable(entry)
		if v.Passed {
			continue
		}
		text, err := seal(v)
		if err != nil {
			return nil, err
		}
		s.Env[i] = v.Name + "=" + text
	}
	for name, text := range s.Headers {
		if s.Headers[name], err = seal(Value{Name: name, Text: text}); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// sealable are names of values that can be part of the name of a secret.
var sealable = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,80}$`)

// Secrets returns the variables of rein that the server gets and that could be secrets, by name.
func (s Server) Secrets(getenv func(string) string) map[string]string {
	all := map[string]string{}
	for _, v := range append(s.Values(), Value{Name: "client_secret", Text: s.ClientSecret}) {
		name, ok := strings.CutPrefix(v.Text, "env:")
		if !ok || name == "" {
			continue
		}
		value := getenv(name)
		if (Value{Name: v.Name, Text: value}).IsPlain() && (Value{Name: name, Text: value}).IsPlain() {
			continue
		}
		all[name] = value
	}
	return all
}
