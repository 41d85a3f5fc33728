// Package prose tells prose from what models write for programs: calls, JSON and control blocks. A reply that
// may be either is shown to people only where it is prose. One rule serves whoever shows a reply while it is
// written, and whoever reads it when it is whole.
package prose

import (
	"strings"

	"rein/internal/lenient"
)

// Of returns the part of a whole reply that is for people, as it is: all but an object at its end. ok is
// false of a reply that begins like a call, JSON or code: a reply is prose from its first word, or not at all.
func Of(reply string) (text string, ok bool) {
	var out strings.Builder
	g := Gate{Show: func(text string) { out.WriteString(text) }}
	g.Write(reply)
	g.Close()
	return out.String(), strings.TrimSpace(out.String()) != ""
}

// openers begin what is not prose: objects and lists, blocks of calls, and code.
const openers = "{[<`~"

// maxTail is how long an object at the end of a reply is at most. What is longer is a part of the text.
const maxTail = 400

// A Gate passes on a reply while it is written, as far as it can only be prose.
type Gate struct {
	Show func(text string)

	held   string
	begun  bool // with prose
	shut   bool // it began with something else
	inLine bool // the line that held continues has words in it
}

// Write takes the next piece of the reply.
func (g *Gate) Write(text string) {
	if g.shut {
		return
	}
	g.held += text
	if !g.begun && !g.begin() {
		return
	}
	g.pass(g.settled())
}

// begin decides by its first letter what the reply is. It reports whether that is prose.
func (g *Gate) begin() bool {
	words := strings.TrimLeft(g.held, " \t\r\n")
	if words == "" {
		return false
	}
	g.shut = strings.Contains(openers, words[:1])
	g.begun = !g.shut
	return g.begun
}

func (g *Gate) pass(n int) {
	if n > 0 {
		g.Show(g.held[:n])
		g.held = g.held[n:]
	}
}

// settled returns how much of what is held cannot be the object at the end.
func (g *Gate) settled() int {
	for i := 0; i < len(g.held); i++ {
		switch c := g.held[i]; {
		case c == '\n':
			g.inLine = false
		case c == ' ' || c == '\t' || c == '\r':
		case !g.inLine && opensTail(g.held[i:]) && len(g.held)-i < maxTail:
			return i
		default:
			g.inLine = true
		}
	}
	return len(g.held)
}

// opensTail reports whether an object, or a fence around one, begins here or may begin.
func opensTail(text string) bool {
	return text[0] == '{' || strings.HasPrefix(text, "```") || strings.HasPrefix("```", text)
}

// Close ends the reply: what is held is passed on, unless it is an object.
func (g *Gate) Close() {
	if g.begun && !isObject(g.held) {
		g.pass(len(g.held))
	}
	g.held = ""
}

func isObject(text string) bool {
	found, err := lenient.Last(text)
	if err != nil {
		return false
	}
	return strings.Trim(text[:found.Start], " \t\r\n") == "" && strings.TrimSpace(text[found.End:]) == ""
}
