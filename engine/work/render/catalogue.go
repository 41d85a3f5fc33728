package render

import (
	_ "embed"
	"strings"

	"rein"
	"rein/internal/quote"
)

var (
	//go:embed tools.md
	toolsText string
	//go:embed syntax.md
	syntaxText string
)

// catalogue describes the tools to a model that is given none by its API, in the order in which they
// are offered, and how to write a call if we are to read it.
func catalogue(offered []rein.Tool, syntax bool) rein.Message {
	texts := []string{strings.TrimSpace(toolsText)}
	for _, t := range offered {
		schema := `{"type":"object"}`
		if len(t.Schema) > 0 {
			schema = line(t.Schema)
		}
		// A description may come from a server of somebody else.
		texts = append(texts, quote.Escape("## "+t.Name+"\n"+strings.TrimSpace(t.Description)+"\nArguments: "+schema))
	}
	if syntax {
		texts = append(texts, strings.TrimSpace(syntaxText))
	}
	return rein.Message{Role: rein.Developer, Text: paragraphs(texts...)}
}
