package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// A Page is the document for people: one file without scripts, that loads nothing.
type Page struct {
	HTML   []byte
	Policy string // the Content-Security-Policy: nothing but its own style
}

// NewPage writes the page of a document.
func NewPage(d Document) (Page, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"inWords": InWords, "response": d.Response, "curl": d.Curl, "of": d.Of, "paragraphs": paragraphs, "prose": prose, "wordsOf": WordsOf, "payloadsOf": PayloadsOf,
		"style": func() template.CSS { return template.CSS(pageCSS) },
		"names": func(all map[string]*jsonschema.Schema) []string { return slices.Sorted(maps.Keys(all)) },
		"well":  func(o Operation) []string { all, _ := o.Statuses(); return all },
		"bad":   func(o Operation) []string { _, all := o.Statuses(); return all },
		"lower": strings.ToLower,
		"has":   slices.Contains[[]string],
	}).Parse(pageHTML)
	if err != nil {
		return Page{}, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, d); err != nil {
		return Page{}, err
	}
	sum := sha256.Sum256([]byte(pageCSS))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return Page{HTML: out.Bytes(), Policy: policy}, nil
}

// paragraphs splits a text at its empty lines.
func paragraphs(text string) []string { return strings.Split(text, "\n\n") }

// A Prose is a piece of text; every second one stood between backquotes.
type Prose struct {
	Text string
	Code bool
}

func prose(text string) (all []Prose) {
	for i, part := range strings.Split(text, "`") {
		all = append(all, Prose{part, i%2 == 1})
	}
	return all
}
