package main

import (
	"fmt"
	"slices"
	"strings"
)

// How large things are, in pixels.
const (
	cellWidth, cellHeight = 8.4, 18.0
	baseline              = 13.5 // of the text in a row
	border                = 12.0 // around the screen
	bar                   = 26.0 // above it, as of a window
	seconds               = 2.6  // that a frame is shown
)

// looks are the colours. The terminal's sixteen are classes, so that each theme has its own.
const looks = `
.w{fill:#fbfbfc;stroke:#d5d8de}.b{fill:#eceef1}.o{fill:#c8ccd3}text{fill:#24292f;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}path{stroke:#24292f;fill:none}
.c1{--c:#b3261e}.c2{--c:#1a7f37}.c3{--c:#8a5a00}.c4{--c:#0a5bc4}.c5{--c:#6d3fc8}.c6{--c:#0b7285}.c0,.c7,.c8{--c:#5c6570}
text[class^=c]{fill:var(--c)}path[class^=c]{stroke:var(--c)}
.d{opacity:.62}.B{font-weight:700}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}.r{fill:#24292f}text.R{fill:#fbfbfc}
@media(prefers-color-scheme:dark){.w{fill:#14171c;stroke:#2c313a}.b{fill:#1d2128}.o{fill:#3a404b}text{fill:#dfe3ea}path{stroke:#dfe3ea}.c1{--c:#ff7b72}.c2{--c:#56d364}.c3{--c:#e3b341}.c4{--c:#79b8ff}.c5{--c:#bc8cff}.c6{--c:#56d4dd}.c0,.c7,.c8{--c:#8b949e}.r{fill:#dfe3ea}text.R{fill:#14171c}}
`

// A frame is the screen at one moment.
type frame struct {
	name   string
	rows   [][]cell
	cursor [2]int // column and row; negative: there is none
	aside  bool   // it is only to be looked at
}

// movie draws frames one after the other, forever. Where people want no motion it shows the frame that is called still.
func movie(frames []frame) []byte {
	var b strings.Builder
	const width, height = columns*cellWidth + 2*border, rows*cellHeight + bar + border
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" aria-label="A session of rein in a terminal">`, width, height)
	b.WriteString("<style>" + looks + motion(frames) + "</style>\n")
	fmt.Fprintf(&b, `<rect class="w" x=".5" y=".5" width="%.1f" height="%.1f" rx="8"/><path class="bar" d="M1 %.1fH%.1f"/>`, width-1, height-1, bar, width-1)
	for i := range 3 {
		fmt.Fprintf(&b, `<circle class="o" cx="%d" cy="13" r="4.5"/>`, 18+16*i)
	}
	b.WriteString("\n")
	for i, f := range frames {
		fmt.Fprintf(&b, `<g class="f" id="f%d" transform="translate(%.0f %.0f)">`+"\n", i, border, bar+border/2)
		f.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// motion shows each frame in its time.
func motion(frames []frame) string {
	css := "path.bar{stroke:#8886}"
	if len(frames) < 2 {
		return css
	}
	share, shown := 100/float64(len(frames)), max(0, slices.IndexFunc(frames, func(f frame) bool { return f.name == still }))
	css += fmt.Sprintf("@keyframes f{0%%,%.3f%%{visibility:visible}%.3f%%,100%%{visibility:hidden}}.f{visibility:hidden}#f%d{visibility:visible}", share, share, shown)
	css += fmt.Sprintf("@media(prefers-reduced-motion:no-preference){.f,#f%d{visibility:hidden;animation:f %.1fs step-end infinite}", shown, seconds*float64(len(frames)))
	for i := range frames {
		css += fmt.Sprintf("#f%d{animation-delay:%.1fs}", i, seconds*float64(i))
	}
	return css + "}"
}

// draw writes a frame: grounds first, then lines, then text.
func (f frame) draw(b *strings.Builder) {
	for y, row := range f.rows {
		for _, r := range piecesOf(row) {
			if r.style.reverse || r.style.ground >= 0 {
				fmt.Fprintf(b, `<rect class="r" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, r.x(), float64(y)*cellHeight, float64(r.cells)*cellWidth, cellHeight)
			}
		}
	}
	f.lines(b)
	for y, row := range f.rows {
		for _, r := range piecesOf(row) {
			r.write(b, y)
		}
	}
	if f.cursor[0] >= 0 {
		fmt.Fprintf(b, `<rect class="r d" x="%.1f" y="%.1f" width="2" height="%.1f"/>`, float64(f.cursor[0])*cellWidth, float64(f.cursor[1])*cellHeight+1, cellHeight-2)
	}
	b.WriteString("\n")
}

// A piece is cells beside each other that look the same.
type piece struct {
	style     style
	at, cells int
	text      strings.Builder
}

func (r *piece) x() float64 { return float64(r.at) * cellWidth }

func piecesOf(row []cell) (pieces []*piece) {
	for x, c := range row {
		if len(pieces) == 0 || pieces[len(pieces)-1].style != c.style {
			pieces = append(pieces, &piece{style: c.style, at: x})
		}
		last := pieces[len(pieces)-1]
		last.cells++
		if _, ok := strokes[c.text]; ok {
			last.text.WriteString(" ")
			continue
		}
		last.text.WriteString(c.text)
	}
	return pieces
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// write writes the text of a piece, in exactly as many cells as it had.
func (r *piece) write(b *strings.Builder, y int) {
	text := strings.TrimRight(r.text.String(), " ")
	if text == "" {
		return
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	text = text[lead:]
	cells := r.cells - lead - (len(r.text.String()) - lead - len(text))
	fmt.Fprintf(b, `<text%s x="%.1f" y="%.1f" textLength="%.1f">%s</text>`, r.class(), r.x()+float64(lead)*cellWidth, float64(y)*cellHeight+baseline, float64(cells)*cellWidth, entities.Replace(text))
}

// class names how a piece looks.
func (r *piece) class() string {
	var names []string
	add := func(is bool, name string) {
		if is {
			names = append(names, name)
		}
	}
	add(r.style.colour >= 0, fmt.Sprintf("c%d", r.style.colour%8))
	add(r.style.bold, "B")
	add(r.style.dim, "d")
	add(r.style.italic, "i")
	add(r.style.underlined, "u")
	add(r.style.struck, "s")
	add(r.style.reverse, "R")
	if len(names) == 0 {
		return ""
	}
	return ` class="` + strings.Join(names, " ") + `"`
}
