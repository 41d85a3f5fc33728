package prose

import "strings"

// Body returns a gate for a reply that is known to be prose, and that may only end with an object for a program.
func Body(show func(text string)) *Gate { return &Gate{Show: show, begun: true} }

// WithoutTail returns a whole text that is prose without the object at its end, if it has one.
func WithoutTail(text string) string {
	var out strings.Builder
	g := Body(func(text string) { out.WriteString(text) })
	g.Write(text)
	g.Close()
	return out.String()
}
