package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
)

// A redirect would take the prompt and the key to another host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	for _, given := range []*http.Client{nil, {}} {
		m, err := New(Options{Model: "m", BaseURL: server.URL, Key: "k-secret", Quirks: Quirks{KeyHeader: "Api-Key"}, HTTP: given})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Generate(t.Context(), hello, nil)
		if rein.CodeOf(err) != rein.CodeProvider || asked || !strings.Contains(err.Error(), "check that the base URL") {
			t.Errorf("%v; followed: %v", err, asked)
		}
	}
}
