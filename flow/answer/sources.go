package answer

import (
	"slices"
	"strings"

	"rein"
)

// A citation is a source that an answer names. It is ok if a tool returned it in this run.
type citation struct {
	source
	OK    bool   `json:"ok"`
	Quote string `json:"quote,omitempty"` // how the passage begins
	extent
	File bool `json:"file,omitempty"` // it names a file that was read, not a note of the vault
}

// cited checks what an answer cites. Where nothing in this run supports a citation it no longer looks
// like one in the text that is shown.
func (e *evidence) cited(task rein.Task, answer string) (shown string, all []citation, doubtful []claim) {
	lang := languageOf(answer)
	shown = e.marked(task, answer, func(m mention, c citation) {
		if !slices.ContainsFunc(all, func(had citation) bool { return had.source == c.source }) {
			all = append(all, c)
		}
		if !c.OK {
			return
		}
		if d := doubt(sentenceBefore(answer, m.start), lang, c.source, e.said(c.source)); d != nil && !(m.wiki && inQuotes(answer, m.start)) {
			doubtful = append(doubtful, *d)
		}
	})
	return shown, all, doubtful
}

// marked returns an answer in which what nothing supports does not look like a citation. It reports each
// citation to see.
func (e *evidence) marked(task rein.Task, answer string, see func(mention, citation)) string {
	known := func(ref string) bool { _, ok := e.resolve(ref, false); return ok }
	var b strings.Builder
	from := 0
	for _, m := range mentions(answer, known) {
		var parts []string
		supported := true
		for _, ref := range m.refs {
			c, ok := e.resolve(ref, m.wiki)
			see(m, c)
			supported = supported && ok
			if ok {
				parts = append(parts, "["+c.String()+"]")
			} else {
				parts = append(parts, say(task, "unsupported", plainName(ref)))
			}
		}
		if supported {
			continue
		}
		if label := plainName(m.label); label != "" && label != plainName(m.refs[0]) {
			parts = append([]string{label}, parts...)
		}
		b.WriteString(answer[from:m.start])
		if m.start > 0 && strings.HasSuffix(answer[:m.start], "]") {
			b.WriteString(" ") // brackets and parentheses side by side would be a link
		}
		b.WriteString(strings.Join(parts, " "))
		from = m.end
	}
	return b.String() + answer[from:]
}

// said is everything that was read of a source: of its section, or of the whole note if none is named.
func (e *evidence) said(s source) string {
	var all []string
	for _, p := range e.passages {
		if p.Path == s.Path && (s.Section == "" || sameSection(p.Section, s.Section) || p.Section == "") {
			all = append(all, p.Path, p.Section, p.text)
		}
	}
	return strings.Join(all, "\n")
}

// resolve finds the source that a citation names.
func (e *evidence) resolve(ref string, wiki bool) (citation, bool) {
	ref = strings.TrimSpace(ref)
	for at := 0; at <= len(ref); at++ { // a path may hold the mark that parts it from the section
		if at < len(ref) && ref[at] != '#' {
			continue
		}
		path, section := ref[:at], strings.TrimSpace(strings.TrimPrefix(ref[at:], "#"))
		for _, p := range slices.Backward(e.passages) { // what was read says more than what was searched
			if !samePath(p.Path, path, wiki) {
				continue
			}
			if section == "" || sameSection(p.Section, section) {
				found := p.citation(section)
				if section != "" {
					found.Section = p.Section
				}
				return found, true
			}
			if hasHeading(p.text, section) {
				return p.citation(section), true
			}
		}
	}
	path, section, _ := strings.Cut(ref, "#")
	return citation{source: source{plainName(path), plainName(section)}}, false
}

// citation names the passage, or a section of what it is from.
func (p passage) citation(section string) citation {
	return citation{source: source{p.Path, section}, OK: true, Quote: clipLine(p.text, 200), extent: p.extent, File: p.file}
}

// samePath compares the path of a source with one that was cited.
func samePath(path, cited string, wiki bool) bool {
	plain := func(s string) string { return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "./"), "/") }
	path, cited = plain(path), plain(cited)
	if cited == "" || path == "" {
		return false
	}
	bare := strings.TrimSuffix(path, ".md")
	if path == cited || bare == cited {
		return true
	}
	return wiki && (strings.HasSuffix(path, "/"+cited) || strings.HasSuffix(bare, "/"+cited))
}

// sameSection compares names of sections: neither case nor blanks nor marks of headings count.
func sameSection(a, b string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.Trim(s, "# ")), " ") }
	return strings.EqualFold(plain(a), plain(b))
}

// hasHeading reports whether a text has the section.
func hasHeading(text, section string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "#") && sameSection(line, section)
	})
}

// plainName takes out of a name whatever could make it a link or code.
func plainName(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]()<>`\\\n\r", r) {
			return -1
		}
		return r
	}, name))
}

// clipLine returns the beginning of a text as one line.
func clipLine(text string, most int) string {
	return clipRunes(strings.Join(strings.Fields(text), " "), most)
}

func clipRunes(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
