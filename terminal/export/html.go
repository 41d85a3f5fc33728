package export

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"fmt"
	"html/template"
	"reflect"
	"strings"
	"time"

	"rein/internal/units"
	"rein/internal/visible"
)

//go:embed page.html
var pageText string

//go:embed page.css
var styleText string

// policy lets the page use its one style and the images inside it, and nothing else: no script, no other style, nothing from
// elsewhere, no form. A browser keeps to it even if the escaping had a mistake.
var policy = func() string {
	sum := sha256.Sum256([]byte(styleText))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}()

// An htmlForm writes the page. html/template escapes each value for the place where it stands.
type htmlForm struct{ out *bufio.Writer }

// put writes a part with the template that is named after its type.
func (f *htmlForm) put(part any) error {
	return page.ExecuteTemplate(f.out, reflect.TypeOf(part).Elem().Name(), part)
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"line":   func(s any) string { return visible.Line(fmt.Sprint(s)) },
	"lines":  visible.Lines,
	"first":  first,
	"rich":   rich,
	"uri":    uri,
	"style":  func() template.CSS { return template.CSS(styleText) },
	"policy": func() string { return policy },
	"when":   units.When,
	"clock":  func(t time.Time) string { return t.Local().Format("15:04:05") },
	"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"zone":   zone,
	"number": units.Number,
	"count":  units.Count,
	"size":   units.Size,
	"join":   strings.Join,
	"rows":   diffRows,
}).Parse(pageText))

// first is the first line of a text.
func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return visible.Line(line)
}

// zone names the time zone of the times.
func zone(t time.Time) string { return t.Local().Format("MST") }

// uri holds an embedded image. Its type is one that its bytes showed, never what somebody called it.
func uri(p picture) template.URL {
	return template.URL("data:" + p.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Data))
}

// A row is a line of an output; in a diff it was added, removed or names a place.
type row struct{ Text, Tone string }

// diffRows returns the lines of a text that is a unified diff, or nil.
func diffRows(text string) []row {
	lines := strings.Split(text, "\n")
	if !isDiff(lines) {
		return nil
	}
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i].Text = visible.Line(strings.ReplaceAll(line, "\t", "    "))
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "@@"):
			rows[i].Tone = "place"
		case strings.HasPrefix(line, "+"):
			rows[i].Tone = "added"
		case strings.HasPrefix(line, "-"):
			rows[i].Tone = "removed"
		}
	}
	return rows
}

// isDiff reports whether lines look like a unified diff.
func isDiff(lines []string) bool {
	for i, line := range lines {
		if i > 0 && strings.HasPrefix(line, "+++ ") && strings.HasPrefix(lines[i-1], "--- ") || strings.HasPrefix(line, "@@ -") {
			return true
		}
	}
	return false
}
