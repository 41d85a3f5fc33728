package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"rein"
)

// An Authorizer gives requests their tokens.
type Authorizer = auth.OAuthHandler

// A LoginError says that a person has to log in before their runs can use a server.
type LoginError struct{ Server string }

func (e *LoginError) Error() string {
	return fmt.Sprintf("you are not logged in to MCP server %s: run `rein mcp login %[1]s`", e.Server)
}

func (e *LoginError) Unwrap() error { return &rein.Error{Code: rein.CodeUnauthorized, Msg: e.Error()} }

// secretName is where the box has what belongs to a login.
func secretName(server string) string { return "mcp/" + server + "/login" }

// A kept is what the box has of a login. It is for one address: a server of the same name elsewhere gets nothing of it.
type kept struct {
	URL          string           `json:"url"`
	ClientID     string           `json:"client_id"`
	ClientSecret string           `json:"client_secret,omitempty"`
	TokenURL     string           `json:"token_url"`
	Style        oauth2.AuthStyle `json:"style"`
	Scopes       []string         `json:"scopes,omitempty"`
	Token        *oauth2.Token    `json:"token"`
}

// connect makes the connection of a key.
func (h *Hub) connect(ctx context.Context, k key, s Server) (*conn, error) {
	if h.o.Allow != nil {
		if err := h.o.Allow(ctx, s); err != nil {
			return nil, err
		}
	}
	handler, err := h.authorizer(ctx, s, k.owner, nobody, func(_ context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		h.want(s, k.owner, a.URL)
		return nil, &LoginError{s.Name}
	})
	if err != nil {
		return nil, err
	}
	c, err := h.dial(ctx, k, s, handler)
	if err != nil {
		return nil, err
	}
	if err := h.pinned(ctx, c); err != nil {
		_ = c.close()
		return nil, err
	}
	return c, nil
}

// nobody is the address for an answer that nobody waits for.
const nobody = "http://127.0.0.1/callback"

// authorizer makes what gives the requests of a person their tokens; nil: the server needs none.
func (h *Hub) authorizer(ctx context.Context, s Server, who Owner, redirect string, fetch auth.AuthorizationCodeFetcher) (Authorizer, error) {
	if !s.Login {
		return nil, nil
	}
	if h.o.Box == nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "MCP server %s needs a login, and this program keeps no secrets", s.Name)
	}
	client := h.o.Client(s)
	source, err := h.source(ctx, s, who, client)
	if err != nil {
		return nil, err
	}
	more := h.wanted(s, who)
	if redirect != nobody && len(more) > 0 {
		source = nil // what it is good for is not enough
	}
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: redirect, AuthorizationCodeFetcher: fetch, Client: client, RequestRefreshToken: true, InitialTokenSource: source,
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "rein", RedirectURIs: []string{redirect}, GrantTypes: []string{"authorization_code", "refresh_token"},
			ResponseTypes: []string{"code"},
		}},
		ScopeFilter: func(scopes []string) []string {
			for _, scope := range more {
				if !slices.Contains(scopes, scope) {
					scopes = append(scopes, scope)
				}
			}
			return scopes
		},
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			k := kept{URL: s.URL, ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: c.Endpoint.TokenURL, Style: c.Endpoint.AuthStyle, Scopes: c.Scopes, Token: t}
			saved := &savedSource{hub: h, server: s.Name, who: who, kept: k, source: c.TokenSource(ctx, t)}
			return saved, saved.save(t)
		},
	}
	switch {
	case strings.HasPrefix(s.ClientID, "https://"):
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: s.ClientID}
	case s.ClientID != "":
		if config.PreregisteredClient, err = h.registered(ctx, s, who); err != nil {
			return nil, err
		}
	}
	return auth.NewAuthorizationCodeHandler(config)
}

// want remembers what a server asked for and a person's token is not good for. The next login asks for it.
func (h *Hub) want(s Server, who Owner, where string) {
	u, err := url.Parse(where)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.scopes[key{s.Name, s.Hash(), who, ""}] = strings.Fields(u.Query().Get("scope"))
}

func (h *Hub) wanted(s Server, who Owner) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.scopes[key{s.Name, s.Hash(), who, ""}]
}

// registered is rein as the authorization server knows it.
func (h *Hub) registered(ctx context.Context, s Server, who Owner) (*oauthex.ClientCredentials, error) {
	c := &oauthex.ClientCredentials{ClientID: s.ClientID}
	if s.ClientSecret != "" {
		secret, err := h.value(ctx, s, who, s.ClientSecret)
		if err != nil {
			return nil, err
		}
		c.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: secret}
	}
	return c, nil
}

// source returns the tokens that a person has for a server; nil: none.
func (h *Hub) source(ctx context.Context, s Server, who Owner, client *http.Client) (oauth2.TokenSource, error) {
	data, err := h.o.Box.Get(ctx, who, secretName(s.Name))
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k kept
	if json.Unmarshal(data, &k) != nil || k.URL != s.URL || k.Token == nil {
		return nil, nil
	}
	config := oauth2.Config{ClientID: k.ClientID, ClientSecret: k.ClientSecret, Scopes: k.Scopes, Endpoint: oauth2.Endpoint{TokenURL: k.TokenURL, AuthStyle: k.Style}}
	lasting := context.WithValue(h.ctx, oauth2.HTTPClient, client)
	return &savedSource{hub: h, server: s.Name, who: who, kept: k, source: config.TokenSource(lasting, k.Token)}, nil
}

// A savedSource keeps each token that it gets in the box.
type savedSource struct {
	hub    *Hub
	server string
	who    Owner
	source oauth2.TokenSource

	mu   sync.Mutex
	kept kept
}

// Token implements oauth2.TokenSource.
func (s *savedSource) Token() (*oauth2.Token, error) {
	t, err := s.source.Token()
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response != nil && refused.Response.StatusCode < http.StatusInternalServerError {
		return nil, &LoginError{s.server} // it was revoked, or has expired
	}
	if err != nil {
		return nil, err
	}
	return t, s.save(t)
}

func (s *savedSource) save(t *oauth2.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored := s.kept.Token; stored != nil && stored != t && stored.AccessToken == t.AccessToken {
		return nil
	}
	s.kept.Token = t
	data, err := json.Marshal(s.kept)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.hub.ctx, 10*time.Second)
	defer cancel()
	return s.hub.o.Box.Put(ctx, s.who, secretName(s.server), data)
}
