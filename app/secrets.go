package app

import (
	"regexp"
	"strings"

	"rein"
	"rein/engine/guard"
)

// addresses finds addresses in a text, with the parts of them that can hold a secret: who signs in,
// and the values of a query.
var (
	signIns = regexp.MustCompile(`(://)[^\s/?#"'@]+@`)
	queries = regexp.MustCompile(`(://[^\s"'?#]*[?][^\s"'=&#]*=|[&][^\s"'=&#]*=)[^\s"'&#,\]]+`)
)

// WithoutSecrets returns the value of a setting as it can be shown.
func WithoutSecrets(text string) string {
	text, _, _ = (*guard.Redactor)(nil).Text(text)
	if !strings.Contains(text, "://") {
		return text
	}
	text = signIns.ReplaceAllString(text, "${1}"+rein.Mask+"credentials]@")
	return queries.ReplaceAllString(text, "${1}"+rein.Mask+"secret value]")
}
