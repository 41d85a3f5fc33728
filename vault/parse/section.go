package parse

import (
	"slices"
	"strconv"
	"strings"
)

// separator stands between the headings of a section's full name.
const separator = " > "

// nameSections fills in where sections end, what lies above them, and a unique name for each.
func nameSections(headings []Heading, end int) {
	slices.SortStableFunc(headings, func(a, b Heading) int { return a.Start - b.Start })
	count := map[string]int{}
	var open []int
	for i := range headings {
		h := &headings[i]
		for len(open) > 0 && headings[open[len(open)-1]].Level >= h.Level {
			headings[open[len(open)-1]].End = h.Start
			open = open[:len(open)-1]
		}
		open = append(open, i)
		for _, above := range open[max(0, len(open)-6):] {
			h.Path = append(h.Path, headings[above].Text)
		}
		count[fold(h.Text)]++
	}
	for _, i := range open {
		headings[i].End = end
	}
	taken, next := map[string]bool{}, map[string]int{}
	for i := range headings {
		h := &headings[i]
		name := h.Text
		if count[fold(h.Text)] > 1 {
			name = strings.Join(h.Path, separator)
		}
		h.Name = name
		for taken[fold(h.Name)] {
			if next[name] == 0 {
				next[name] = 1
			}
			next[name]++
			h.Name = name + " (" + strconv.Itoa(next[name]) + ")"
		}
		taken[fold(h.Name)] = true
	}
}

// Section finds a section by its unique name, its text, or the texts of the headings that lead to it
// with " > " or "#" between them. Case, blanks and the marks of headings do not count. If several fit,
// the first is returned.
func (n *Note) Section(name string) (Heading, bool) {
	if strings.TrimSpace(name) == "" {
		return Heading{}, false
	}
	want := fold(name)
	for _, same := range []func(h Heading) bool{
		func(h Heading) bool { return h.Name == name },
		func(h Heading) bool { return fold(h.Name) == want },
		func(h Heading) bool { return fold(h.Text) == want },
		func(h Heading) bool { return endsWith(h.Path, name, separator) },
		func(h Heading) bool { return endsWith(h.Path, name, "#") },
	} {
		if i := slices.IndexFunc(n.Headings, same); i >= 0 {
			return n.Headings[i], true
		}
	}
	return Heading{}, false
}

func endsWith(path []string, name, separator string) bool {
	parts := strings.Split(name, separator)
	if len(parts) > len(path) {
		return false
	}
	for i, p := range path[len(path)-len(parts):] {
		if fold(p) != fold(parts[i]) {
			return false
		}
	}
	return true
}

func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(s), "# ")), " "))
}
