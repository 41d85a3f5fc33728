package look

// A Hint is a key and what it does.
type Hint struct{ Key, Does string }

// Hints is a row that names keys: as many as fit, the first ones before the others. The last one, which is the way out,
// is always there.
func (t Theme) Hints(hints []Hint, cells int) string {
	if len(hints) == 0 {
		return ""
	}
	last := t.hint(hints[len(hints)-1])
	row := ""
	for _, h := range hints[:len(hints)-1] {
		next := row + t.hint(h) + "  "
		if Cells(next)+Cells(last) > cells {
			break
		}
		row = next
	}
	return t.Cut(row+last, cells)
}

func (t Theme) hint(h Hint) string { return t.Strong(h.Key) + " " + t.Dim(h.Does) }
