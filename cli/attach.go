package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/internal/picture"
	"rein/internal/quote"
	"rein/internal/units"
)

// maxAttached is how much text one attached file may have. A model reads longer files with its tools.
const maxAttached = 256 << 10

// attachments are the files that a task brings along.
type attachments struct {
	dir    string // the folder of the run: files that the text names must be below it
	images []rein.Image
	blocks []string // texts of files, quoted
}

// attach reads the files that a text names with @, and returns the text with their names. @@ stands for @ itself, and an
// @ inside a word, as in an e-mail address, for nothing more.
func (a *attachments) attach(text string) (string, error) {
	var out strings.Builder
	before := ' '
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r != '@' || !begins(before) {
			out.WriteRune(r)
			before, rest = r, rest[size:]
			continue
		}
		if strings.HasPrefix(rest, "@@") {
			out.WriteByte('@')
			before, rest = 'x', rest[2:]
			continue
		}
		name, typed, err := a.file(rest[1:])
		if err != nil {
			return "", err
		}
		if typed == 0 {
			name = "@"
		}
		out.WriteString(name)
		before, rest = 'x', rest[1+typed:]
	}
	return out.String(), nil
}

// begins reports whether an @ after this character can begin the name of a file.
func begins(before rune) bool {
	return unicode.IsSpace(before) || strings.ContainsRune(`([{<"'`, before)
}

// file attaches the file that a text begins with, and returns its name and how much of the text that was. A sentence
// may end behind it.
func (a *attachments) file(text string) (name string, typed int, err error) {
	if inside, ok := strings.CutPrefix(text, `"`); ok {
		if name, _, ok = strings.Cut(inside, `"`); ok {
			return name, len(name) + 2, a.add(name)
		}
	}
	word := text
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		word = text[:end]
	}
	if word == "" {
		return "", 0, nil
	}
	for name = word; ; name = name[:len(name)-1] {
		err := a.add(name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return name, len(name), err
		}
		if len(name) == 1 || !strings.ContainsRune(`.,;:!?)]}>"'`, rune(name[len(name)-1])) {
			return "", 0, usagef("@%s: there is no such file in %s; write @@%s if you do not mean a file", word, a.dir, word)
		}
	}
}

// add attaches a file of the run's folder. One that does not exist is fs.ErrNotExist.
func (a *attachments) add(name string) error {
	data, err := a.read(name)
	if err != nil {
		return err
	}
	if picture.Kind(data) != "" && !isText(data) {
		return a.addImage("@"+name, name, data)
	}
	switch {
	case !isText(data):
		return usagef("@%s: it is neither text nor an image (%s)", name, picture.Types)
	case len(data) > maxAttached:
		return usagef("@%s: it has more than %s of text: name the file without @, and let the run read it", name, units.Size(maxAttached))
	}
	a.blocks = append(a.blocks, quote.Untrusted(name, string(data)))
	return nil
}

// read reads a file below the folder, not through links that lead out of it.
func (a *attachments) read(name string) ([]byte, error) {
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	local := name
	if filepath.IsAbs(local) {
		if local, err = filepath.Rel(a.dir, name); err != nil {
			return nil, err
		}
	}
	if !filepath.IsLocal(local) {
		return nil, usagef("@%s: it is not below %s: for an image use --image; else copy the file there, or name the folder with --root", name, a.dir)
	}
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("@%s: %w", name, err)
	case !info.Mode().IsRegular():
		return nil, usagef("@%s: it is not a file", name)
	}
	f, err := root.Open(local)
	if err != nil {
		return nil, fmt.Errorf("@%s: %w", name, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, picture.MaxBytes+1))
}

// addFile attaches an image that a flag names.
func (a *attachments) addFile(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("--image %s: there is no such file", name)
	case err != nil:
		return usagef("--image: %v", err)
	case !info.Mode().IsRegular():
		return usagef("--image %s: it is not a file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return usagef("--image: %v", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, picture.MaxBytes+1))
	if err != nil {
		return err
	}
	return a.addImage("--image "+name, name, data)
}

func (a *attachments) addImage(typed, name string, data []byte) error {
	image, err := picture.Look(rein.Image{Name: filepath.Base(name), Data: data})
	if err != nil {
		return usagef("%s: %v", typed, err)
	}
	a.images = append(a.images, image)
	return nil
}

func isText(data []byte) bool { return utf8.Valid(data) && !strings.ContainsRune(string(data), 0) }
