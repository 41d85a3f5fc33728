package patch

import "strings"

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	updateFile = "*** Update File: "
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
)

// v4a reads a patch between "*** Begin Patch" and "*** End Patch".
func (r *reader) v4a() ([]File, error) {
	r.next()
	var files []File
	for !r.done() && strings.TrimSpace(r.peek()) != endPatch {
		f, err := r.v4aFile()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if r.done() {
		return nil, r.wrong("the patch ends without %q", endPatch)
	}
	r.next()
	for ; !r.done(); r.at++ {
		if strings.TrimSpace(r.peek()) != "" {
			return nil, r.wrong("%.100q comes after %q", r.peek(), endPatch)
		}
	}
	if len(files) == 0 {
		return nil, r.wrong("the patch changes no file")
	}
	return files, nil
}

func (r *reader) v4aFile() (File, error) {
	f := File{line: r.at + 1, crlf: r.crlf}
	head := r.peek()
	named := func(prefix string) bool {
		name, ok := strings.CutPrefix(head, prefix)
		if ok {
			f.Path = clean(strings.TrimSpace(name))
			r.next()
		}
		return ok
	}
	switch {
	case named(deleteFile):
		f.Delete, f.whole = true, true
		return f, nil
	case named(addFile):
		f.Add = true
		h, err := r.v4aNew()
		f.Hunks = []Hunk{h}
		return f, err
	case named(updateFile):
		return f, r.v4aUpdate(&f)
	}
	return f, r.wrong("%.100q is not expected here; a file begins with %q, %q or %q", head, updateFile, addFile, deleteFile)
}

// v4aNew reads the lines of a new file.
func (r *reader) v4aNew() (Hunk, error) {
	h := Hunk{line: r.at, placed: true}
	for !r.done() && !strings.HasPrefix(r.peek(), "*** ") {
		text, ok := strings.CutPrefix(r.raw(), "+")
		if !ok {
			return h, r.wrong("every line of a new file begins with +, and this one is %.100q", r.peek())
		}
		h.lines = append(h.lines, line{'+', text, false})
		r.next()
	}
	return h, nil
}

func (r *reader) v4aUpdate(f *File) error {
	if to, ok := strings.CutPrefix(r.peek(), moveTo); ok {
		f.To = clean(strings.TrimSpace(to))
		if r.next(); f.To == f.Path {
			f.To = ""
		}
	}
	for !r.done() && (!strings.HasPrefix(r.peek(), "*** ") || r.peek() == endOfFile) {
		h, err := r.v4aHunk(len(f.Hunks) == 0)
		if err != nil {
			return err
		}
		f.Hunks = append(f.Hunks, h)
	}
	if len(f.Hunks) == 0 && f.To == "" {
		return wrongAt(f.line, "nothing is changed in %q", f.Path)
	}
	return nil
}

// v4aHunk reads the @@ lines of a hunk, which the first of a file may leave out, and its body.
func (r *reader) v4aHunk(first bool) (Hunk, error) {
	h := Hunk{line: r.at + 1, header: r.peek()}
	for r.peek() == "@@" || strings.HasPrefix(r.peek(), "@@ ") {
		scope := strings.TrimSpace(strings.TrimPrefix(r.next(), "@@"))
		if scope != "" {
			h.scopes = append(h.scopes, scope)
		}
	}
	if r.at+1 == h.line && !first {
		return h, r.wrong("a hunk begins with @@, and this line is %.100q", r.peek())
	}
	changes := false
	for !r.done() && !strings.HasPrefix(r.peek(), "*** ") && !strings.HasPrefix(r.peek(), "@@") {
		l, ok := bodyLine(r.raw())
		if !ok {
			return h, r.wrong("a line of a hunk begins with a space, - or +, and this one is %.100q", r.peek())
		}
		changes = changes || l.op != ' '
		h.lines = append(h.lines, l)
		r.next()
	}
	if r.peek() == endOfFile {
		h.atEnd = true
		r.next()
	}
	if !changes {
		return h, wrongAt(h.line, "the hunk changes nothing")
	}
	return h, nil
}

// bodyLine is a line of a hunk; an empty one is an empty line of context, whose space got lost.
func bodyLine(raw string) (line, bool) {
	if raw == "" || raw == "\r" {
		return line{' ', raw, false}, true
	}
	switch raw[0] {
	case ' ', '-', '+':
		return line{raw[0], raw[1:], false}, true
	}
	return line{}, false
}
