package kit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"rein"
	"rein/internal/quote"
)

// A File is what the model is told of a file.
type File struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Size int64  `json:"size,omitempty"` // bytes
}

// How much of a file's name is shown, and of the names of all files together. In bytes.
const mostFileName, mostFileNames = 120, 1000

// BaseName reduces a file's name to what is safe to show, to say and to look up: no folders, no
// hidden names, nothing that is not a letter, a digit or a plain sign.
func BaseName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsMark(c), unicode.IsDigit(c), strings.ContainsRune(" ._-()+,=@", c):
			return c
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c):
			return -1
		}
		return '_'
	}, strings.ToValidUTF8(name, "_"))
	if len(name) > mostFileName {
		name = strings.ToValidUTF8(name[:mostFileName], "")
	}
	if name = strings.TrimSpace(strings.TrimLeft(name, ". ")); name == "" {
		return "file"
	}
	return name
}

// Clean returns the file as it is safe to tell a model of it.
func (f File) Clean() File {
	return File{Name: BaseName(f.Name), Type: fileType(f.Type), Size: max(f.Size, 0)}
}

// fileType keeps what a media type can hold.
func fileType(kind string) string {
	kind = strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("/+.-", c)) {
			return c
		}
		return -1
	}, kind)
	return kind[:min(len(kind), mostFileName)]
}

// WithFiles adds the files that a call left in the session to those that the model knows of. One of the same name is
// replaced.
func WithFiles(files []File, left []rein.Artifact) []File {
	for _, a := range left {
		f := File{Name: a.Name, Type: a.Type, Size: a.Size}.Clean()
		files = slices.DeleteFunc(slices.Clone(files), func(has File) bool { return has.Name == f.Name })
		files = append(files, f)
	}
	return files
}

// manifest lists the files, a line each.
func manifest(files []File) string {
	var lines []string
	for _, f := range files {
		about := fmt.Sprintf("%d bytes", f.Size)
		if f.Type != "" {
			about = f.Type + ", " + about
		}
		lines = append(lines, fmt.Sprintf("- %s (%s)", f.Name, about))
	}
	return quote.Untrusted("files", strings.Join(lines, "\n"))
}

// FileNames lists the files in one line.
func FileNames(files []File) string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if names == nil {
		return "none"
	}
	return quote.Escape(Short(strings.Join(names, "; "), mostFileNames))
}
