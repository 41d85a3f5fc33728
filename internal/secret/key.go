package secret

import (
	"regexp"
	"strings"

	"rein"
)

var (
	secretKey = regexp.MustCompile(`(?i)(?:` + telling + `)$`)
	authKey   = regexp.MustCompile(`(?i)^(?:proxy-)?authorization$`)
	authValue = regexp.MustCompile(`(?i)^(?:bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{8,}$`)
)

// minValue is the shortest value that a key can make a secret.
const minValue = 8

// ByKey says what kind of secret a value is by its key, or "". What was redacted before is none.
func ByKey(key, value string) string {
	switch {
	case key == "" || strings.Contains(value, rein.Mask):
		return ""
	case authKey.MatchString(key) && authValue.MatchString(value):
		return "credentials"
	case secretKey.MatchString(key) && len(value) >= minValue && !strings.ContainsAny(value, " \t\r\n") && random(value):
		return "secret value"
	}
	return ""
}
