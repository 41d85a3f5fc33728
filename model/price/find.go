package price

import "strings"

// Find looks a model up: by its name, by the longest beginning of it that is a name in the table
// (gpt-4o-2024-08-06 is gpt-4o), and likewise without the provider before it
// (anthropic/claude-sonnet-4.6 is claude-sonnet-4-6).
func (t Table) Find(model string) (Entry, bool) {
	for name := plain(model); name != ""; {
		if e, ok := t.find(name); ok {
			return e, true
		}
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			break
		}
		name = rest
	}
	return Entry{}, false
}

// plain is how names are compared.
func plain(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func (t Table) find(name string) (Entry, bool) {
	if e, ok := t.exactly(name); ok {
		return e, true
	}
	// Only where a new part of the name begins: gpt-5.9 is no kind of gpt-5.
	for end := len(name) - 1; end > 0; end-- {
		if !strings.ContainsRune("-@:", rune(name[end])) {
			continue
		}
		if e, ok := t.exactly(name[:end]); ok {
			e.Guess = !isEdition(name[end+1:])
			return e, true
		}
	}
	return Entry{}, false
}

// exactly finds a name, also if it is written with dots where the table has dashes.
func (t Table) exactly(name string) (Entry, bool) {
	if e, ok := t.entries[name]; ok {
		return e, true
	}
	e, ok := t.entries[strings.ReplaceAll(name, ".", "-")]
	return e, ok
}

// isEdition reports whether what follows a name is only a date or the like, so that it is the same
// model at the same price.
func isEdition(rest string) bool {
	switch rest {
	case "latest", "preview", "0":
		return true
	}
	return len(rest) >= 3 && strings.Trim(rest, "0123456789-") == ""
}
