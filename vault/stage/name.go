package stage

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"rein"
)

const maxPath = 1000

// Name returns the path of a note as this package writes it: with slashes, below the vault, without
// parts that say nothing. What cannot be a note, or may not be one, is refused: a way out of the
// vault, hidden folders and files, other types of files, characters that are not seen.
func Name(name string) (string, error) {
	switch {
	case name == "":
		return "", rein.Errorf(rein.CodeInvalid, "the path is empty: name a note, such as \"Ideas/Garden.md\"")
	case len(name) > maxPath:
		return "", rein.Errorf(rein.CodeInvalid, "the path %.60q… has %d bytes: use at most %d", name, len(name), maxPath)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, isUnsafe):
		return "", rein.Errorf(rein.CodeInvalid, "the path %.200q holds characters that are not seen, or a backslash: write folders with /", name)
	case strings.HasPrefix(name, "/"):
		return "", leadsOut(name)
	}
	clean := path.Clean(name)
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", leadsOut(name)
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") && clean != "." {
			return "", rein.Errorf(rein.CodeForbidden, "%.200q is hidden: folders and notes whose names begin with a dot are left alone", name)
		}
	}
	if base := path.Base(clean); strings.HasSuffix(name, "/") || !strings.EqualFold(path.Ext(base), ".md") {
		return "", rein.Errorf(rein.CodeInvalid, "%.200q is no note: its name must end in .md", name)
	}
	return clean, nil
}

func leadsOut(name string) error {
	return rein.Errorf(rein.CodeForbidden, "%.200q is outside the vault: use a path below it, such as \"Ideas/Garden.md\"", name)
}

// isUnsafe reports characters that no name has for a good reason: controls, what turns the text around
// it, and the backslash, which is a folder's end somewhere else.
func isUnsafe(c rune) bool {
	return unicode.IsControl(c) || c == '\\' || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029' || c == '\uFEFF'
}

// allowed returns the clean path of a note that may be touched.
func (d *Desk) allowed(name string) (string, error) {
	clean, err := Name(name)
	if err != nil {
		return "", err
	}
	if !d.allow(clean) {
		return "", rein.Errorf(rein.CodeForbidden, "%.200q is in a folder that may not be used", clean)
	}
	return clean, nil
}

// Locate returns where a note is on the disk, by its path; "." is the vault itself.
func (d *Desk) Locate(path string) string { return filepath.Join(d.vault, filepath.FromSlash(path)) }
