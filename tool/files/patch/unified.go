package patch

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

const devNull = "/dev/null"

// unified reads a unified diff: of git, with its extended headers, or of diff -u. Text before the first file is left
// out, as in a mail, and so is what follows the signature "-- ".
func (r *reader) unified() ([]File, error) {
	if err := r.skipPreamble(); err != nil {
		return nil, err
	}
	var files []File
	for !r.done() {
		if r.peek() == "-- " || r.peek() == "--" {
			break
		}
		if strings.TrimSpace(r.peek()) == "" {
			r.next()
			continue
		}
		f, err := r.unifiedFile()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func (r *reader) skipPreamble() error {
	for from := r.at; !r.done(); r.at++ {
		if r.startsFile() {
			return nil
		}
		if strings.HasPrefix(r.peek(), "@@ -") {
			return r.wrong("a hunk comes before the lines --- and +++ that name its file")
		}
		if r.at-from > 1000 {
			break
		}
	}
	return wrongAt(1, "this is no patch: it begins with %q, or has lines --- and +++ as a unified diff", beginPatch)
}

func (r *reader) startsFile() bool {
	if strings.HasPrefix(r.peek(), "diff --git ") {
		return true
	}
	return strings.HasPrefix(r.peek(), "--- ") && r.at+1 < len(r.lines) && strings.HasPrefix(r.lines[r.at+1], "+++ ")
}

// unifiedFile reads the headers of one file, and its hunks.
func (r *reader) unifiedFile() (File, error) {
	f := File{line: r.at + 1, crlf: r.crlf}
	if !r.startsFile() {
		return f, r.wrong("%.100q is not expected here: a file begins with \"diff --git\" or with --- and +++; or the hunk before has more lines than its header says", r.peek())
	}
	var git *extended
	if strings.HasPrefix(r.peek(), "diff --git ") {
		git = &extended{diff: strings.TrimPrefix(r.next(), "diff --git ")}
		if err := r.extended(git); err != nil {
			return f, err
		}
	}
	var before, after string
	if strings.HasPrefix(r.peek(), "--- ") {
		var err error
		if before, after, err = r.names(); err != nil {
			return f, err
		}
	}
	if err := f.name(git, before, after); err != nil {
		return f, wrongAt(f.line, "%s", err)
	}
	return f, r.unifiedHunks(&f)
}

// names reads the lines --- and +++.
func (r *reader) names() (before, after string, err error) {
	before, err = fileName(strings.TrimPrefix(r.next(), "--- "))
	if err != nil {
		return "", "", r.wrong("%s", err)
	}
	if !strings.HasPrefix(r.peek(), "+++ ") {
		return "", "", r.wrong("after --- comes +++, not %.100q", r.peek())
	}
	after, err = fileName(strings.TrimPrefix(r.next(), "+++ "))
	if err != nil {
		return "", "", r.wrong("%s", err)
	}
	return before, after, nil
}

// extended has the headers that git adds.
type extended struct {
	diff             string
	from, to         string // of a rename
	added, deleted   bool
	oldMode, newMode string
}

func (r *reader) extended(g *extended) error {
	for ; !r.done(); r.next() {
		key, value := header(r.peek())
		var err error
		switch key {
		case "":
			return nil
		case "rename from ":
			g.from, err = unquote(value)
		case "rename to ":
			g.to, err = unquote(value)
		case "new file mode ":
			g.added, g.newMode = true, value
		case "deleted file mode ":
			g.deleted, g.oldMode = true, value
		case "old mode ":
			g.oldMode = value
		case "new mode ":
			g.newMode = value
		case "copy from ", "copy to ":
			return r.wrong("a patch that copies a file is not applied: write the new file with all its lines")
		case "GIT binary patch", "Binary files ":
			return r.wrong("a patch of a binary file is not applied")
		}
		if err != nil {
			return r.wrong("%s", err)
		}
	}
	return nil
}

func header(l string) (key, value string) {
	for _, key := range []string{
		"rename from ", "rename to ", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
		"copy from ", "copy to ", "GIT binary patch", "Binary files ", "index ", "similarity index ", "dissimilarity index ",
	} {
		if value, ok := strings.CutPrefix(l, key); ok {
			return key, value
		}
	}
	return "", ""
}

// name says which file it is about, and what happens to it.
func (f *File) name(g *extended, before, after string) error {
	if g == nil {
		return f.plainNames(before, after)
	}
	if err := f.modes(g); err != nil {
		return err
	}
	f.Add, f.Delete = g.added, g.deleted
	if before == "" && after == "" {
		if g.from != "" {
			f.Path, f.To = g.from, g.to
			return nil
		}
		name, ok := sameName(g.diff)
		if !ok {
			return errorf("the name of the file in %.200q cannot be told", g.diff)
		}
		f.Path = name
		return nil
	}
	before, after = strip(before, "a/"), strip(after, "b/")
	switch {
	case g.added != (before == devNull) || g.deleted != (after == devNull):
		return errorf("the headers do not agree whether the file is new or deleted: --- %s, +++ %s", before, after)
	case g.from != "" && (g.from != before || g.to != after):
		return errorf("the headers name different files: rename from %q to %q, --- %s, +++ %s", g.from, g.to, before, after)
	case g.from == "" && !g.added && !g.deleted && before != after:
		return errorf("the headers name two files, %q and %q, and no rename", before, after)
	}
	f.Path, f.To = before, g.to
	if g.added {
		f.Path = after
	}
	return nil
}

// plainNames is for a diff that is not git's.
func (f *File) plainNames(before, after string) error {
	if strings.HasPrefix(before, "a/") && (strings.HasPrefix(after, "b/") || after == devNull) || before == devNull && strings.HasPrefix(after, "b/") {
		before, after = strip(before, "a/"), strip(after, "b/")
	}
	f.Add, f.Delete, f.Path = before == devNull, after == devNull, clean(before)
	switch {
	case f.Add && f.Delete:
		return errorf("both --- and +++ name /dev/null")
	case f.Add:
		f.Path = clean(after)
	case !f.Delete && clean(before) != clean(after):
		return errorf("--- names %q and +++ names %q: use the same path for both", before, after)
	}
	return nil
}

// modes keeps what the patch says of a file that is a program, and refuses what is no plain file.
func (f *File) modes(g *extended) error {
	for _, mode := range []string{g.oldMode, g.newMode} {
		if mode != "" && mode != "100644" && mode != "100755" {
			return errorf("mode %.20q is not that of a plain file (100644 or 100755)", mode)
		}
	}
	if n, err := strconv.ParseUint(g.newMode, 8, 32); err == nil {
		f.Mode = fs.FileMode(n) & 0o777
	}
	return nil
}

func strip(name, prefix string) string {
	if name == devNull {
		return name
	}
	return clean(strings.TrimPrefix(name, prefix))
}

// sameName splits "a/NAME b/NAME", which has no quotes around names with blanks.
func sameName(s string) (string, bool) {
	if strings.HasPrefix(s, `"`) {
		a, rest, ok := cutQuoted(s)
		b, err := unquote(strings.TrimPrefix(rest, " "))
		return strings.TrimPrefix(a, "a/"), ok && err == nil && strings.TrimPrefix(a, "a/") == strings.TrimPrefix(b, "b/")
	}
	if len(s)%2 == 0 {
		return "", false
	}
	a, b := s[:len(s)/2], s[len(s)/2+1:]
	ok := s[len(s)/2] == ' ' && strings.HasPrefix(a, "a/") && strings.HasPrefix(b, "b/") && a[2:] == b[2:]
	return strings.TrimPrefix(a, "a/"), ok
}

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

func (r *reader) unifiedHunks(f *File) error {
	for strings.HasPrefix(r.peek(), "@@") {
		h, err := r.unifiedHunk()
		if err != nil {
			return err
		}
		f.Hunks = append(f.Hunks, h)
	}
	if strings.HasPrefix(r.peek(), "Binary files ") {
		return r.wrong("a patch of a binary file is not applied")
	}
	if len(f.Hunks) == 0 && f.To == "" && f.Mode == 0 && !f.Delete {
		return wrongAt(f.line, "nothing is changed in %q", f.Path)
	}
	return nil
}

// unifiedHunk reads as many lines as the header says.
func (r *reader) unifiedHunk() (Hunk, error) {
	h := Hunk{line: r.at + 1, header: r.peek(), placed: true}
	m := hunkHead.FindStringSubmatch(r.peek())
	if m == nil {
		return h, r.wrong("%.100q is no header of a hunk: it must read @@ -from,lines +from,lines @@", r.peek())
	}
	before, after := count(m[2]), count(m[4])
	h.old, h.new = start(m[1], before), start(m[3], after)
	r.next()
	changes := false
	for before > 0 || after > 0 || strings.HasPrefix(r.peek(), `\`) {
		if strings.HasPrefix(r.peek(), `\`) && len(h.lines) > 0 {
			h.lines[len(h.lines)-1].open = true
			r.next()
			continue
		}
		l, ok := bodyLine(r.raw())
		if r.done() || !ok || l.op != '+' && before == 0 || l.op != '-' && after == 0 {
			return h, r.wrong("the hunk of line %d (%s) has %d old and %d new lines fewer, or other lines, than its header says; found %.100q", h.line, m[0], before, after, r.peek())
		}
		before, after = before-l.old(), after-l.new()
		changes = changes || l.op != ' '
		h.lines = append(h.lines, l)
		r.next()
	}
	if !changes {
		return h, wrongAt(h.line, "the hunk changes nothing")
	}
	return h, h.checkOpen()
}

// checkOpen refuses a line without a line feed that is not the last of its side.
func (h Hunk) checkOpen() error {
	var before, after bool
	for _, l := range h.lines {
		if l.old() > 0 && before || l.new() > 0 && after {
			return wrongAt(h.line, "a line of the hunk follows one that has no newline at the end of the file")
		}
		before, after = before || l.open && l.old() > 0, after || l.open && l.new() > 0
	}
	return nil
}

func (l line) old() int {
	if l.op == '+' {
		return 0
	}
	return 1
}

func (l line) new() int {
	if l.op == '-' {
		return 0
	}
	return 1
}

// count is a number of lines, which is left out if it is one.
func count(s string) int {
	if s == "" {
		return 1
	}
	n, _ := strconv.Atoi(s)
	return n
}

// start counts from zero; of no lines, the number is of the line before.
func start(s string, lines int) int {
	n, _ := strconv.Atoi(s)
	if lines == 0 {
		return n
	}
	return n - 1
}
