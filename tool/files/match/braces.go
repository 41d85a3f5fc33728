package match

import "strings"

// maxGlobs is how many globs the braces of one may stand for.
const maxGlobs = 256

// expand writes out what braces stand for: a{b,c} is ab and ac.
func expand(glob string) ([]string, error) {
	open, parts, end, err := firstBraces(glob)
	if err != nil || open < 0 {
		return []string{glob}, err
	}
	var all []string
	for _, part := range parts {
		more, err := expand(glob[:open] + part + glob[end:])
		if err != nil {
			return nil, err
		}
		if all = append(all, more...); len(all) > maxGlobs {
			return nil, errMany
		}
	}
	return all, nil
}

// firstBraces finds the first pair of braces: where it opens, what stands between its commas, and where
// the text goes on.
func firstBraces(glob string) (open int, parts []string, end int, err error) {
	open, from, depth := -1, 0, 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += classLength(glob[i:])
		case c == '{':
			if depth++; depth == 1 {
				open, from = i, i+1
			}
		case depth == 0:
		case c == ',' && depth == 1:
			parts = append(parts, glob[from:i])
			from = i + 1
		case c == '}':
			if depth--; depth == 0 {
				return open, append(parts, glob[from:i]), i + 1, nil
			}
		}
	}
	if depth > 0 {
		return 0, nil, 0, errBrace
	}
	return -1, nil, 0, nil
}

// classLength is how far the "]" is that ends the class that a text begins with; 0: there is none.
func classLength(text string) int {
	from := 1
	for from < len(text) && strings.IndexByte("!^", text[from]) >= 0 {
		from++
	}
	for i := from; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == ']' && i > from:
			return i
		}
	}
	return 0
}
