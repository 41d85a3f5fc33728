package mcptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Guarded is the server over HTTP, for those who have a token of its own authorization server. That one asks nobody: a
// browser that comes to /authorize is sent back with the code "visitor". Who has a code gets the token "token-of-CODE".
type Guarded struct {
	*httptest.Server
	// Life is how long tokens are good, in seconds; zero means an hour. Then they are renewed.
	Life atomic.Int64

	handler http.Handler
	mu      sync.Mutex
	tokens  map[string]bool // that it has given
	came    []string
	renewed int
}

// NewGuarded starts one, which keeps what it did in a folder.
func NewGuarded(folder string) *Guarded {
	g := &Guarded{handler: Handler(folder), tokens: map[string]bool{}}
	mux := http.NewServeMux()
	g.Server = httptest.NewServer(mux)
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, map[string]any{"resource": g.Address(), "authorization_servers": []string{g.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, map[string]any{
			"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token", "registration_endpoint": g.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "response_types_supported": []string{"code"},
		})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]any
		_ = json.NewDecoder(r.Body).Decode(&asked)
		asked["client_id"], asked["token_endpoint_auth_method"] = "rein-1", "none"
		say(w, http.StatusCreated, asked)
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=visitor&state="+q.Get("state"), http.StatusFound)
	})
	mux.HandleFunc("/token", g.token)
	mux.HandleFunc("/mcp", g.serve)
	return g
}

// Address is where the MCP server is.
func (g *Guarded) Address() string { return g.URL + "/mcp" }

// Came lists what requests had as Authorization.
func (g *Guarded) Came() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.came, " ")
}

// Renewed counts how often somebody renewed a token.
func (g *Guarded) Renewed() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.renewed
}

func (g *Guarded) token(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("code")
	switch {
	case r.FormValue("grant_type") == "refresh_token":
		code = strings.TrimPrefix(r.FormValue("refresh_token"), "refresh-of-") + "+"
		g.mu.Lock()
		g.renewed++
		g.mu.Unlock()
	case r.FormValue("code_verifier") == "" || code == "refused":
		say(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	g.mu.Lock()
	g.tokens["Bearer token-of-"+code] = true
	g.mu.Unlock()
	life := g.Life.Load()
	if life == 0 {
		life = int64(time.Hour / time.Second)
	}
	say(w, http.StatusOK, map[string]any{"access_token": "token-of-" + code, "token_type": "Bearer", "expires_in": life, "refresh_token": "refresh-of-" + code})
}

func (g *Guarded) serve(w http.ResponseWriter, r *http.Request) {
	has := r.Header.Get("Authorization")
	g.mu.Lock()
	g.came = append(g.came, has)
	good := g.tokens[has]
	g.mu.Unlock()
	if !good {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+g.URL+`/.well-known/oauth-protected-resource/mcp"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	g.handler.ServeHTTP(w, r)
}

func say(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
