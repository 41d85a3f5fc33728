package secret_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/internal/secret"
)

func TestKinds(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                                             nil,
		"The token of the house is in the tin.":                        nil,
		"Use AKIAIOSFODNN7EXAMPLE here.":                               {"aws access key id"},
		`password = "hunter2hunter2"`:                                  {"secret value"},
		"postgres://ann:s3cret-word@db/main":                           {"password"},
		"3b241101-e2bb-4255-8caf-4136c566a962":                         nil,
		"ghp_0123456789abcdefghijklmnopqrstuvwx":                       {"github token"},
		"rein_abcdefghij27_abcdefghijklmnopqrstuvwx27":                 {"rein token"},
		"reinweb_abcdefghij27_abcdefghijklmnopqrstuvwx27":              {"rein token"},
		"/login?link=reinlink_abcdefghij27_abcdefghijklmnopqrstuvwx27": {"rein token"},
		"rein_socket_of_the_data_folder":                               nil,
	} {
		if got := secret.Kinds(text); !cmp.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestByKey(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"api_key", "abc123def456", "secret value"},
		{"Authorization", "Bearer abc123def456", "credentials"},
		{"api_key", "changeme", ""},
		{"title", "abc123def456", ""},
		{"api_key", "[redacted: secret value]", ""},
	} {
		if got := secret.ByKey(c.key, c.value); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.key, c.value, got, c.want)
		}
	}
}
