package app

import (
	"testing"
)

// Addresses in settings are shown without what may be a secret in them.
//
// Attack: 66 68
func TestSettingsAreShownWithoutSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"offline":                                    "offline",
		"http://127.0.0.1:11434/v1":                  "http://127.0.0.1:11434/v1",
		"https://host/v1?api=hunter2":                "https://host/v1?api=[redacted: secret value]",
		"https://host/v1?a=1&b=two#x":                "https://host/v1?a=[redacted: secret value]&b=[redacted: secret value]#x",
		"https://ann@host/v1":                        "https://[redacted: credentials]@host/v1",
		"https://ann:short@host/v1":                  "https://ann:[redacted: password]@host/v1",
		"ghp_0123456789abcdefghijklmnopqrstuvwx":     "[redacted: github token]",
		`models.x.base_url "https://h?k=v" is wrong`: `models.x.base_url "https://h?k=[redacted: secret value]" is wrong`,
	} {
		if got := WithoutSecrets(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
