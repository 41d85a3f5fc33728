// Package spec says how an MCP server is configured, and what is wrong with that. It connects to nothing.
package spec

import (
	"cmp"
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/digest"
)

// A Server is an MCP server as somebody configured it.
type Server struct {
	Name string `json:"name"`
	// Command is the program of a server on this machine, with its arguments. No shell reads it.
	Command []string `json:"command,omitempty"`
	// Env are the variables that the program gets beside PATH, HOME and LANG: NAME=VALUE, or NAME for the value that
	// rein has. A value "env:NAME" is that of a variable, "secret:NAME" that of a secret.
	Env []string `json:"env,omitempty"`
	// URL is where a server over HTTP is reached.
	URL string `json:"url,omitempty"`
	// Headers go with each request. A value "env:NAME" is that of a variable, "secret:NAME" that of a secret.
	Headers map[string]string `json:"headers,omitempty"`
	// Login says that each person logs in to the server, by OAuth.
	Login bool `json:"login,omitempty"`
	// ClientID names rein to an authorization server that does not register clients itself.
	ClientID string `json:"client_id,omitempty"`
	// ClientSecret belongs to the ClientID: "env:NAME" or "secret:NAME".
	ClientSecret string `json:"client_secret,omitempty"`

	// Household is whose runs may use it; empty: that of the data.
	Household string `json:"household,omitempty"`
	// Effects says what tools do, by their names on the server.
	Effects map[string]rein.Effect `json:"effects,omitempty"`
	// Allow lists tools that need no approval, and Deny those that are not offered, by their names on the server.
	Allow []string `json:"allow,omitempty"`
	Deny  []string `json:"deny,omitempty"`
	// NoCode lists tools that cannot look into files where code is, by their names on the server. All others may.
	NoCode []string `json:"no_code,omitempty"`
	// TrustHints believes what the server says about the effects of its tools.
	TrustHints bool `json:"trust_hints,omitempty"`
	// Roots tells the server the folder of the run's workspace.
	Roots bool `json:"roots,omitempty"`
	// Sampling lets the server have the run's model answer it during a call.
	Sampling bool `json:"sampling,omitempty"`
	// Private says that the server may be in a private network, and so may what it redirects to.
	Private bool `json:"private,omitempty"`
	// Timeout is how long a call may take; zero: as for other tools.
	Timeout time.Duration `json:"timeout,omitempty"`

	// Sandbox runs the program in a box, with the folders in Read and Write beside its own, and the network if Network is set.
	Sandbox bool     `json:"sandbox,omitempty"`
	Read    []string `json:"read,omitempty"`
	Write   []string `json:"write,omitempty"`
	Network bool     `json:"network,omitempty"`

	From From `json:"from,omitempty"`
	// Place is the workspace whose folder names the server, if one does; only runs there can use it. Its Name then has the
	// place after an '@': folders do not know of each other.
	Place string `json:"-"`
	// Dir is where the program works; empty: in a folder of its own.
	Dir string `json:"-"`
}

// Family is what the names of its tools begin with, before the dot.
func (s Server) Family() string {
	family, _, _ := strings.Cut(s.Name, "@")
	return family
}

// From says who brought a server.
type From string

const (
	FromSettings  From = "settings"
	FromAdded     From = "added"     // by rein mcp add
	FromWorkspace From = "workspace" // a folder that somebody trusts
)

// reserved are names before the dot of rein's own tools.
var reserved = []string{"codebase", "github", "mcp", "rein", "web"}

var serverName = regexp.MustCompile(`^[a-z0-9_]{1,24}$`)

// CheckName says what is wrong with the name of a server, if anything.
func CheckName(name string) error {
	switch {
	case !serverName.MatchString(name):
		return rein.Errorf(rein.CodeInvalid, "MCP server %.80q: a name has 1 to 24 lower-case letters, digits and '_'", name)
	case slices.Contains(reserved, name):
		return rein.Errorf(rein.CodeInvalid, "MCP server %q: rein's own tools have this name before their dot: choose another", name)
	}
	return nil
}

// Check says what is wrong with a server, if anything.
func (s Server) Check() error {
	if err := CheckName(s.Family()); err != nil {
		return err
	}
	wrong := func(format string, args ...any) error {
		return rein.Errorf(rein.CodeInvalid, "MCP server %s: "+format, append([]any{s.Name}, args...)...)
	}
	if (len(s.Command) == 0) == (s.URL == "") {
		return wrong("it needs either a command, for a program on this machine, or a URL")
	}
	for tool, effect := range s.Effects {
		if effect.Check() != nil || effect == rein.Checkable {
			return wrong("the effect of %q is %q and must be pure, idempotent or unsafe", tool, string(effect))
		}
	}
	check := s.checkCommand
	if s.URL != "" {
		check = s.checkHTTP
	}
	return cmp.Or(check(wrong), s.checkValues(wrong))
}

func (s Server) checkCommand(wrong func(string, ...any) error) error {
	switch {
	case s.Command[0] == "" || strings.ContainsRune(strings.Join(slices.Concat(s.Command, s.Env), ""), 0):
		return wrong("the command is empty, or has a NUL character in it")
	case len(s.Headers) > 0 || s.Login || s.ClientID != "" || s.ClientSecret != "":
		return wrong("headers and login are for servers with a URL")
	case !s.Sandbox && (len(s.Read) > 0 || len(s.Write) > 0 || s.Network):
		return wrong("read, write and network are for sandbox = true: without it the program can do what you can")
	}
	for _, path := range slices.Concat(s.Read, s.Write) {
		if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
			return wrong("%q must be the absolute path of a file or folder, and not all of them", path)
		}
	}
	for _, v := range s.Env {
		if name, _, _ := strings.Cut(v, "="); name == "" || strings.ContainsAny(name, " \t\n") {
			return wrong("the variable %q must be NAME or NAME=VALUE", name)
		}
	}
	option := ""
	for i, arg := range s.Command {
		if inPublic(option, arg) {
			return wrong("argument %d of the command looks like a secret, and everybody on the machine can read the arguments of a program: give it as a variable, with env", i)
		}
		option = arg
	}
	return nil
}

func (s Server) checkHTTP(wrong func(string, ...any) error) error {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return wrong("%.200q is not a URL such as https://example.org/mcp, without a user and a fragment", s.URL)
	}
	for name, values := range u.Query() {
		if slices.ContainsFunc(values, func(text string) bool { return inPublic("", name+"="+text) }) {
			return wrong("the value of %.80q in the URL looks like a secret, and addresses are shown: send it as a header", name)
		}
	}
	if len(s.Env) > 0 || s.Sandbox || s.Roots {
		return wrong("env, sandbox and roots are for servers with a command")
	}
	for name, value := range s.Headers {
		switch {
		case !headerName.MatchString(name) || strings.ContainsAny(value, "\r\n\x00"):
			return wrong("the header %.80q cannot be sent", name)
		case s.Login && strings.EqualFold(name, "authorization"):
			return wrong("it has login, which sends the header Authorization: remove one of them")
		}
	}
	if s.ClientSecret != "" && (!IsReference(s.ClientSecret) || s.ClientID == "") {
		return wrong("client_secret belongs to a client_id, and must be \"env:NAME\" or \"secret:NAME\"")
	}
	return nil
}

var headerName = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)

// IsLocal reports whether it is a program that rein starts.
func (s Server) IsLocal() bool { return len(s.Command) > 0 }

// IsPersonal reports whether each person has a connection of their own, with their own credentials.
func (s Server) IsPersonal() bool {
	return s.Login || slices.ContainsFunc(s.Values(), func(v Value) bool { return s.isPersonal(v.Text) })
}

// Hash names how the server is reached: a connection of another one is not used for it.
func (s Server) Hash() string {
	how := Server{
		Name: s.Name, Command: s.Command, Env: s.Env, URL: s.URL, Headers: s.Headers, Login: s.Login, ClientID: s.ClientID, ClientSecret: s.ClientSecret,
		Roots: s.Roots, Sampling: s.Sampling, Private: s.Private, Sandbox: s.Sandbox, Read: s.Read, Write: s.Write, Network: s.Network,
	}
	data, err := json.Marshal(how)
	if err != nil {
		return "" // texts can always be written
	}
	return digest.Joined(digest.Size, string(data), s.Dir)
}

// Peer names who is at the other end: the program with its variables and the folder it works in, or the address. What people
// allow holds for this peer only, whatever another one is called.
func (s Server) Peer() string {
	parts := slices.Concat([]string{s.URL, s.Dir, strconv.Itoa(len(s.Command))}, s.Command, s.Env)
	return digest.Listed(8, parts...)
}
