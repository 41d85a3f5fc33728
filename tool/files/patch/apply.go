package patch

import (
	"bytes"
	"io/fs"
	"strings"
	"unicode/utf8"

	"rein"
)

// A Change is what becomes of one path. A file that moves makes two: the new one, then the one that goes.
type Change struct {
	Path   string
	Before []byte // nil: there is no file
	After  []byte // nil: there is none afterwards
	From   string // the file that has moved here
	Mode   fs.FileMode
}

// Apply makes the changes of a patch, all or none. read returns what is in a file, or nil if there is none; an empty
// file is not nil.
func Apply(files []File, read func(path string) ([]byte, error)) ([]Change, error) {
	var changes []Change
	for _, f := range files {
		made, err := f.apply(read)
		if err != nil {
			return nil, err
		}
		changes = append(changes, made...)
	}
	return changes, nil
}

func (f File) apply(read func(string) ([]byte, error)) ([]Change, error) {
	before, err := read(f.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Add && before != nil:
		return nil, rein.Errorf(rein.CodeConflict, "%q exists already, and the patch would make it; update it, or delete it first", f.Path)
	case !f.Add && before == nil:
		return nil, rein.Errorf(rein.CodeNotFound, "%q does not exist, and the patch would change it", f.Path)
	}
	if f.Delete && f.whole {
		return []Change{{Path: f.Path, Before: before}}, nil
	}
	after, err := f.text(before)
	if err != nil {
		return nil, err
	}
	if f.Delete {
		if len(after) > 0 {
			return nil, rein.Errorf(rein.CodeConflict, "%q would be deleted, but it has lines that the patch does not remove", f.Path)
		}
		return []Change{{Path: f.Path, Before: before}}, nil
	}
	if f.To == "" {
		return []Change{{Path: f.Path, Before: before, After: after, Mode: f.Mode}}, nil
	}
	switch there, err := read(f.To); {
	case err != nil:
		return nil, err
	case there != nil:
		return nil, rein.Errorf(rein.CodeConflict, "%q exists already, and the patch would move %q there", f.To, f.Path)
	}
	return []Change{{Path: f.To, After: after, From: f.Path, Mode: f.Mode}, {Path: f.Path, Before: before}}, nil
}

// text is the content of the file after all hunks; it is never nil.
func (f File) text(before []byte) ([]byte, error) {
	if len(f.Hunks) == 0 {
		return append([]byte{}, before...), nil
	}
	if !utf8.Valid(before) || bytes.IndexByte(before, 0) >= 0 {
		return nil, rein.Errorf(rein.CodeInvalid, "%q is not UTF-8 text: patches leave it alone", f.Path)
	}
	text, mark := string(before), ""
	if strings.HasPrefix(text, bom) && !f.mentionsBOM() {
		text, mark = text[len(bom):], bom
	}
	w := writing{file: f, work: maxWork}
	w.lines, w.open = split(text)
	end := w.close()
	w.adapt()
	out, err := w.apply()
	if err != nil {
		return nil, err
	}
	if out = mark + strings.TrimSuffix(out, end); len(out) > maxFile {
		return nil, rein.Errorf(rein.CodeLimit, "%q would have %d bytes, and at most %d MiB are written", f.Path, len(out), maxFile>>20)
	}
	return []byte(out), nil
}

// close gives the last line of a file the line end that it lacks, for hunks of V4A, which cannot tell; it returns the
// line end, to be taken off again.
func (w *writing) close() (end string) {
	if !w.open || w.file.Hunks[0].placed {
		return ""
	}
	if plain, crlf := w.ends(); crlf && !plain {
		w.lines[len(w.lines)-1] += "\r"
		end = "\r"
	}
	w.open = false
	return end + "\n"
}

const bom = "\ufeff"

// mentionsBOM reports whether the patch has the mark at the beginning of the file itself.
func (f File) mentionsBOM() bool {
	for _, l := range f.Hunks[0].lines {
		if strings.HasPrefix(l.text, bom) {
			return true
		}
	}
	return false
}

// split returns the lines of a text without their line feeds, and whether the last has none.
func split(text string) (lines []string, open bool) {
	if text == "" {
		return nil, false
	}
	open = !strings.HasSuffix(text, "\n")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), open
}

// adapt gives the lines of the hunks the line ends of the file, if these are the same throughout and the patch, as a
// whole, has the other kind. A patch with both is taken as it is.
func (w *writing) adapt() {
	plain, crlf := w.ends()
	hunkPlain, hunkCRLF := w.file.ends()
	switch {
	case crlf && !plain && hunkPlain && !hunkCRLF:
		w.file.Hunks = w.file.mapped(func(l line) line {
			if !l.open {
				l.text += "\r"
			}
			return l
		})
	case !crlf && w.file.crlf:
		w.file.Hunks = w.file.mapped(func(l line) line {
			l.text = strings.TrimSuffix(l.text, "\r")
			return l
		})
	}
}

// ends reports which line ends the file has.
func (w *writing) ends() (plain, crlf bool) {
	for i, l := range w.lines {
		if i == len(w.lines)-1 && w.open {
			break
		}
		cr := strings.HasSuffix(l, "\r")
		plain, crlf = plain || !cr, crlf || cr
	}
	return plain, crlf
}

func (f File) ends() (plain, crlf bool) {
	for _, h := range f.Hunks {
		for _, l := range h.lines {
			cr := strings.HasSuffix(l.text, "\r")
			plain, crlf = plain || !cr && !l.open, crlf || cr
		}
	}
	return plain, crlf
}

// mapped returns the hunks with other lines; those of the File are not touched.
func (f File) mapped(of func(line) line) []Hunk {
	hunks := make([]Hunk, len(f.Hunks))
	for i, h := range f.Hunks {
		lines := make([]line, len(h.lines))
		for j, l := range h.lines {
			lines[j] = of(l)
		}
		h.lines = lines
		hunks[i] = h
	}
	return hunks
}
