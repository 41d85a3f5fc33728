package look

// Box draws a frame around rows, which must fit into width-4 cells. The title and the state stand in its upper edge.
// Paint colours the frame; nil leaves it as it is.
func (t Theme) Box(title, state string, rows []string, width int, paint func(string) string) []string {
	if paint == nil {
		paint = func(s string) string { return s }
	}
	s, inner := t.Signs, width-4
	if inner < 4 {
		return rows
	}
	framed := []string{t.edge(title, state, width, paint)}
	for _, row := range rows {
		framed = append(framed, paint(s.Upright)+" "+Pad(t.Cut(row, inner), inner)+" "+paint(s.Upright))
	}
	return append(framed, paint(s.BottomLeft+repeat(s.Flat, width-2)+s.BottomRight))
}

// edge is the upper edge: ┌ title ───── state ───┐.
func (t Theme) edge(title, state string, width int, paint func(string) string) string {
	s := t.Signs
	if state != "" {
		state = " " + state + " "
	}
	room := width - 2 - Cells(state) - 3
	if room < 8 {
		state, room = "", width-5
	}
	title = t.Cut(title, room-2)
	if title != "" {
		title = " " + title + " "
	}
	line := width - 2 - Cells(title) - Cells(state) - 3
	return paint(s.TopLeft) + title + paint(repeat(s.Flat, line)) + state + paint(repeat(s.Flat, 3)+s.TopRight)
}

func repeat(s string, n int) string {
	if n <= 0 {
		return ""
	}
	b := make([]byte, 0, n*len(s))
	for range n {
		b = append(b, s...)
	}
	return string(b)
}
