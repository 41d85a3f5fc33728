package client_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein/api/client"
)

// TestRemoteAddresses says which addresses a client takes a token to.
func TestRemoteAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, token, wrong string }{
		{"https://rein.example:8443", "t", ""},
		{"https://rein.example/", "t", ""},
		{"http://127.0.0.1:8080", "t", ""},
		{"http://localhost:8080", "t", ""},
		{"http://[::1]:8080", "t", ""},
		{"http://rein.example", "t", "use https"},
		{"http://127.0.0.1.example", "t", "use https"},
		{"rein.example", "t", "not the address"},
		{"ftp://rein.example", "t", "not the address"},
		{"https://ann:secret@rein.example", "t", "not the address"},
		{"https://rein.example/v1", "t", "not the address"},
		{"https://", "t", "not the address"},
		{"https://rein.example", "", "needs a token"},
		{"\x7f", "t", "not an address"},
	} {
		_, err := client.Remote(c.address, c.token)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q: %v, want %q", c.address, err, c.wrong)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error has the password: %v", c.address, err)
		}
	}
}

// TestRemoteToken sends the token with each request, and to nobody that the server names.
func TestRemoteToken(t *testing.T) {
	t.Parallel()
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { elsewhere = append(elsewhere, r.URL.Path) }))
	defer other.Close()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	c, err := client.Remote(server.URL, "rein_token")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Health(t.Context()); err == nil {
		t.Error("a redirect is taken for an answer")
	}
	if len(got) != 1 || got[0] != "Bearer rein_token" || len(elsewhere) != 0 {
		t.Errorf("sent %q, and %q elsewhere", got, elsewhere)
	}
}
