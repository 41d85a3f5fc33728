package vault

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"rein"
	"rein/tool/reach"
)

// maxNote is the largest note that is read.
const maxNote = 10 << 20

// A folder is what of the file system a vault may touch. Links are not followed: one could lead to a
// folder that is excluded, or back to one above it.
type folder struct {
	root   *os.Root
	filter reach.Filter
}

func newFolder(root *os.Root, include, exclude []string) (*folder, error) {
	filter, err := reach.NewFilter(include, exclude)
	return &folder{root, filter}, err
}

// isNote reports whether a file is one by its name.
func isNote(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// cleanPath brings the path of a note that someone asks for into our form, or says why it is refused.
func (f *folder) cleanPath(name string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	switch {
	case strings.TrimSpace(name) == "":
		return "", rein.Errorf(rein.CodeInvalid, "path is empty: name a note, such as Folder/Note.md")
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsRune(clean, 0):
		return "", rein.Errorf(rein.CodeForbidden, "%q leads out of the vault: use a path within it", name)
	}
	if why := f.filter.Refuses(clean); why != "" && clean != "." {
		return "", rein.Errorf(rein.CodeForbidden, "%q may not be read: it is %s", name, why)
	}
	return clean, nil
}

// linked returns the first part of a path that is a link.
func (f *folder) linked(name string) (string, bool) {
	for i := range len(name) + 1 {
		if i == len(name) || name[i] == '/' {
			if info, err := f.root.Lstat(name[:i]); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return name[:i], true
			}
		}
	}
	return "", false
}

// A skipError says why a file is no note, in words for a list.
type skipError string

func (e skipError) Error() string { return string(e) }

// read returns the text of a note.
func (f *folder) read(name string) ([]byte, fs.FileInfo, error) {
	file, info, err := f.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxNote+1))
	if err != nil {
		return nil, nil, err
	}
	if len(text) > maxNote {
		return nil, nil, skipError("larger than 10 MB")
	}
	if why := notText(text); why != "" {
		return nil, nil, skipError(why)
	}
	return text, info, nil
}

// open opens a plain file. A pipe would make us wait, so nothing else is opened.
func (f *folder) open(name string) (*os.File, fs.FileInfo, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, skipError("not a plain file")
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case !os.SameFile(before, info):
		err = skipError("replaced while it was opened")
	case info.Size() > maxNote:
		err = skipError("larger than 10 MB")
	default:
		return file, info, nil
	}
	_ = file.Close()
	return nil, nil, err
}

// notText says why bytes are not the text of a note, or "". A few broken characters are no reason.
func notText(text []byte) string {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return "written in UTF-16: save it as UTF-8"
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "binary, not text"
	}
	bad := 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		at += size
	}
	if bad*20 > len(text) {
		return "not written in UTF-8"
	}
	return ""
}

// whySkipped puts an error into words for a list.
func whySkipped(err error) string {
	if skip, ok := errors.AsType[skipError](err); ok {
		return string(skip)
	}
	if errors.Is(err, fs.ErrPermission) {
		return "cannot be read: permission denied"
	}
	return "cannot be read: " + err.Error()
}
