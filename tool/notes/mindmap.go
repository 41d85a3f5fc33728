package notes

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/tool"
	"rein/vault/parse"
	"rein/vault/stage"
)

//go:embed render_mindmap.md
var mindmapText string

// How large a map may be.
const (
	maxMapNodes = 500
	maxMapDepth = 12
	maxLabel    = 120 // characters
)

// leaf is a level below that of every heading.
const leaf = 1000

type mindmapArgs struct {
	Path      string `json:"path" jsonschema:"the note to write, ending in .md" min:"1" max:"1000"`
	Note      string `json:"note,omitempty" jsonschema:"a note whose headings and links become the map" max:"1000"`
	Outline   string `json:"outline,omitempty" jsonschema:"the map itself: lines, indented by two spaces a level" max:"100000"`
	Format    string `json:"format,omitempty" jsonschema:"how the map is written" enum:"mermaid,markmap" default:"mermaid"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"true: replace a note that exists" default:"false"`
}

func (w writer) renderMindmap() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "render_mindmap", Text: mindmapText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, args mindmapArgs) (rein.Done, error) {
		root, err := w.mapOf(ctx, inv, args)
		if err != nil {
			return rein.Done{}, err
		}
		content := root.mermaid()
		if args.Format == "markmap" {
			content = root.markmap()
		}
		return w.stage(ctx, inv, args.Path, func(n stage.Note) ([]byte, error) {
			if n.Exists && !args.Overwrite {
				return nil, rein.Errorf(rein.CodeConflict, "%q exists: name another path, or overwrite to replace all of it", n.Path)
			}
			return whole(n, content)
		})
	})
}

func (w writer) mapOf(ctx context.Context, inv rein.Invocation, args mindmapArgs) (*branch, error) {
	if (args.Note == "") == (strings.TrimSpace(args.Outline) == "") {
		return nil, rein.Errorf(rein.CodeInvalid, "name either a note or an outline")
	}
	if args.Note == "" {
		return fromOutline(args.Outline)
	}
	place, err := stage.PlaceOf(inv.Task)
	if err != nil {
		return nil, err
	}
	n, err := w.desk.Read(ctx, place, args.Note)
	if err != nil {
		return nil, err
	}
	if err := mustExist(n); err != nil {
		return nil, err
	}
	return fromNote(n)
}

// A branch is a node of a map with what is below it.
type branch struct {
	label string
	below []*branch
}

// A grower builds a map from nodes and their levels, in the order of the text.
type grower struct {
	open   []*branch // from the root to the last node
	levels []int
	count  int
}

// add puts a node below the last one of a lower level.
func (g *grower) add(label string, level int) error {
	if label = tidy(label); label == "" {
		return nil
	}
	if g.count++; g.count > maxMapNodes {
		return rein.Errorf(rein.CodeLimit, "the map has more than %d nodes: make an outline of what matters", maxMapNodes)
	}
	for len(g.open) > 1 && g.levels[len(g.levels)-1] >= level {
		g.open, g.levels = g.open[:len(g.open)-1], g.levels[:len(g.levels)-1]
	}
	node := &branch{label: label}
	if len(g.open) > 0 {
		last := g.open[len(g.open)-1]
		last.below = append(last.below, node)
	}
	if len(g.open) < maxMapDepth {
		g.open, g.levels = append(g.open, node), append(g.levels, level)
	}
	return nil
}

func (g *grower) root() (*branch, error) {
	if len(g.open) == 0 {
		return nil, rein.Errorf(rein.CodeInvalid, "there is nothing to make a map of: write an outline")
	}
	return g.open[0], nil
}

// fromOutline reads indented lines. Marks of lists and headings do not count; a heading's level is
// that of its marks.
func fromOutline(text string) (*branch, error) {
	var g grower
	heading := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r\n")
		label := strings.TrimLeft(line, " ")
		level := len(line) - len(label)
		if marks := len(label) - len(strings.TrimLeft(label, "#")); marks > 0 && strings.HasPrefix(label[marks:], " ") {
			heading, level, label = marks, marks-1000, strings.TrimSpace(label[marks:])
		} else if heading > 0 {
			level++ // below the heading
		}
		for _, mark := range []string{"- ", "* ", "+ "} {
			label = strings.TrimPrefix(label, mark)
		}
		if len(g.open) == 0 {
			level = -2000 // the first line is the root
		}
		if err := g.add(label, level); err != nil {
			return nil, err
		}
	}
	return g.root()
}

// fromNote takes the headings of a note, and the notes that each section links to.
func fromNote(n stage.Note) (*branch, error) {
	parsed := parse.Parse(n.Content)
	var g grower
	title := or(tidy(parsed.Title), strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path)))
	if err := g.add(title, -1); err != nil {
		return nil, err
	}
	slices.SortStableFunc(parsed.Links, func(a, b parse.Link) int { return a.At - b.At })
	headings := parsed.Headings
	if len(headings) > 0 && headings[0].Level == 1 && tidy(headings[0].Text) == title {
		headings = headings[1:]
	}
	seen := map[string]bool{}
	links := func(end int) error {
		for len(parsed.Links) > 0 && parsed.Links[0].At < end {
			l := parsed.Links[0]
			parsed.Links = parsed.Links[1:]
			label := or(l.Label, path.Base(l.Target))
			if !l.Wiki || l.Embed || l.Target == "" || seen[label] {
				continue
			}
			seen[label] = true
			if err := g.add(label, leaf); err != nil {
				return err
			}
		}
		return nil
	}
	for _, h := range headings {
		if err := links(h.Start); err != nil {
			return nil, err
		}
		clear(seen)
		if err := g.add(h.Text, h.Level); err != nil {
			return nil, err
		}
	}
	if err := links(len(n.Content)); err != nil {
		return nil, err
	}
	return g.root()
}

// tidy makes a label of a text: one line, not too long.
func tidy(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if isControl(c) {
			return ' '
		}
		return c
	}, text)), " ")
	if runes := []rune(text); len(runes) > maxLabel {
		text = string(runes[:maxLabel-1]) + "…"
	}
	return text
}

// mermaid writes the map as a diagram in a block of code.
func (b *branch) mermaid() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n```mermaid\nmindmap\n", plainMark(b.label))
	n := 0
	b.walk(1, func(label string, depth int) {
		n++
		fmt.Fprintf(&out, "%sn%d[\"%s\"]\n", strings.Repeat("  ", depth), n, mermaidLabel(label))
	})
	out.WriteString("```\n")
	return out.String()
}

// Mermaid reads #lt; and &lt; as characters, and %%{…}%% as settings, also inside quotes; a browser
// reads what is left as HTML.
var (
	mermaidEntity = regexp.MustCompile(`&#?\w+;|#\w+;`)
	mermaidMarks  = strings.NewReplacer(`"`, "'", "`", "'", "<", "#lt;", ">", "#gt;", "%%", "#37;#37;", "%{", "#37;{", "$$", "#36;#36;")
)

// mermaidLabel writes a label so that it is drawn as it is.
func mermaidLabel(label string) string {
	label = mermaidEntity.ReplaceAllStringFunc(label, strings.NewReplacer("&", "#amp;", "#", "#35;").Replace)
	return mermaidMarks.Replace(label)
}

// markmap writes the map as Markdown, which is what Markmap draws.
func (b *branch) markmap() string {
	var out strings.Builder
	out.WriteString("---\nmarkmap:\n  colorFreezeLevel: 2\n---\n\n")
	b.walk(0, func(label string, depth int) {
		if depth == 0 {
			fmt.Fprintf(&out, "# %s\n\n", plainMark(label))
			return
		}
		fmt.Fprintf(&out, "%s- %s\n", strings.Repeat("  ", depth-1), plainMark(label))
	})
	return out.String()
}

// markdownMarks takes from a text what Markdown, and the programs that show it, read as links, HTML,
// code, comments, formulas and formatting.
var markdownMarks = strings.NewReplacer("\\", `\\`, "<", "&lt;", "&", "&amp;", "`", "'", "[[", `\[`, "]]", `\]`, "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`)

var numbered = regexp.MustCompile(`^(\d+)([.)])`)

// plainMark writes a label as the text of a line of Markdown.
func plainMark(label string) string {
	label = numbered.ReplaceAllString(markdownMarks.Replace(label), `$1\$2`)
	for _, mark := range []string{"%", "$"} { // alone they are harmless
		if strings.Contains(label, mark+mark) {
			label = strings.ReplaceAll(label, mark, `\`+mark)
		}
	}
	if strings.ContainsAny(label[:1], "#-+>=|~:") {
		label = `\` + label
	}
	return label
}

func (b *branch) walk(depth int, visit func(label string, depth int)) {
	visit(b.label, depth)
	for _, child := range b.below {
		child.walk(depth+1, visit)
	}
}
